(* Reads certificates (docs/certificates.md), has them checked by the program that is extracted from Coq, and prints what
   has been proved.  Trusted here: the reading of the file and of formulas, and the printing.  What is guessed (words of
   constants, sets of states, why a system has infinitely many numbers) need not be trusted. *)

open Checker

let min = Stdlib.min (* Coq has another one *)

(* A list may have a million items, and the stack has no room for as many calls: these make lists by loops. *)
module List = struct
  include List
  let map f l = rev (rev_map f l)
  let map2 f l m = rev (rev_map2 f l m)
  let mapi f l = rev (snd (fold_left (fun (i, found) a -> (i + 1, f i a :: found)) (0, []) l))
  let append l m = rev_append (rev l) m
  let combine l m = map2 (fun a b -> (a, b)) l m
end
let ( @ ) = List.append

exception Malformed of string
exception Invalid of string
exception Too_large of string (* for the limits *)

let fail reason = raise (Malformed reason)

(* -- JSON ------------------------------------------------------------------------------------------------------------ *)

(* Large: an integer of many digits.  Other: a number that is no integer. *)
type json = Null | Bool of bool | Int of int | Large of string | Other | Str of string | List of json list | Obj of (string * json) list

let parse_json (s : string) : json =
  let at = ref 0 and n = String.length s in
  let peek () = if !at < n then s.[!at] else '\000' in
  let rec skip () = match peek () with ' ' | '\t' | '\n' | '\r' -> incr at; skip () | _ -> () in
  let need c = if !at < n && s.[!at] = c then incr at else fail "no JSON" in
  let word w value =
    if !at + String.length w <= n && String.sub s !at (String.length w) = w then (at := !at + String.length w; value)
    else fail "no JSON" in
  let text () =
    need '"';
    let hex () =
      let digit c = match c with
        | '0' .. '9' -> Char.code c - 48 | 'a' .. 'f' -> Char.code c - 87 | 'A' .. 'F' -> Char.code c - 55 | _ -> fail "no JSON" in
      if !at + 4 > n then fail "no JSON";
      let code = List.fold_left (fun code i -> 16 * code + digit s.[!at + i]) 0 [ 0; 1; 2; 3 ] in
      at := !at + 4; code in
    (* One character, or two halves of one, as UTF-8. *)
    let unicode b =
      let one = hex () in
      let code =
        if one land 0xFC00 = 0xD800 && !at + 6 <= n && s.[!at] = '\\' && s.[!at + 1] = 'u' then begin
          at := !at + 2;
          let two = hex () in
          if two land 0xFC00 = 0xDC00 then 0x10000 + ((one land 0x3FF) lsl 10) + (two land 0x3FF) else fail "half a character"
        end
        else one in
      if Uchar.is_valid code then Buffer.add_utf_8_uchar b (Uchar.of_int code) else fail "half a character" in
    let b = Buffer.create 16 in
    let rec go () =
      if !at >= n then fail "no JSON";
      match s.[!at] with
      | '"' -> incr at
      | '\\' ->
          if !at + 1 >= n then fail "no JSON";
          at := !at + 2;
          (match s.[!at - 1] with
           | ('"' | '\\' | '/') as c -> Buffer.add_char b c
           | 'b' -> Buffer.add_char b '\b'
           | 'f' -> Buffer.add_char b '\012'
           | 'n' -> Buffer.add_char b '\n'
           | 'r' -> Buffer.add_char b '\r'
           | 't' -> Buffer.add_char b '\t'
           | 'u' -> unicode b
           | _ -> fail "no JSON");
          go ()
      | c when Char.code c < 32 -> fail "no JSON"
      | c -> Buffer.add_char b c; incr at; go () in
    go (); Buffer.contents b in
  let rec value depth =
    if depth > 100 then fail "JSON is too deep";
    skip ();
    let v = match peek () with
      | '{' ->
          incr at; skip ();
          if peek () = '}' then (incr at; Obj []) else begin
            let rec go found =
              skip (); let k = text () in skip (); need ':';
              let found = (k, value (depth + 1)) :: found in
              if peek () = ',' then (incr at; go found) else (need '}'; found) in
            Obj (go [])  (* the last one first: it counts if a name comes twice *)
          end
      | '[' ->
          incr at; skip ();
          if peek () = ']' then (incr at; List []) else begin
            let rec go found =
              let found = value (depth + 1) :: found in
              if peek () = ',' then (incr at; go found) else (need ']'; List.rev found) in
            List (go [])
          end
      | '"' -> Str (text ())
      | 't' -> word "true" (Bool true)
      | 'f' -> word "false" (Bool false)
      | 'n' -> word "null" Null
      | '-' | '0' .. '9' ->
          let from = !at in
          if peek () = '-' then incr at;
          while (match peek () with '0' .. '9' -> true | _ -> false) do incr at done;
          let digits = String.sub s from (!at - from) in
          let bare = if digits.[0] = '-' then String.sub digits 1 (String.length digits - 1) else digits in
          if bare = "" || (String.length bare > 1 && bare.[0] = '0') then fail "no JSON";
          let some_digits () =
            let from = !at in
            while (match peek () with '0' .. '9' -> true | _ -> false) do incr at done;
            if !at = from then fail "no JSON" in
          let whole = ref true in
          if peek () = '.' then (whole := false; incr at; some_digits ());
          (match peek () with
           | 'e' | 'E' -> whole := false; incr at; (match peek () with '+' | '-' -> incr at | _ -> ()); some_digits ()
           | _ -> ());
          if not !whole then Other else if String.length bare <= 17 then Int (int_of_string digits) else Large digits
      | _ -> fail "no JSON" in
    skip (); v in
  let v = value 0 in
  if !at <> n then fail "no JSON";
  v

let field line key = match List.assoc_opt key line with Some v -> v | None -> fail ("there is no " ^ key)
let int_in least most = function Int i when least <= i && i <= most -> i | _ -> fail "no integer, or one out of range"
let str = function Str s -> s | _ -> fail "no string"
let list = function List l -> l | _ -> fail "no list"
let obj = function Obj o -> o | _ -> fail "no object"
let distinct l = List.length (List.sort_uniq compare l) = List.length l
let strings v = let l = List.map str (list v) in if distinct l then l else fail "a list has a name twice"

(* -- numbers of Coq -------------------------------------------------------------------------------------------------- *)

(* Those below 2^16 are made once. *)
let positives =
  let a = Array.make 65536 XH in
  for i = 2 to 65535 do a.(i) <- if i land 1 = 1 then XI a.(i lsr 1) else XO a.(i lsr 1) done; a
let rec positive i = if i < 65536 then positives.(i) else if i land 1 = 1 then XI (positive (i lsr 1)) else XO (positive (i lsr 1))
let n_of i = if i = 0 then N0 else Npos (positive i)
let ten = n_of 10
let n_of_text digits = (* Coq calculates: the numbers of OCaml would wrap *)
  if digits = "" || not (String.for_all (fun c -> c >= '0' && c <= '9') digits) then fail "no number";
  if String.length digits > 4300 then fail "a number of more than 4300 digits";
  String.fold_left (fun n c -> N.add (N.mul ten n) (n_of (Char.code c - 48))) N0 digits
let z_of_n minus = function N0 -> Z0 | Npos p -> if minus then Zneg p else Zpos p
let q_of_z z = { qnum = z; qden = XH }
let z_of i = if i = 0 then Z0 else if i > 0 then Zpos (positive i) else Zneg (positive (-i))
let naturals = let a = Array.make 4097 O in for i = 1 to 4096 do a.(i) <- S a.(i - 1) done; a
let nat i = if i <= 4096 then naturals.(i) else (let rec go k n = if k = 0 then n else go (k - 1) (S n) in go i O)
let map_of l = List.fold_left (fun m (k, v) -> PositiveMap.add (positive k) v m) PositiveMap.empty l

(* -- automata -------------------------------------------------------------------------------------------------------- *)

(* By state the transitions, with letters as lists of digits; states are counted from 0 here, from 1 in Coq. *)
type table = { rows : (int list * int) list array; outputs : int array }

let rec tree arity (rows : (int list * int) list) : row =
  if arity = 0 then match rows with [ (_, q) ] -> Arrive (positive (q + 1)) | _ -> Branch []
  else
    let firsts = List.sort_uniq compare (List.map (fun (l, _) -> List.hd l) rows) in
    Branch (List.map (fun d ->
        (nat d, tree (arity - 1) (List.filter_map (fun (l, q) -> if List.hd l = d then Some (List.tl l, q) else None) rows)))
        firsts)

let automaton arity t =
  map_of (List.init (Array.length t.rows) (fun i -> (i + 1, (z_of t.outputs.(i), tree arity t.rows.(i)))))

(* Transitions of one state, and letters; transitions of all states; characters in place of calls that compare integers. *)
let most_transitions = 1 lsl 20 and most_built = 1 lsl 24 and most_spoken = 1 lsl 22

let read_table line (sizes : int list) : table =
  let letters = List.fold_left (fun p d -> if p > most_transitions then p else p * d) 1 sizes in
  if letters > most_transitions then fail "an automaton has too many tracks";
  let outputs = Array.of_list (List.map (int_in (-(1 lsl 31)) (1 lsl 31)) (list (field line "outputs"))) in
  let states = Array.length outputs in
  let known = Hashtbl.create 64 in
  let letter code = match Hashtbl.find_opt known code with
    | Some l -> l
    | None ->
        let l = snd (List.fold_right (fun d (code, l) -> (code / d, (code mod d) :: l)) sizes (code, [])) in
        Hashtbl.add known code l; l in
  let row flat =
    let h = Hashtbl.create 8 in
    let rec add = function
      | code :: there :: more -> Hashtbl.replace h (int_in 0 (letters - 1) code) (int_in 0 (states - 1) there); add more
      | [] -> ()
      | _ -> fail "a row has a letter without a target" in
    add (list flat);
    List.sort compare (Hashtbl.fold (fun code there l -> (letter code, there) :: l) h []) in
  let rows = Array.of_list (List.map row (list (field line "rows"))) in
  if Array.length rows <> states || states = 0 || List.assoc_opt (List.map (fun _ -> 0) sizes) rows.(0) <> Some 0 then
    fail "an automaton needs an output for each state, and a loop of zeros at the first";
  { rows; outputs }

let step t q letter = if q < 0 then -1 else match List.assoc_opt letter t.rows.(q) with Some r -> r | None -> -1

(* -- what a certificate declares ------------------------------------------------------------------------------------- *)

type base = { size : int; words : table; pump : pump; mutable counts : n array list (* the longest words first *) }

(* A sequence: its system, what it is, its dimension, and the text of which its digest is made. *)
type terms = { over : string; terms : sequence; dimension : int; written : string }

(* The track of the beginnings of a sequence, and its system: no formula can name it. *)
let parameter_name = "~parameter"

(* A family: its sequences, 0 choices for slopes; the digits of a_i that come first, those after them, and how many there are. *)
type sequences = { choices : int; first_marks : int list; more_marks : int list; marks : int; mutable fails : (int list * int list) option }

(* Variables x, y, z of a system, the number of the claim that x is the next number after y, with its relation, and the
   claims that x is 0, that x is 1, and so on, the last one first: a certificate has them beside those of the file. *)
type chain = { vars : string * string * string; following : int * (table * string list); mutable known : (int * (table * string list)) list }

type reader = {
  mutable sequences : sequences option; (* what a file about a family is about *)
  mutable family_made : family_line list; (* the last one first *)
  claim_numbers : (int, int) Hashtbl.t; (* of the file, among those made *)
  mutable more_tables : (string list * table) list; (* that the file has not, the last one first *)
  chains : (string, chain) Hashtbl.t;
  mutable version : int; (* of the format, 0 before the header *)
  variables_of : (string, string) Hashtbl.t;
  bases : (string, base) Hashtbl.t;
  word_of : (string, string list * table) Hashtbl.t;
  predicate_of : (string, string list * table) Hashtbl.t;
  definition_of : (string, string list) Hashtbl.t;
  mutable tables : (string list * table) array;
  mutable table_count : int;
  identities : (string, int) Hashtbl.t;
  mutable said : (string * (unit -> string)) list; (* what is printed: of which kind, and the line; the last one first *)
  fibonacci : (string, unit) Hashtbl.t; (* systems that have the weights 1, 2, 3, 5, ... *)
  integers_of : (string, string * integers) Hashtbl.t; (* their numbers' system, and what is proved of them *)
  arguments : (string, string list) Hashtbl.t; (* systems, of integers too; of a word W by the name W[ *)
  comparisons : (string, string list * string * compared) Hashtbl.t; (* of integers: their parameters and texts *)
  meaning_of : (string, string) Hashtbl.t; (* of predicates and definitions *)
  spoken_room : int ref; (* for characters in place of calls that compare integers *)
  mutable facts_made : (positive * formula) list;
  mutable readings_made : (formula * formula) list; (* what is printed about integers, and what is so about numbers *)
  mutable defs : definition list;
  mutable recursions_made : definition list list; (* the last one first, as claims *)
  mutable solutions : string list; (* the equations of each recursion, as they are printed *)
  sequence_of : (string, terms) Hashtbl.t;
  used : (string, terms) Hashtbl.t; (* sequences of which equations have terms, and words, whose letters are terms *)
  counts_of : (string, string) Hashtbl.t; (* sequences, and what they count, as it is printed *)
  mutable counters_made : (counter * (positive * nat)) list; (* with their proofs *)
  determined : (string, string) Hashtbl.t; (* sequences, and the equations that determine them, as they are printed *)
  mutable given : string list; (* sequences that equations mention before anything determines them *)
  mutable determinations : string list; (* the last one first *)
  mutable equations_made : (positive list * equation list) list; (* the last one first *)
  mutable claims_made : line list;
  mutable claim_parts : (int * string list) list array; (* the relation, then the guards *)
  mutable claim_count : int;
  mutable statement_of : (formula * string) option;
}

(* One number for each name; kinds of names are apart. *)
let identity r kind name =
  let key = kind ^ ":" ^ name in
  match Hashtbl.find_opt r.identities key with
  | Some i -> i
  | None -> let i = Hashtbl.length r.identities + 1 in Hashtbl.add r.identities key i; i

let variable r x = positive (identity r "variable" x)
let predicate r p = positive (identity r "predicate" p)

let find h name = match Hashtbl.find_opt h name with Some v -> v | None -> fail ("there is no " ^ name)

(* The system of numbers, also of those that stand for integers. *)
let numbers_in r s = match Hashtbl.find_opt r.integers_of s with Some (over, _) -> over | None -> s
let is_integer r x = Hashtbl.mem r.integers_of (find r.variables_of x)

let system_of r x =
  if x = parameter_name && r.sequences <> None then parameter_name else
  let s = numbers_in r (find r.variables_of x) in if Hashtbl.mem r.bases s then s else fail (s ^ " is no system")

let fit r xs systems =
  if List.map (system_of r) xs <> systems then fail ("variables of other systems are needed: " ^ String.concat "," xs)

let is_letter c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c = '_'
let is_digit c = c >= '0' && c <= '9'
let is_word c = is_letter c || is_digit c

let new_name name known =
  if name <> "" && is_letter name.[0] && String.for_all is_word name && not (List.mem name ("true" :: "false" :: known)) then name
  else fail ("no name, or one that is taken: " ^ name)

let unless_known name tables = List.iter (fun known -> if known name then fail ("a name is taken: " ^ name)) tables; new_name name []

(* -- formulas -------------------------------------------------------------------------------------------------------- *)

(* A formula has a normal form, by Coq, unless a variable is bound in one conjunct and occurs in another. *)
let normal f = match norm f with Some form -> form | None -> fail "a variable is bound in one conjunct and occurs in another"

(* strict: variables for integers are told from those for numbers, as is necessary where a formula is printed. *)
let read_formula ?(strict = false) r (s : string) : formula =
  let told xs systems =
    if strict && List.map (find r.variables_of) xs <> systems then fail ("numbers in place of integers: " ^ String.concat "," xs) in
  let at = ref 0 and n = String.length s in
  let looking text = !at + String.length text <= n && String.sub s !at (String.length text) = text in
  let takes text = looking text && (at := !at + String.length text; true) in
  let needs text = if not (takes text) then fail ("a formula cannot be read: " ^ String.sub s !at (min 20 (n - !at))) in
  let scan ok = let from = !at in while !at < n && ok s.[!at] do incr at done; String.sub s from (!at - from) in
  let names text = let l = String.split_on_char ',' text in if distinct l then l else fail "a variable is bound twice" in
  let vars = List.map (variable r) in
  let rec formula () =
    if takes "~" then Not (formula ())
    else match quantifier () with
      | Some f -> f
      | None ->
          if takes "(" then begin
            let f = formula () in
            let connect = if takes " & " then (fun f g -> And (f, g)) else if takes " | " then (fun f g -> Or (f, g))
              else if takes " => " then (fun f g -> Implies (f, g)) else (needs " <=> "; fun f g -> Iff (f, g)) in
            let g = formula () in
            needs ")"; connect f g
          end
          else if takes "$" then begin
            let p = scan is_word in
            needs "(";
            let xs = if r.sequences <> None && looking ")" then [] else String.split_on_char ',' (scan (fun c -> is_word c || c = ',')) in
            needs ")";
            told xs (find r.arguments p);
            (match Hashtbl.find_opt r.predicate_of p with
             | Some (systems, _) -> fit r xs systems
             | None -> fit r xs (List.map (system_of r) (find r.definition_of p)));
            Call (predicate r p, vars xs)
          end
          else begin
            let start = !at in
            let w = scan is_word in
            if w <> "" && looking "[" then letter w
            else begin
              at := start;
              let left = scan (fun c -> is_word c || c = '+' || c = '*') in
              if left <> "" && (looking "<" || looking "=" || looking "!=") then comparison left
              else (at := start; if takes "true" then Truth true else (needs "false"; Truth false))
            end
          end
  and quantifier () =
    let start = !at in
    let counted = takes "(E>=" in
    let count = if counted then scan is_digit else "" in
    let every = not counted && looking "(A " in
    if (counted && count <> "" && takes " ") || (not counted && (takes "(E " || takes "(A ")) then begin
      let bound = scan (fun c -> is_word c || c = ',') in
      if bound <> "" && takes " " then begin
        let bound = names bound in
        let f = formula () in
        needs ")";
        List.iter (fun x -> ignore (system_of r x)) bound;
        let k = if counted then n_of_text count else Npos XH in
        Some (if every then All (vars bound, f)
              else match k with N0 -> ignore (normal f); Truth true | Npos XH -> Exists (vars bound, f) | k -> AtLeast (k, vars bound, f))
      end
      else (at := start; None)
    end
    else (at := start; None)
  and letter w =
    let index = scan (fun c -> is_word c || c = '[' || c = ']') in
    let inside = String.sub index 1 (String.length index - 2) in
    if index.[String.length index - 1] <> ']' then fail "a letter of a word cannot be read";
    let xs = List.map (fun x -> if String.contains x '[' || String.contains x ']' then fail "an index" else x)
        (let rec split text = match String.index_opt text ']' with
            | Some i when i + 1 < String.length text && text.[i + 1] = '[' ->
                String.sub text 0 i :: split (String.sub text (i + 2) (String.length text - i - 2))
            | _ -> [ text ] in split inside) in
    needs "=@";
    let minus = takes "-" in
    let value = n_of_text (scan is_digit) in
    told xs (find r.arguments (w ^ "["));
    fit r xs (fst (find r.word_of w));
    LetterAt (positive (identity r "word" w), vars xs, z_of_n minus value)
  and comparison left =
    let sign = if takes "<=" then AtMost else if takes "!=" then Different else if takes "<" then Less else (needs "="; Equal) in
    let right = scan (fun c -> is_word c || c = '+' || c = '*') in
    let used = ref [] in
    let sum text =
      let constant = ref N0 and terms = ref [] in
      List.iter (fun term ->
          match String.rindex_opt term '*' with
          | None when term <> "" && String.for_all is_digit term -> constant := N.add !constant (n_of_text term)
          | None -> used := term :: !used; terms := (Npos XH, term) :: !terms
          | Some i ->
              let x = String.sub term (i + 1) (String.length term - i - 1) in
              used := x :: !used; terms := (n_of_text (String.sub term 0 i), x) :: !terms)
        (String.split_on_char '+' text);
      { terms = List.map (fun (k, x) -> (k, variable r x)) !terms; constant = !constant } in
    let l = sum left in
    let r_side = sum right in
    if strict && List.exists (is_integer r) !used then
      (match List.rev !used with
       | [ x; y ] when x = left && y = right && x <> y && (sign = Equal || sign = Different) -> told [ y ] [ find r.variables_of x ]
       | _ -> fail "integers are compared, but not by a definition");
    (match List.rev !used with
     | [] -> ()
     | x :: _ as xs -> let s = system_of r x in fit r xs (List.map (fun _ -> s) xs));
    Compare (l, sign, r_side) in
  let f = formula () in
  if !at <> n then fail "a formula goes on";
  f

(* The text of a formula, read. *)
let formula_of ?strict r text = let f = read_formula ?strict r text in ignore (normal f); f

(* -- guesses --------------------------------------------------------------------------------------------------------- *)

(* Breadth first: a word from a state to one that is wanted, after some first letters. *)
let path t from wanted firsts =
  let came = Hashtbl.create 16 and todo = Queue.create () in
  List.iter (fun (d, q) -> if not (Hashtbl.mem came q) then (Hashtbl.add came q [ d ]; Queue.add q todo)) (firsts t.rows.(from));
  let found = ref None in
  while !found = None && not (Queue.is_empty todo) do
    let q = Queue.pop todo in
    let word = Hashtbl.find came q in
    if wanted q then found := Some (List.rev word, q)
    else List.iter (fun (l, q) -> if not (Hashtbl.mem came q) then (Hashtbl.add came q (List.hd l :: word); Queue.add q todo)) t.rows.(q)
  done;
  !found

let guess_pump words =
  let all row = List.map (fun (l, q) -> (List.hd l, q)) row in
  let states = List.init (Array.length words.rows) Fun.id in
  let accepted q = words.outputs.(q) <> 0 in
  let try_state q =
    match path words 0 (fun p -> p = q) (fun row -> List.filter (fun (d, _) -> d > 0) (all row)) with
    | None -> None
    | Some (u, _) -> (
        match path words q (fun p -> p = q) all with
        | None -> None
        | Some (v, _) ->
            let rest = if accepted q then Some [] else Option.map fst (path words q accepted all) in
            Option.map (fun z -> { start = List.map nat u; turn = List.map nat v; rest = List.map nat z }) rest) in
  match List.find_map try_state states with
  | Some p -> p
  | None -> fail "a system has not infinitely many numbers"

(* How many words of a length are accepted, by state: numbers of Coq, which do not wrap. *)
let counts base length =
  while List.length base.counts <= length do
    let last = List.hd base.counts in
    let next = Array.map (fun row -> List.fold_left (fun s (_, q) -> N.add s last.(q)) N0 row) base.words.rows in
    base.counts <- next :: base.counts
  done;
  List.nth base.counts (List.length base.counts - 1 - length)

let representation base number =
  let rec long length =
    if length * Array.length base.words.rows > 1 lsl 21 then fail "a number is too large"
    else if N.leb (counts base length).(0) number then long (length + 1)
    else length in
  let rec go state number length =
    if length = 0 then []
    else
      let c = counts base (length - 1) in
      let rec digit number = function
        | (l, q) :: more -> if N.leb c.(q) number then digit (N.sub number c.(q)) more else List.hd l :: go q number (length - 1)
        | [] -> fail "a number has no word" in
      digit number base.words.rows.(state) in
  go 0 number (long 0)

(* By lists of integers: the hash of OCaml looks at the first few only. *)
module Lists = Hashtbl.Make (struct
    type t = int list
    let rec equal (l : t) (m : t) = match l, m with a :: l, b :: m -> a = b && equal l m | [], [] -> true | _ -> false
    let hash l = List.fold_left (fun h a -> (h * 1000003 + a) land max_int) 0 l
  end)

(* A state q with n ways to it is the number q * most + n - 1, where n is at most `most`.  A sorted list has each state once. *)
let ways most w = w mod most + 1
let total most l = List.fold_left (fun n w -> n + ways most w) 0 l
let gathered most l =
  let rec go = function
    | v :: w :: more when v / most = w / most -> go ((v / most * most + min most (ways most v + ways most w) - 1) :: more)
    | w :: more -> w :: go more
    | [] -> [] in
  if most = 1 then List.sort_uniq Int.compare l else go (List.sort Int.compare l)

(* A function that takes states from a set: each of some if one of others is there.  Loses: lists of a state and these, by
   numbers in the order in which states are met, letter by letter. *)
let losing (t : table) loses =
  if loses = [] then Fun.id
  else begin
    let met = Hashtbl.create 64 and order = ref [] and todo = Queue.create () and others = Hashtbl.create 64 in
    let add q = if not (Hashtbl.mem met q) then (Hashtbl.add met q (); order := q :: !order; Queue.add q todo) in
    add 0;
    while not (Queue.is_empty todo) do List.iter (fun (_, q) -> add q) (List.sort compare t.rows.(Queue.pop todo)) done;
    let order = Array.of_list (List.rev !order) in
    let state q = if q < Array.length order then order.(q) else fail "there is no such state" in
    List.iter (function p :: qs -> Hashtbl.replace others (state p) (List.map state qs) | [] -> fail "no state is lost") loses;
    fun set ->
      let there = Hashtbl.create 64 in
      List.iter (fun q -> Hashtbl.replace there q ()) set;
      List.filter (fun p -> match Hashtbl.find_opt others p with
        | Some qs -> not (List.exists (Hashtbl.mem there) qs)
        | None -> true) set
  end

(* The states that a walk through the parts meets together, each with the number of ways to it, as far as `most`: an
   automaton, what its states stand for, and what comes along zeros before the first; `said` writes a state with its ways. *)
let guess_sets most said smaller (m : table) xs bound (parts : (table * string list) list) =
  let kept = List.filter (fun x -> not (List.mem x bound)) xs in
  let arity = List.length kept in
  let moves = Array.map (fun row ->
      let h = Lists.create 8 in
      List.iter (fun (l, q) ->
          let key = List.filter_map Fun.id (List.map2 (fun x d -> if List.mem x bound then None else Some d) xs l) in
          Lists.replace h key (q :: (try Lists.find h key with Not_found -> []))) row;
      h) m.rows in
  let after set key = gathered most (List.concat_map (fun w ->
      List.map (fun there -> there * most + ways most w - 1) (try Lists.find moves.(w / most) key with Not_found -> [])) set) in
  let zeros = List.map (fun _ -> 0) kept in
  let rec close along set = let next = after set zeros in if next = set then (List.rev along, set) else close (next :: along) next in
  let along, first = close [] [ 0 ] in
  let first = smaller first in
  let numbers = Lists.create 64 and sets = ref [ (0, first) ] and count = ref 1 in
  Lists.add numbers first 0;
  let rows : (int, int Lists.t) Hashtbl.t = Hashtbl.create 64 in
  let by_number = Hashtbl.create 64 in
  Hashtbl.add by_number 0 first;
  let next number key =
    let row = match Hashtbl.find_opt rows number with Some row -> row | None -> let row = Lists.create 8 in Hashtbl.add rows number row; row in
    match Lists.find_opt row key with
    | Some there -> there
    | None ->
        let set = smaller (after (Hashtbl.find by_number number) key) in
        let there =
          if set = [] && most = 1 then -1
          else match Lists.find_opt numbers set with
            | Some i -> i
            | None ->
                let i = !count in
                incr count;
                if i > 1 lsl 21 then raise (Too_large "checking it takes more memory than the limit");
                Lists.add numbers set i; Hashtbl.add by_number i set; sets := (i, set) :: !sets; i in
        Lists.add row key there; there in
  let slots = Hashtbl.create 16 in
  let slot x = match Hashtbl.find_opt slots x with Some i -> i | None -> let i = Hashtbl.length slots in Hashtbl.add slots x i; i in
  let parts = List.map (fun (t, names) -> (t, List.map slot names)) parts in
  let kept_slots = List.map slot kept in
  let width = Hashtbl.length slots in
  let seen = Lists.create 1024 and todo = Stack.create () in
  let add states number =
    let place = number :: states in
    if not (Lists.mem seen place) then (Lists.add seen place (); Stack.push (states, number) todo) in
  add (List.map (fun _ -> 0) parts) 0;
  let known = Array.make width (-1) in
  while not (Stack.is_empty todo) do
    let states, number = Stack.pop todo in
    let rec join parts states targets =
      match parts, states with
      | (t, places) :: parts, q :: states ->
          List.iter (fun (letter, there) ->
              let rec set places letter undo =
                match places, letter with
                | p :: places, d :: letter ->
                    if known.(p) = d then set places letter undo
                    else if known.(p) < 0 then (known.(p) <- d; set places letter (p :: undo))
                    else (undo, false)
                | _ -> (undo, true) in
              let undo, fits = set places letter [] in
              if fits then join parts states (there :: targets);
              List.iter (fun p -> known.(p) <- -1) undo) t.rows.(q)
      | _ ->
          let there = next number (List.map (fun p -> known.(p)) kept_slots) in
          if there >= 0 then add (List.rev targets) there in
    join parts states []
  done;
  let accepting set = total most (List.filter (fun w -> m.outputs.(w / most) <> 0) set) >= most in
  let row i = match Hashtbl.find_opt rows i with
    | Some row -> Lists.fold (fun key there l -> if there >= 0 then (key, there) :: l else l) row []
    | None -> [] in
  let over = map_of (List.map (fun (i, set) -> (i + 1, ((if accepting set then Zpos XH else Z0), tree arity (row i)))) !sets) in
  (over, map_of (List.map (fun (i, set) -> (i + 1, List.map said set)) !sets), List.map (List.map said) along)

(* -- relations that a file leaves out ---------------------------------------------------------------------------------- *)

(* They are built here, as fibcheck.py does, and then checked by Coq like those that a file has. *)

let look_up h key = match Hashtbl.find_opt h key with Some l -> l | None -> []

(* The fewest states that accept the same, of automata whose letters are integers; all states are reached from state 0. *)
let minimal (rows : (int * int) list array) (outputs : bool array) =
  let n = Array.length rows in
  let sources = Array.make n [] in
  Array.iteri (fun q row -> List.iter (fun (_, there) -> sources.(there) <- q :: sources.(there)) row) rows;
  let alive = Array.make n false and todo = Stack.create () in
  let add q = if not alive.(q) then (alive.(q) <- true; Stack.push q todo) in
  Array.iteri (fun q accepts -> if accepts then add q) outputs;
  while not (Stack.is_empty todo) do List.iter add sources.(Stack.pop todo) done;
  if not alive.(0) then ([| [ (0, 0) ] |], [| 0 |])
  else begin
    let rows = Array.map (fun row -> List.sort compare (List.filter (fun (_, there) -> alive.(there)) row)) rows in
    let kinds = Array.map (fun accepts -> if accepts then 1 else 0) outputs in
    let blocks : (int, (int, unit) Hashtbl.t) Hashtbl.t = Hashtbl.create 64 in
    let dirty : (int, (int, unit) Hashtbl.t) Hashtbl.t = Hashtbl.create 64 and waiting = Queue.create () in
    let block k = match Hashtbl.find_opt blocks k with Some b -> b | None -> let b = Hashtbl.create 4 in Hashtbl.add blocks k b; b in
    let mark q =
      let k = kinds.(q) in
      let d = match Hashtbl.find_opt dirty k with
        | Some d -> d
        | None -> let d = Hashtbl.create 4 in Hashtbl.add dirty k d; Queue.add k waiting; d in
      Hashtbl.replace d q () in
    let count = ref 2 in
    Array.iteri (fun q a -> if a then (Hashtbl.replace (block kinds.(q)) q (); mark q)) alive;
    while not (Queue.is_empty waiting) do
      let k = Queue.pop waiting in
      let looked = Hashtbl.find dirty k and own = block k in
      Hashtbl.remove dirty k;
      let told = Lists.create 8 in
      let tell q =
        let key = List.fold_left (fun key (l, there) -> kinds.(there) :: l :: key) [] rows.(q) in
        match Lists.find_opt told key with
        | Some group -> group := q :: !group
        | None -> Lists.add told key (ref [ q ]) in
      Hashtbl.iter (fun q () -> tell q) looked;
      (* One state stands for all those of the block that are not looked at. *)
      let other = if Hashtbl.length looked = Hashtbl.length own then None
        else (match Seq.filter (fun q -> not (Hashtbl.mem looked q)) (Hashtbl.to_seq_keys own) () with
            | Seq.Cons (q, _) -> Some q
            | Seq.Nil -> None) in
      let rest = match other with
        | None -> None
        | Some q ->
            let key = List.fold_left (fun key (l, there) -> kinds.(there) :: l :: key) [] rows.(q) in
            let with_it = match Lists.find_opt told key with Some group -> !group | None -> [] in
            Lists.remove told key;
            Some (Hashtbl.length own - Hashtbl.length looked + List.length with_it) in
      let groups = Lists.fold (fun _ group l -> (List.length !group, !group) :: l) told [] in
      let most = List.fold_left (fun m (size, _) -> max m size) 0 groups in
      let moved = match rest with
        | Some size when size >= most -> List.map snd groups
        | Some _ ->
            let kept = List.find (fun (size, _) -> size = most) groups in
            let rest = Hashtbl.copy own in
            List.iter (fun (_, group) -> List.iter (Hashtbl.remove rest) group) groups;
            List.of_seq (Hashtbl.to_seq_keys rest) :: List.filter_map (fun g -> if g == kept then None else Some (snd g)) groups
        | None ->
            let kept = List.find (fun (size, _) -> size = most) groups in
            List.filter_map (fun g -> if g == kept then None else Some (snd g)) groups in
      List.iter (fun group ->
          let k = !count in
          incr count;
          List.iter (fun q -> kinds.(q) <- k; Hashtbl.remove own q; Hashtbl.replace (block k) q ()) group) moved;
      List.iter (List.iter (fun q -> List.iter (fun p -> if alive.(p) then mark p) sources.(q))) moved
    done;
    let names = Hashtbl.create 64 and order = Queue.create () and found = ref [] and ends = ref [] in
    let number q = match Hashtbl.find_opt names kinds.(q) with
      | Some i -> i
      | None -> let i = Hashtbl.length names in Hashtbl.add names kinds.(q) i; Queue.add q order; i in
    ignore (number 0);
    while not (Queue.is_empty order) do
      let q = Queue.pop order in
      found := List.map (fun (l, there) -> (l, number there)) rows.(q) :: !found;
      ends := (if outputs.(q) then 1 else 0) :: !ends
    done;
    (Array.of_list (List.rev !found), Array.of_list (List.rev !ends))
  end

(* That all parts accept, and a condition on the acceptance of the others holds; the parts name all variables.  The tracks
   are in the order of their names; size: how many digits a variable has. *)
let joined size (parts : (table * string list) list) (others : (table * string list) list) holds : table * string list =
  let order = List.sort_uniq compare (List.concat_map snd parts) in
  if List.fold_left (fun p x -> if p > 1 lsl 40 then p else p * size x) 1 order > 1 lsl 40 then fail "an automaton has too many tracks";
  let rec bits d = if d <= 1 then 0 else 1 + bits ((d + 1) / 2) in
  let shifts = Hashtbl.create 8 in
  ignore (List.fold_left (fun shift x -> Hashtbl.add shifts x (shift, (1 lsl bits (size x)) - 1); shift + bits (size x)) 0 order);
  let mask xs = List.fold_left (fun m x -> let shift, digits = Hashtbl.find shifts x in m lor (digits lsl shift)) 0 xs in
  (* By state: the other digits and the target, by the digits that are known. *)
  let reader (t, xs) known =
    let rows = Hashtbl.create 64 in
    fun q -> match Hashtbl.find_opt rows q with
      | Some row -> row
      | None ->
          let row = Hashtbl.create 8 in
          let rec code xs letter found = match xs, letter with
            | x :: xs, d :: letter ->
                let shift, digits = Hashtbl.find shifts x in
                (* a name that comes twice has one digit *)
                (match List.assoc_opt x found with
                 | Some e when e <> d -> None
                 | Some _ -> code xs letter found
                 | None -> Option.map (fun c -> c lor ((d land digits) lsl shift)) (code xs letter ((x, d) :: found)))
            | _ -> Some 0 in
          if q >= 0 then
            List.iter (fun (letter, there) -> match code xs letter [] with
                | None -> ()
                | Some c -> Hashtbl.replace row (c land known) ((c land lnot known, there) :: look_up row (c land known))) t.rows.(q);
          Hashtbl.add rows q row; row in
  let _, readers = List.fold_left (fun (there, l) (t, xs) ->
      (xs @ there, (let known = mask (List.filter (fun x -> List.mem x there) xs) in (reader (t, xs) known, known)) :: l)) ([], []) parts in
  let readers = List.rev readers and after = List.map (fun (t, xs) -> let known = mask xs in (reader (t, xs) known, known)) others in
  let numbers = Lists.create 1024 and todo = Queue.create () and rows = ref [] and outputs = ref [] in
  let number states = match Lists.find_opt numbers states with
    | Some i -> i
    | None ->
        let i = Lists.length numbers in
        if i > 1 lsl 21 then raise (Too_large "checking it takes more memory than the limit");
        Lists.add numbers states i; Queue.add states todo; i in
  ignore (number (List.map (fun _ -> 0) (parts @ others)));
  let split states = let rec go k l = if k = 0 then ([], l) else match l with q :: l -> let a, b = go (k - 1) l in (q :: a, b) | [] -> ([], []) in
    go (List.length parts) states in
  let accepts (t, _) q = q >= 0 && t.outputs.(q) <> 0 in
  let built = ref 0 in
  while not (Queue.is_empty todo) do
    let own, more = split (Queue.pop todo) in
    outputs := (List.for_all2 accepts parts own && holds (List.map2 accepts others more)) :: !outputs;
    let next = ref [] and met = Array.make (List.length parts) 0 in
    let rec go readers own letter targets = match readers, own with
      | (reader, known) :: readers, q :: own ->
          let place = List.length readers in
          List.iter (fun (digits, there) ->
              met.(place) <- met.(place) + 1;
              if met.(place) > most_transitions then fail "an automaton has too many tracks";
              go readers own (letter lor digits) (there :: targets)) (look_up (reader q) (letter land known))
      | _ ->
          let beside = List.map2 (fun (reader, known) q -> match look_up (reader q) (letter land known) with (_, there) :: _ -> there | [] -> -1)
              after more in
          incr built;
          if !built > most_built then raise (Too_large "checking it takes more memory than the limit");
          next := (letter, number (List.rev_append targets beside)) :: !next in
    go readers own 0 [];
    rows := !next :: !rows
  done;
  let rows, outputs = minimal (Array.of_list (List.rev !rows)) (Array.of_list (List.rev !outputs)) in
  let letter code = List.map (fun x -> let shift, digits = Hashtbl.find shifts x in (code lsr shift) land digits) order in
  ({ rows = Array.map (fun row -> List.sort compare (List.map (fun (code, there) -> (letter code, there)) row)) rows; outputs }, order)

(* An automaton whose states are sets, from the first one and what is after a set; accepting: of sets. *)
let of_sets first after accepting : table =
  let numbers = Lists.create 64 and todo = Queue.create () and rows = ref [] and outputs = ref [] in
  let number set = match Lists.find_opt numbers set with
    | Some i -> i
    | None ->
        let i = Lists.length numbers in
        if i > 1 lsl 21 then raise (Too_large "checking it takes more memory than the limit");
        Lists.add numbers set i; Queue.add set todo; i in
  ignore (number first);
  while not (Queue.is_empty todo) do
    let set = Queue.pop todo in
    outputs := (if accepting set then 1 else 0) :: !outputs;
    rows := List.map (fun (letter, set) -> (letter, number set)) (after set) :: !rows
  done;
  { rows = Array.of_list (List.rev !rows); outputs = Array.of_list (List.rev !outputs) }

(* What is reached from a set, by letter; moves: of each state, by letter. *)
let after_set most moves set =
  let found = Lists.create 8 in
  List.iter (fun w -> Lists.iter (fun key targets ->
      let before = match Lists.find_opt found key with Some l -> l | None -> [] in
      Lists.replace found key (List.fold_left (fun l there -> (there * most + ways most w - 1) :: l) before targets)) moves.(w / most)) set;
  List.sort compare (Lists.fold (fun key states l -> (key, gathered most states) :: l) found [])

let moves_of (t : table) keep backward =
  let moves = Array.init (Array.length t.rows) (fun _ -> Lists.create 4) in
  Array.iteri (fun q row -> List.iter (fun (letter, there) ->
      let one, other = if backward then (there, q) else (q, there) in
      let key = keep letter in
      Lists.replace moves.(one) key (other :: (match Lists.find_opt moves.(one) key with Some l -> l | None -> []))) row) t.rows;
  moves

(* A relation without some tracks: that there are values for them, as many as `most`. *)
let projected size most (t : table) xs bound backward loses =
  let kept = List.filter (fun x -> not (List.mem x bound)) xs in
  let keep letter = List.filter_map Fun.id (List.map2 (fun x d -> if List.mem x bound then None else Some d) xs letter) in
  let zeros = List.map (fun _ -> 0) kept in
  let moves = moves_of t keep false in
  let rec close most set = let next = List.assoc zeros (after_set most moves set) in if next = set then set else close most next in
  let accepting q = t.outputs.(q) <> 0 in
  let found =
    if not backward then
      let smaller = losing t loses in
      of_sets (smaller (close most [ 0 ])) (fun set -> List.map (fun (key, next) -> (key, smaller next)) (after_set most moves set)) (fun set -> total most (List.filter (fun w -> accepting (w / most)) set) >= most)
    else begin
      let ends = close 1 [ 0 ] and all = List.init (Array.length t.rows) Fun.id in
      let read = of_sets (List.filter accepting all) (after_set 1 (moves_of t keep true)) (List.exists (fun q -> List.mem q ends)) in
      let states = List.init (Array.length read.rows) Fun.id in
      of_sets (List.filter (fun q -> read.outputs.(q) <> 0) states) (after_set 1 (moves_of read Fun.id true)) (List.mem 0)
    end in
  joined size [ (found, kept) ] [] (fun _ -> true)

(* Of sets of states from which the rest of a word is accepted, those that a proof needs, by the number of the set: one of
   `firsts` in each of the sets `wanted`; and where a letter leads from a set to another one (rows), for each state that is
   needed there, one of the first set to which the letter leads from it (forward). *)
let needed_states set_of rows forward firsts wanted =
  let sources = Hashtbl.create 64 and needed = Hashtbl.create 64 and todo = Stack.create () in
  Hashtbl.iter (fun i row ->
      Hashtbl.add needed i (Hashtbl.create 4);
      Lists.iter (fun key there -> Hashtbl.replace sources there ((i, key) :: look_up sources there)) row) rows;
  let need i candidates =
    let own = Hashtbl.find needed i in
    if not (List.exists (Hashtbl.mem own) candidates) then
      match List.find_opt (fun q -> List.exists (Int.equal q) candidates) (set_of i) with
      | Some q -> Hashtbl.add own q (); Stack.push (i, q) todo
      | None -> () in
  List.iter (fun i -> need i firsts) wanted;
  while not (Stack.is_empty todo) do
    let there, q = Stack.pop todo in
    List.iter (fun (i, key) -> Option.iter (need i) (Lists.find_opt forward.(q) key)) (look_up sources there)
  done;
  let listed own = Hashtbl.fold (fun q () l -> positive (q + 1) :: l) own [] in
  map_of (Hashtbl.fold (fun i own l -> (i + 1, listed own) :: l) needed [])

(* The same guess for words that are read from their end: sets of states from which the rest of a word is accepted, and, of
   each state of what the parts accept, the sets along what is accepted from there.  Coq compares each state of a set with
   those of the sets before it: only those states are handed over that are needed. *)
let guess_backward size variable (m : table) xs bound (parts : (table * string list) list) =
  let kept = List.filter (fun x -> not (List.mem x bound)) xs in
  let keep letter = List.filter_map Fun.id (List.map2 (fun x d -> if List.mem x bound then None else Some d) xs letter) in
  let zeros = List.map (fun _ -> 0) kept and forward = moves_of m keep false and moves = moves_of m keep true in
  let rec along n set = let next = List.assoc zeros (after_set 1 forward set) in if next = set then (n, set) else along (n + 1) next in
  let t, names = match parts with [ one ] -> one | parts -> joined size parts [] (fun _ -> true) in
  let sources = Array.make (Array.length t.rows) [] in
  Array.iteri (fun q row -> List.iter (fun (letter, there) ->
      let known = List.combine names letter in
      sources.(there) <- (List.map (fun x -> List.assoc x known) kept, q) :: sources.(there)) row) t.rows;
  let numbers = Lists.create 64 and by_number = Hashtbl.create 64 and rows : (int, int Lists.t) Hashtbl.t = Hashtbl.create 64 in
  let number set = match Lists.find_opt numbers set with
    | Some i -> i
    | None ->
        let i = Lists.length numbers in
        if i > 1 lsl 21 then raise (Too_large "checking it takes more memory than the limit");
        Lists.add numbers set i; Hashtbl.add by_number i set; Hashtbl.add rows i (Lists.create 8); i in
  let next i key =
    let row = Hashtbl.find rows i in
    match Lists.find_opt row key with
    | Some there -> there
    | None ->
        let reach q = match Lists.find_opt moves.(q) key with Some l -> l | None -> [] in
        let there = number (List.sort_uniq compare (List.concat_map reach (Hashtbl.find by_number i))) in
        Lists.add row key there; there in
  let pairs = Array.init (Array.length t.rows) (fun _ -> Hashtbl.create 4) and todo = Stack.create () in
  let add q i = if not (Hashtbl.mem pairs.(q) i) then (Hashtbl.add pairs.(q) i (); Stack.push (q, i) todo) in
  let accepting outputs = List.filter (fun q -> outputs.(q) <> 0) (List.init (Array.length outputs) Fun.id) in
  let first = number (accepting m.outputs) in
  List.iter (fun q -> add q first) (accepting t.outputs);
  while not (Stack.is_empty todo) do
    let q, i = Stack.pop todo in
    List.iter (fun (key, before) -> add before (next i key)) sources.(q)
  done;
  let zeros_first, firsts = along 0 [ 0 ] in
  let row i = tree (List.length kept) (Lists.fold (fun key there l -> (key, there) :: l) (Hashtbl.find rows i) []) in
  { within = { machine = automaton (List.length names) t; names = List.map variable names };
    from_end = map_of (Hashtbl.fold (fun i _ l -> (i + 1, (Z0, row i)) :: l) by_number []);
    states_of = needed_states (Hashtbl.find by_number) rows forward firsts (Hashtbl.fold (fun i () l -> i :: l) pairs.(0) []);
    pairs = map_of (List.init (Array.length pairs) (fun q -> (q + 1, map_of (Hashtbl.fold (fun i () l -> (i + 1, ()) :: l) pairs.(q) []))));
    steps_along = nat zeros_first }

(* Of each state of a relation, a basis of the rows that reach it, for the sums of products of an equation: each begins with
   1, and they are in the order of the places where they begin. *)
let guess_bases products (t : table) xs =
  let bases = Array.make (Array.length t.rows) [] in
  let place row = fst (List.hd row) in
  let todo = Stack.create () in
  let add q row = match reduce_row places_compare bases.(q) row with
    | [] -> ()
    | (_, first) :: _ as rest ->
        let rest = scale_row (qinv first) rest in
        let rec put = function
          | b :: more when places_compare (place b) (place rest) = Lt -> reduce_row places_compare [ rest ] b :: put more
          | more -> rest :: more in
        bases.(q) <- put bases.(q);
        Stack.push (q, row) todo in
  let steps = Hashtbl.create 16 in
  let step letter = match Hashtbl.find_opt steps letter with
    | Some step -> step
    | None ->
        let known = List.map2 (fun x d -> (x, nat d)) xs letter and rows = Hashtbl.create 64 in
        let step place = match Hashtbl.find_opt rows place with
          | Some row -> row
          | None -> let row = next_places products known place in Hashtbl.add rows place row; row in
        Hashtbl.add steps letter step; step in
  add 0 (starts O products);
  while not (Stack.is_empty todo) do
    let q, row = Stack.pop todo in
    List.iter (fun (letter, there) -> add there (row_times places_compare (step letter) row)) t.rows.(q)
  done;
  map_of (List.filter (fun (_, rows) -> rows <> []) (Array.to_list (Array.mapi (fun q rows -> (q + 1, rows)) bases)))

(* -- what names mean ------------------------------------------------------------------------------------------------- *)

(* As fibcheck.py has it, where it is explained: what is printed of automata, and what a file may say of them. *)
let shown_members = 60 and most_letters = 26 and most_digits = 64 and most_pairs = 1 lsl 12

let decimal n =
  let rec double carry = function
    | [] -> if carry = 0 then [] else [ carry ]
    | d :: more -> let e = 2 * d + carry in (e mod 1000000000) :: double (e / 1000000000) more in
  let rec digits = function XH -> [ 1 ] | XO p -> double 0 (digits p) | XI p -> double 1 (digits p) in
  match n with
  | N0 -> "0"
  | Npos p -> (match List.rev (digits p) with
      | first :: more -> String.concat "" (string_of_int first :: List.map (Printf.sprintf "%09d") more)
      | [] -> "0")

let mapping f list = String.concat "," (List.map f list)

let shown_integer = function Z0 -> "0" | Zpos p -> decimal (Npos p) | Zneg p -> "-" ^ decimal (Npos p)
let shown_rational q = if q.qden = XH then shown_integer q.qnum else shown_integer q.qnum ^ "/" ^ decimal (Npos q.qden)

(* SHA-256, of FIPS 180-4. *)
let sha256 text =
  let primes =
    let rec go n found = if List.length found = 64 then List.rev found
      else go (n + 1) (if List.exists (fun p -> n mod p = 0) found then found else n :: found) in
    go 2 [] in
  (* The first 32 bits of the fractional part of a root: the greatest x with x^power <= prime * 2^(32 power), by N. *)
  let fraction power prime =
    let rec pow n k = if k = 0 then n_of 1 else N.mul n (pow n (k - 1)) in
    let most = N.mul (n_of prime) (pow (n_of (1 lsl 32)) power) in
    let x = ref 0 in
    for bit = 37 downto 0 do
      if N.leb (pow (n_of (!x lor (1 lsl bit))) power) most then x := !x lor (1 lsl bit)
    done;
    !x land 0xffffffff in
  let k = Array.of_list (List.map (fraction 3) primes) in
  let h = Array.of_list (List.map (fraction 2) (List.filteri (fun i _ -> i < 8) primes)) in
  let length = String.length text in
  let padded = Bytes.make ((length + 72) / 64 * 64) '\000' in
  Bytes.blit_string text 0 padded 0 length;
  Bytes.set padded length '\x80';
  Bytes.set_int64_be padded (Bytes.length padded - 8) (Int64.of_int (8 * length));
  let turn x n = ((x lsr n) lor (x lsl (32 - n))) land 0xffffffff in
  let w = Array.make 64 0 in
  for block = 0 to Bytes.length padded / 64 - 1 do
    for i = 0 to 15 do w.(i) <- Int32.to_int (Bytes.get_int32_be padded (64 * block + 4 * i)) land 0xffffffff done;
    for i = 16 to 63 do
      let a = w.(i - 15) and b = w.(i - 2) in
      w.(i) <- (w.(i - 16) + (turn a 7 lxor turn a 18 lxor (a lsr 3)) + w.(i - 7)
                + (turn b 17 lxor turn b 19 lxor (b lsr 10))) land 0xffffffff
    done;
    let s = Array.copy h in
    for i = 0 to 63 do
      let e = s.(4) and a = s.(0) in
      let one = s.(7) + (turn e 6 lxor turn e 11 lxor turn e 25) + ((e land s.(5)) lxor (lnot e land s.(6))) + k.(i) + w.(i) in
      let two = (turn a 2 lxor turn a 13 lxor turn a 22) + ((a land s.(1)) lxor (a land s.(2)) lxor (s.(1) land s.(2))) in
      Array.blit s 0 s 1 7;
      s.(4) <- (s.(4) + one) land 0xffffffff;
      s.(0) <- (one + two) land 0xffffffff
    done;
    Array.iteri (fun i x -> h.(i) <- (h.(i) + x) land 0xffffffff) s
  done;
  String.concat "" (List.map (Printf.sprintf "%08x") (Array.to_list h))

let digest t =
  let letter l = String.concat "." (List.map string_of_int l) in
  let state q row = Printf.sprintf "%d:%s" t.outputs.(q) (String.concat ";" (List.map (fun (l, there) -> Printf.sprintf "%s>%d" (letter l) there) row)) in
  String.sub (sha256 (String.concat "\n" (Array.to_list (Array.mapi state t.rows)))) 0 32

let sum_of = List.fold_left N.add N0

(* The number that a word represents. *)
let place base word =
  let rec go q number = function
    | [] -> number
    | d :: more ->
        let c = counts base (List.length more) in
        let less = sum_of (List.filter_map (fun (l, there) -> if List.hd l < d then Some c.(there) else None) base.words.rows.(q)) in
        go (step base.words q [ d ]) (N.add number less) more in
  go 0 N0 word

(* That the words are the greedy representations of a recurrence; the terms of it. *)
let check_weights base first recurrence =
  let rows = base.words.rows in
  let reached = Hashtbl.create 16 and todo = Stack.create () in
  let reach q = if not (Hashtbl.mem reached q) then (Hashtbl.add reached q (); Stack.push q todo) in
  reach 0;
  while not (Stack.is_empty todo) do List.iter (fun (_, q) -> reach q) rows.(Stack.pop todo) done;
  let states = List.sort compare (Hashtbl.fold (fun q () l -> q :: l) reached []) in
  let most = Array.length rows * (Array.length rows + List.length first) and shown = max 6 (List.length first) in
  if most > 1 lsl 14 then fail "a system is too large for a recurrence";
  let first = List.map (fun c -> if c < 0 then raise (Invalid "a term is negative") else n_of c) first in
  let terms = ref [] (* the last one first *) in
  let term t =
    if t < List.length first then List.nth first t
    else
      let part sign = sum_of (List.mapi (fun i c -> if sign * c > 0 then N.mul (n_of (sign * c)) (List.nth !terms i) else N0) recurrence) in
      if N.leb (part (-1)) (part 1) then N.sub (part 1) (part (-1)) else raise (Invalid "a term is negative") in
  for length = 0 to max most shown - 1 do
    terms := term length :: !terms;
    let weight = List.hd !terms and c = counts base length in
    if c.(0) <> weight then raise (Invalid "a system has another number of words");
    List.iter (fun q ->
        ignore (List.fold_left (fun before (l, there) ->
            if c.(there) <> N0 && before <> N.mul (n_of (List.hd l)) weight then
              raise (Invalid "words do not have the values that their digits add up to");
            N.add before c.(there)) N0 rows.(q))) states
  done;
  let seen = Hashtbl.create 64 and todo = Stack.create () in
  let add p = if not (Hashtbl.mem seen p) then (Hashtbl.add seen p (); Stack.push p todo) in
  List.iter (fun q -> add (q, 0)) states;
  while not (Stack.is_empty todo) do
    let q, other = Stack.pop todo in
    if base.words.outputs.(q) <> 0 && (other < 0 || base.words.outputs.(other) = 0) then raise (Invalid "a representation is not greedy");
    List.iter (fun (l, there) -> add (there, step base.words other l)) rows.(q)
  done;
  let part i c =
    if c = 0 then None
    else Some (Printf.sprintf "%s %sU(t-%d)" (if c < 0 then "-" else "+") (if abs c = 1 then "" else string_of_int (abs c) ^ " ") (i + 1)) in
  let text = String.concat " " (List.filter_map Fun.id (List.mapi part recurrence)) in
  let text = if text = "" then "0" else if text.[0] = '+' then String.sub text 2 (String.length text - 2) else text in
  Printf.sprintf ", greedy for U = %s, ...: U(t) = %s from U(%d) on"
    (String.concat ", " (List.map decimal (List.filteri (fun i _ -> i < shown) (List.rev !terms)))) text (List.length first)

(* The text of a regular expression, and the places at which it reads a letter: letters, those that follow, the last. *)
type expression = { read_at : int list list array; follow : int list array; ends : int list; nothing : bool; text : string }

let read_expression tree digits =
  let letters = Hashtbl.create 64 and count = ref 1 and parts = ref 0 in
  let follow = Hashtbl.create 64 in
  let after p = try Hashtbl.find follow p with Not_found -> [] in
  let join l m = List.sort_uniq compare (l @ m) in
  let then_ last first = List.iter (fun p -> Hashtbl.replace follow p (join (after p) first)) last in
  let joined list = List.fold_left (fun (empty, first, last) (may, begins, ends) ->
      then_ last begins;
      (empty && may, (if empty then join first begins else first), if may then join last ends else ends)) (true, [], []) list in
  let place own =
    if !count >= 1 lsl 10 then fail "a regular expression is too long";
    let p = !count in
    Hashtbl.add letters p own; incr count; p in
  (* What is reached from a list, which grows. *)
  let reach start visit =
    let todo = Queue.of_seq (List.to_seq start) in
    while not (Queue.is_empty todo) do visit (fun one -> Queue.add one todo) (Queue.pop todo) done in
  (* The words of both: places are two places that read a common letter. *)
  let both (empty, first, last) (empty', first', last') =
    let places = Hashtbl.create 64 and known = Hashtbl.create 64 in
    let read = Hashtbl.create 64 in
    let read_at p = match Hashtbl.find_opt read p with
      | Some own -> own
      | None ->
          let own = Lists.create 8 in
          List.iter (fun l -> Lists.replace own l ()) (Hashtbl.find letters p);
          Hashtbl.add read p own; own in
    let common (a, b) =
      if not (Hashtbl.mem known (a, b)) then
        Hashtbl.add known (a, b) (List.filter (Lists.mem (read_at b)) (Hashtbl.find letters a));
      Hashtbl.find known (a, b) in
    let pairs add left right =
      let found = List.filter (fun p -> common p <> []) (List.concat_map (fun a -> List.map (fun b -> (a, b)) right) left) in
      let number p =
        if not (Hashtbl.mem places p) then (Hashtbl.add places p (place (common p)); add p);
        Hashtbl.find places p in
      List.sort_uniq compare (List.map number found) in
    let begun = ref [] in
    let first = pairs (fun p -> begun := p :: !begun) first first' in
    reach !begun (fun add (a, b) -> Hashtbl.replace follow (Hashtbl.find places (a, b)) (pairs add (after a) (after b)));
    let ends (a, b) p found = if List.mem a last && List.mem b last' then p :: found else found in
    (empty && empty', first, List.sort compare (Hashtbl.fold ends places [])) in
  (* All other words: places are the ways from one set of places to the next one, by the letters that lead there. *)
  let others (empty, first, last) =
    if List.fold_left (fun n most -> if n > 1 lsl 12 then n else n * most) 1 digits > 1 lsl 12 then
      fail "there are too many letters for the complement of an expression";
    let every = List.fold_right (fun most words -> List.concat_map (fun d -> List.map (fun w -> d :: w) words) (List.init most Fun.id))
        digits [ [] ] in
    let next = Hashtbl.create 64 and entered = ref [] in
    reach [ [ 0 ] ] (fun add set ->
      if not (Hashtbl.mem next set) then begin
        let ways = Hashtbl.create 64 in
        List.iter (fun p -> List.iter (fun l -> Hashtbl.replace ways l (p :: (try Hashtbl.find ways l with Not_found -> []))) (Hashtbl.find letters p))
          (if set = [ 0 ] then first else List.fold_left (fun l p -> join l (after p)) [] set);
        let reached = Hashtbl.create 64 in
        List.iter (fun l ->
          let to_ = List.sort compare (try Hashtbl.find ways l with Not_found -> []) in
          Hashtbl.replace reached to_ (l :: (try Hashtbl.find reached to_ with Not_found -> []))) every;
        let added = Hashtbl.fold (fun to_ read list -> let p = place read in entered := (p, to_) :: !entered; add to_; p :: list) reached [] in
        Hashtbl.add next set (List.sort compare added)
      end);
    List.iter (fun (p, to_) -> Hashtbl.replace follow p (Hashtbl.find next to_)) !entered;
    let ends = List.filter (fun (_, to_) -> not (List.exists (fun p -> List.mem p last) to_)) !entered in
    (not empty, Hashtbl.find next [ 0 ], List.sort compare (List.map fst ends)) in
  let ways (empty, first, last, _) = (empty, first, last) in
  let bracketed kinds tree (_, _, _, text) =
    match tree with List (Str kind :: _) when List.mem kind kinds -> "(" ^ text ^ ")" | _ -> text in
  let closed text =
    let n = String.length text in
    n = 1 || (n > 0 && (text.[0] = '(' || text.[0] = '[')
              && String.index_opt text (if text.[0] = '(' then ')' else ']') = Some (n - 1)) in
  let rec part depth tree =
    incr parts;
    if depth >= 90 || !parts >= 1 lsl 14 then fail "a regular expression is too long";
    match list tree with
    | Str "letters" :: (_ :: _ as rest) ->
        let letter v =
          let l = list v in
          if List.length l <> List.length digits then fail "a letter has another number of digits";
          List.map2 (fun most d -> int_in 0 (most - 1) d) digits l in
        let own = List.map letter rest in
        let p = place own in
        let plain = match digits with [ d ] -> d <= 10 | _ -> false in
        let texts = List.map (fun l -> if plain then string_of_int (List.hd l) else "[" ^ mapping string_of_int l ^ "]") own in
        (false, [ p ], [ p ], match texts with [ one ] -> one | _ -> "(" ^ String.concat "|" texts ^ ")")
    | [ Str "repeat"; body; least; most ] ->
        let least = int_in 0 (1 lsl 10) least and most = int_in (-1) (1 lsl 10) most in
        let number = if most = -1 then least + 1 else max (max least most) 1 in
        let found = List.map (fun _ -> part (depth + 1) body) (List.init number Fun.id) in
        (if most = -1 then let _, first, last, _ = List.nth found (number - 1) in then_ last first);
        if most <> -1 && most < max least 1 then fail "an expression is repeated too seldom";
        let empty, first, last = joined (List.mapi (fun i (empty, first, last, _) -> (empty || i >= least, first, last)) found) in
        let mark = match least, most with
          | 0, -1 -> "*" | 1, -1 -> "+" | 0, 1 -> "?"
          | _ -> Printf.sprintf "{%d,%s}" least (if most = -1 then "" else string_of_int most) in
        let _, _, _, text = List.hd found in
        (empty, first, last, (if closed text then text else "(" ^ text ^ ")") ^ mark)
    | Str "then" :: rest ->
        let found = List.map (part (depth + 1)) rest in
        let empty, first, last = joined (List.map ways found) in
        let text = String.concat "" (List.map2 (bracketed [ "or"; "and" ]) rest found) in
        (empty, first, last, if text = "" then "()" else text)
    | Str "and" :: (_ :: _ as rest) ->
        let found = List.map (part (depth + 1)) rest in
        let all = List.map ways found in
        let empty, first, last = List.fold_left both (List.hd all) (List.tl all) in
        (empty, first, last, String.concat "&" (List.map2 (bracketed [ "or" ]) rest found))
    | [ Str "not"; body ] ->
        let found = part (depth + 1) body in
        let empty, first, last = others (ways found) and _, _, _, text = found in
        (empty, first, last, "~" ^ if closed text then text else "(" ^ text ^ ")")
    | Str "or" :: (_ :: _ as rest) ->
        let found = List.map (part (depth + 1)) rest in
        let all f = List.fold_left join [] (List.map f found) in
        (List.exists (fun (e, _, _, _) -> e) found, all (fun (_, f, _, _) -> f), all (fun (_, _, l, _) -> l),
         String.concat "|" (List.map (fun (_, _, _, t) -> t) found))
    | _ -> fail "no regular expression" in
  if digits = [] then fail "a regular expression needs a track";
  let nothing, first, ends, text = part 0 tree in
  Hashtbl.replace follow 0 first;
  Hashtbl.add letters 0 [];
  { read_at = Array.init !count (Hashtbl.find letters); follow = Array.init !count after; ends; nothing; text }

(* That a predicate accepts the numbers of which a word, with any zeros in front, is one of the expression. *)
let check_expression (bases : base list) t e =
  let zeros = List.map (fun _ -> 0) bases in
  let after set letter =
    let next q = List.filter (fun p -> List.mem letter e.read_at.(p)) e.follow.(q) in
    List.sort_uniq compare ((if letter = zeros && List.mem 0 set then [ 0 ] else []) @ List.concat_map next set) in
  let rec close set = let next = after set zeros in if next = set then set else close next in
  let accepting set = List.exists (fun p -> if p = 0 then e.nothing else List.mem p e.ends) set in
  let seen = Hashtbl.create 64 and todo = Stack.create () in
  let add p = if not (Hashtbl.mem seen p) then (Hashtbl.add seen p (); Stack.push p todo) in
  add (List.map (fun _ -> 0) bases, 0, close [ 0 ]);
  while not (Stack.is_empty todo) do
    let states, q, set = Stack.pop todo in
    if List.for_all2 (fun b s -> b.words.outputs.(s) <> 0) bases states && accepting set <> (q >= 0 && t.outputs.(q) <> 0) then
      raise (Invalid "a predicate is not what its regular expression describes");
    let rec go bases states letter targets = match bases, states with
      | b :: bases, s :: states -> List.iter (fun (l, there) -> go bases states (List.hd l :: letter) (there :: targets)) b.words.rows.(s)
      | _ -> let letter = List.rev letter in add (List.rev targets, step t q letter, after set letter) in
    go bases states [] []
  done

(* The fixed point of a morphism that a word with one index is, "" unless there are few letters. *)
let morphism base t =
  let pairs = Hashtbl.create 64 and order = Queue.create () and images = ref [] and fine = ref true in
  let number p = match Hashtbl.find_opt pairs p with
    | Some i -> i
    | None -> let i = Hashtbl.length pairs in Hashtbl.add pairs p i; Queue.add p order; i in
  ignore (number (0, 0));
  let outputs = ref [] in
  while !fine && not (Queue.is_empty order) do
    let one, other = Queue.pop order in
    let row = base.words.rows.(one) in
    if row = [] || base.words.outputs.(one) = 0 || Hashtbl.length pairs > most_pairs then fine := false
    else begin
      outputs := t.outputs.(other) :: !outputs;
      images := List.map (fun (d, there) -> number (there, step t other d)) row :: !images
    end
  done;
  if not !fine then ""
  else begin
    let images = Array.of_list (List.rev !images) and outputs = Array.of_list (List.rev !outputs) in
    let kinds = ref (Array.copy outputs) and many = ref 0 in
    let different a = List.length (List.sort_uniq compare (Array.to_list a)) in
    while different !kinds > !many do
      many := different !kinds;
      let names = Hashtbl.create 64 in
      kinds := Array.mapi (fun i image ->
          let key = !kinds.(i) :: List.map (fun j -> !kinds.(j)) image in
          let key = String.concat " " (List.map string_of_int key) in
          match Hashtbl.find_opt names key with
          | Some n -> n
          | None -> let n = Hashtbl.length names in Hashtbl.add names key n; n) images
    done;
    if !many > most_letters then ""
    else begin
      let kinds = !kinds in
      let own k = let rec go i = if kinds.(i) = k then i else go (i + 1) in go 0 in
      let all = List.init !many Fun.id in
      let coded = List.map (fun k -> outputs.(own k)) all in
      let bare = List.length (List.sort_uniq compare coded) = !many in
      let texts = Array.of_list (List.map (fun k -> if bare then string_of_int outputs.(own k) else String.make 1 (Char.chr (97 + k))) all) in
      let between = if Array.for_all (fun s -> String.length s = 1) texts then "" else " " in
      let rule k = Printf.sprintf "%s -> %s" texts.(k) (String.concat between (List.map (fun j -> texts.(kinds.(j))) images.(own k))) in
      let said = Printf.sprintf "the fixed point of %s that begins with %s" (String.concat ", " (List.map rule all)) texts.(0) in
      if bare then said
      else begin
        let values = List.fold_left (fun l v -> if List.mem v l then l else l @ [ v ]) [] coded in
        let value v = Printf.sprintf "%d for %s" v
            (String.concat ", " (List.filter_map (fun k -> if outputs.(own k) = v then Some texts.(k) else None) all)) in
        said ^ ", with " ^ String.concat "; " (List.map value values)
      end
    end
  end

(* Coefficients of a power series modulo a prime power, R/Q by its two polynomials: fibcheck.py says how they are those of
   a word.  Exponents with their coefficients, other than 0.  steps: 1 for the variables whose exponent is n. *)
type series = { prime : int; height : int; modulus : int; above : (int list * int) list; under : (int list * int) list; steps : int list; meant : string }

module Terms = Map.Make (struct type t = int list let compare = compare end)
module Polynomials = Map.Make (struct type t = (int list * int) list * int let compare = compare end)
module Letters = Map.Make (struct type t = int array let compare = compare end)

let residue n modulus = let r = n mod modulus in if r < 0 then r + modulus else r

let add_term modulus at n terms =
  Terms.update at (fun old -> match residue (Option.value old ~default:0 + n) modulus with 0 -> None | n -> Some n) terms

(* The sum modulo q of the terms that are made of each of some; those that cancel each other count, too. *)
let sum_of_terms modulus make terms =
  let count = ref 0 in
  let add found (at, n) =
    Terms.update at (fun old ->
        if old = None then incr count;
        Some (residue (Option.value old ~default:0 + n) modulus)) found in
  let add_all found term =
    let found = List.fold_left add found (make term) in
    if !count > 1 lsl 18 then fail "a polynomial has too many terms";
    found in
  Terms.bindings (Terms.filter (fun _ n -> n <> 0) (List.fold_left add_all Terms.empty terms))

let series_times modulus one two =
  sum_of_terms modulus (fun (at, n) -> List.map (fun (other, m) -> (List.map2 ( + ) at other, n * m)) two) one

let rec series_power modulus q zero k =
  if k = 0 then [ (zero, 1) ]
  else
    let half = series_power modulus q zero (k / 2) in
    let square = series_times modulus half half in
    if k land 1 = 1 then series_times modulus square q else square

let series_text bracketed terms =
  let sum = List.fold_left ( + ) 0 in
  let key (at, _) = (sum at, List.map (fun e -> -e) at) in
  let term begun (at, n) =
    let name e = String.make 1 "xyzuvw".[e] in
    let named = List.concat (List.mapi (fun i e ->
        if e = 0 then [] else if e = 1 then [ name i ] else [ Printf.sprintf "%s^%d" (name i) e ]) at) in
    let number = if abs n <> 1 || named = [] then [ string_of_int (abs n) ] else [] in
    let sign = if begun then (if n < 0 then " - " else " + ") else if n < 0 then "-" else "" in
    sign ^ String.concat "*" (number @ named) in
  let sorted = List.sort (fun one two -> compare (key one) (key two)) terms in
  let text = String.concat "" (List.mapi (fun i one -> term (i > 0) one) sorted) in
  if bracketed && List.length terms > 1 then "(" ^ text ^ ")" else if text = "" then "0" else text

let read_polynomial count plain v =
  let term v = match list v with
    | n :: at -> (List.map (int_in (if plain then 0 else -256) 256) at, int_in (-10000000000000000) 10000000000000000 n)
    | [] -> fail "a term has no coefficient" in
  if List.length (list v) > 1 lsl 10 then fail "a polynomial has too many terms";
  let terms = List.map term (list v) in
  let longest = List.fold_left (fun m (at, _) -> max m (List.length at)) 0 terms in
  if !count = 0 then count := longest;
  if !count = 0 || !count > 6 || not (List.for_all (fun (at, _) -> List.length at = !count) terms) || not (distinct (List.map fst terms))
  then fail "a polynomial has terms of other variables, or two terms of one kind";
  List.filter (fun (_, n) -> n <> 0) terms

(* y with y(0) = first and P(x,y) = 0: the sum of what is positive at x = 0 is that of what is negative. *)
let algebraic prime modulus equation first =
  let rec power n k = if k = 0 then n_of 1 else N.mul n (power n (k - 1)) in
  let at_zero sign = List.fold_left (fun total (at, n) ->
      match at with
      | [ 0; y ] when (if first < 0 && y land 1 = 1 then -n else n) * sign > 0 -> N.add total (N.mul (n_of (abs n)) (power (n_of (abs first)) y))
      | _ -> total) N0 equation in
  let rec times_mod n k = if k = 0 then 1 mod modulus else residue (n * times_mod n (k - 1)) modulus in
  let next row = List.map2 (fun a b -> (a + b) mod modulus) (0 :: row) (row @ [ 0 ]) in
  let rec binomials y = if y = 0 then [ 1 ] else next (binomials (y - 1)) in
  let start = residue first modulus in
  let moved = List.fold_left (fun moved (at, n) ->
      let x, y = match at with [ x; y ] -> (x, y) | _ -> fail "an equation has two variables" in
      let n = residue n modulus in
      List.fold_left (fun moved (k, b) -> add_term modulus [ x; k ] (residue (n * b) modulus * times_mod start (y - k)) moved) moved
        (List.mapi (fun k b -> (k, b)) (binomials y))) Terms.empty equation in
  let unit = Option.value (Terms.find_opt [ 0; 1 ] moved) ~default:0 in
  if at_zero 1 <> at_zero (-1) || unit mod prime = 0 then raise (Invalid "an equation does not determine its power series");
  let moved = List.map (fun (at, n) -> (List.hd at, List.nth at 1, n)) (Terms.bindings moved) in
  let under = List.map (fun (x, y, n) -> ([ x; x + y - 1 ], n)) moved in
  let above = List.fold_left (fun found (at, n) -> add_term modulus at (start * n) found) Terms.empty under in
  let above = List.fold_left (fun found (x, y, n) -> add_term modulus [ x; x + y ] (y * n) found) above moved in
  (Terms.bindings above, under)

let read_series line =
  let prime = int_in 2 10000 (field line "prime") and exponent = int_in 1 14 (field line "exponent") in
  let rec power k = if k = 0 then 1 else if power (k - 1) > 10000 then 10001 else prime * power (k - 1) in
  let modulus = power exponent in
  if modulus > 10000 then fail "a modulus is too large";
  for other = 2 to prime - 1 do if prime mod other = 0 then fail "a modulus is no power of a prime" done;
  let count = ref 0 in
  let above, under, steps, meant =
    match List.assoc_opt "equation" line, List.assoc_opt "diagonal" line with
    | Some equation, _ ->
        let equation = read_polynomial count true equation in
        if !count <> 2 then fail "an equation has two variables";
        let first = int_in (-1000000000000) 1000000000000 (field line "first") in
        let above, under = algebraic prime modulus equation first in
        (above, under, [ 1; 1 ],
         Printf.sprintf "coefficients of the power series y with y(0) = %d and %s = 0" first (series_text false equation))
    | None, Some parts ->
        let above, under = match list parts with
          | [ above; under ] -> let above = read_polynomial count true above in (above, read_polynomial count true under)
          | _ -> fail "a rational function has two polynomials" in
        let place = String.concat "*" (List.init !count (fun i -> String.make 1 "xyzuvw".[i] ^ "^n")) in
        (above, under, List.init !count (fun _ -> 1),
         Printf.sprintf "coefficients of %s in %s/(%s)" place (series_text true above) (series_text false under))
    | None, None ->
        let base, factor = match list (field line "power") with
          | [ base; factor ] -> let base = read_polynomial count false base in (base, read_polynomial count false factor)
          | _ -> fail "a power has two polynomials" in
        let zero = List.init !count (fun _ -> 0) in
        let more = if factor = [ (zero, 1) ] then "" else "*" ^ series_text true factor in
        (List.map (fun (at, n) -> (0 :: at, n)) factor, (0 :: zero, 1) :: List.map (fun (at, n) -> (1 :: at, -n)) base, 1 :: zero,
         Printf.sprintf "constant terms of (%s)^n%s" (series_text false base) more) in
  let reduced terms = Terms.bindings (List.fold_left (fun found (at, n) -> add_term modulus at n found) Terms.empty terms) in
  let under = reduced under in
  if residue (Option.value (List.assoc_opt (List.map (fun _ -> 0) steps) under) ~default:0) prime = 0 then
    raise (Invalid "the denominator of a series has no constant that the prime does not divide");
  { prime; height = modulus / prime; modulus; above = reduced above; under; steps; meant }

(* That the letters of a word over base p are these coefficients: beside a polynomial, the letters of all states after the
   digits that have been read, the last one first. *)
let check_series t s =
  let zero = List.map (fun _ -> 0) s.steps in
  let unit = List.assoc zero s.under in
  let rec inverse i = if residue (i * unit) s.modulus = 1 then i else inverse (i + 1) in
  let inverse = inverse 1 in
  let rec power k = if k = 0 then 1 else residue (inverse * power (k - 1)) s.modulus in
  let unit = power s.height in
  let parts = Hashtbl.create 64 in
  let residues at = List.map (fun e -> residue e s.prime) at in
  List.iter (fun (at, n) -> Hashtbl.add parts (residues at) (at, n)) (series_power s.modulus s.under zero (s.height * (s.prime - 1)));
  let section terms digit =
    let wanted = List.map (fun step -> digit * step) s.steps in
    sum_of_terms s.modulus (fun (at, n) ->
        List.map (fun (other, m) ->
            let place = List.map2 ( - ) (List.map2 ( + ) at other) wanted in
            (List.map (fun e -> e / s.prime) place, n * m))
          (Hashtbl.find_all parts (residues (List.map2 ( - ) wanted at)))) terms in
  let letters = ref Letters.empty and by_place = Hashtbl.create 64 in
  let place l = match Letters.find_opt l !letters with
    | Some i -> i
    | None -> let i = Hashtbl.length by_place in letters := Letters.add l i !letters; Hashtbl.add by_place i l; i in
  let moves = Hashtbl.create 64 in
  let longer i digit = match Hashtbl.find_opt moves (i, digit) with
    | Some j -> j
    | None ->
        let l = Hashtbl.find by_place i in
        let j = place (Array.map (fun row -> match List.assoc_opt [ digit ] row with Some q -> l.(q) | None -> fail "a state has no letter") t.rows) in
        Hashtbl.add moves (i, digit) j; j in
  let seen = ref Polynomials.empty and todo = Queue.create () and count = ref 0 in
  let add key =
    if not (Polynomials.mem key !seen) then begin
      incr count;
      if !count > 1 lsl 16 then fail "a power series needs too many polynomials";
      seen := Polynomials.add key () !seen; Queue.push key todo
    end in
  add (series_times s.modulus s.above (series_power s.modulus s.under zero (s.height - 1)), place t.outputs);
  while not (Queue.is_empty todo) do
    let terms, i = Queue.pop todo in
    let constant = Option.value (List.assoc_opt zero terms) ~default:0 in
    if (Hashtbl.find by_place i).(0) <> residue (constant * unit) s.modulus then
      raise (Invalid ("the letters of a word are not the " ^ s.meant));
    for digit = 0 to s.prime - 1 do add (section terms digit, longer i digit) done
  done

(* Tuples of natural numbers, by their sums. *)
let diagonals length =
  let rec with_sum length total =
    if length < 2 then [ List.init length (fun _ -> total) ]
    else List.concat_map (fun first -> List.map (fun rest -> first :: rest) (with_sum (length - 1) (total - first)))
        (List.init (total + 1) Fun.id) in
  let rec go total found = if List.length found >= shown_members then found else go (total + 1) (found @ with_sum length total) in
  if length = 0 then [ [] ] else List.filteri (fun i _ -> i < shown_members) (go 0 [])

let letters_of_word (bases : base list) t series =
  let letter numbers =
    let words = List.map2 (fun b n -> representation b (n_of n)) bases numbers in
    let length = List.fold_left (fun m w -> max m (List.length w)) 0 words in
    let padded = List.map (fun w -> List.init (length - List.length w) (fun _ -> 0) @ w) words in
    let q = ref 0 in
    for i = 0 to length - 1 do q := step t !q (List.map (fun w -> List.nth w i) padded) done;
    string_of_int t.outputs.(!q) in
  let letters = List.map letter (diagonals (List.length bases)) in
  let between = if List.for_all (fun s -> String.length s = 1) letters then "" else " " in
  let said = match bases with
    | _ when series <> "" -> series
    | [ base ] -> (match morphism base t with "" -> "of no short morphism, digest " ^ digest t | said -> said)
    | _ -> "by diagonals, digest " ^ digest t in
  String.concat between letters ^ "..., " ^ said

exception Enough

let members (bases : base list) t =
  let rows = Hashtbl.create 64 and ends = Hashtbl.create 64 in
  let row states = match Hashtbl.find_opt rows states with
    | Some row -> row
    | None ->
        let after (letter, there) =
          let own = List.map2 (fun (b, s) d -> step b.words s [ d ]) (List.combine bases (List.tl states)) letter in
          if List.mem (-1) own then None else Some (letter, there :: own) in
        let row = List.filter_map after t.rows.(List.hd states) in
        Hashtbl.add rows states row; row in
  let rec ending states length = match Hashtbl.find_opt ends (length :: states) with
    | Some b -> b
    | None ->
        let b =
          if length > 0 then List.exists (fun (_, there) -> ending there (length - 1)) (row states)
          else t.outputs.(List.hd states) <> 0 && List.for_all2 (fun b s -> b.words.outputs.(s) <> 0) bases (List.tl states) in
        Hashtbl.replace ends (length :: states) b; b in
  let zero = List.map (fun _ -> 0) bases and begins = 0 :: List.map (fun _ -> 0) bases in
  let found = ref [] and many = ref 0 and stopped = ref false in
  let add word = found := word :: !found; incr many; if !many = shown_members then raise Enough in
  (try
     if bases <> [] then begin
       if ending begins 0 then add [ zero ];
       for length = 1 to most_digits - 1 do
         let rec go word states left =
           if left = 0 then add (List.rev word)
           else begin
             if Hashtbl.length ends > most_pairs * most_digits then (stopped := true; raise Enough);
             List.iter (fun (letter, there) -> if ending there (left - 1) then go (letter :: word) there (left - 1))
               (List.filter (fun (letter, _) -> word <> [] || letter <> zero) (row states))
           end in
         go [] begins length
       done
     end
   with Enough -> ());
  if !stopped then "its first members are not listed: there are too many states; digest " ^ digest t
  else begin
    let text letters = mapping Fun.id (List.mapi (fun i b -> decimal (place b (List.map (fun l -> List.nth l i) letters))) bases) in
    let texts = List.rev_map text !found in
    let texts = if List.length bases = 1 then texts else List.map (fun text -> "(" ^ text ^ ")") texts in
    let rest = if !many < shown_members then Printf.sprintf " and no other of fewer than %d digits" most_digits else ", ..." in
    (if texts = [] then "none" else String.concat ", " texts) ^ rest ^ "; digest " ^ digest t
  end

(* Whether P(x) <=> F says that no move leads from x to a y with P(y). *)
let is_game p f =
  let rec mentions = function
    | Pred (q, _) -> q = p
    | Block (_, parts) -> List.exists mentions parts
    | Neg f | Count (_, _, f) -> mentions f
    | Same (f, g) -> mentions f || mentions g
    | _ -> false in
  let moves = function
    | Neg (Block (bound, inner)) -> (match List.filter mentions inner with
        | [ Pred (_, xs) ] -> List.for_all (fun x -> List.mem x bound) xs
        | _ -> false)
    | _ -> false in
  match f with Block ([], parts) -> List.for_all moves parts | Block _ -> false | f -> moves f

(* The predicates that a formula calls, also by definitions. *)
let called r f =
  let rec names seen = function
    | Pred (p, _) when List.mem p seen -> seen
    | Pred (p, _) -> (match List.find_opt (fun d -> d.defined = p) r.defs with
        | Some d -> names (p :: seen) (normal d.body)
        | None -> p :: seen)
    | Block (_, parts) -> List.fold_left names seen parts
    | Neg f | Count (_, _, f) -> names seen f
    | Same (f, g) -> names (names seen f) g
    | _ -> seen in
  names [] f

(* -- integers -------------------------------------------------------------------------------------------------------- *)

(* What is said of this word W, by the name W[, or predicate, is about numbers. *)
let only_numbers r name =
  if List.exists (Hashtbl.mem r.integers_of) (find r.arguments name) then fail (name ^ " is about integers, and numbers are needed")

(* The numbers of a system are words over 0, ..., k-1, and those with digits d_i stand for the sums of d_i (-k)^i; or they
   are the greedy words for 1, 2, 3, 5, ..., and stand for integers in negaFibonacci. *)
let read_integers r line =
  let name = unless_known (str (field line "integers")) [ Hashtbl.mem r.bases; Hashtbl.mem r.integers_of ] in
  let over = str (field line "over") and by = str (field line "by") in
  let base = find r.bases over in
  let pairs = match List.assoc_opt "pairs" line with Some v -> strings v | None -> [] in
  let about p = Hashtbl.mem r.predicate_of p && find r.arguments p = [ over; over ] in
  if not (List.for_all about (by :: pairs)) then fail (by ^ ", or another predicate of integers, is not about two numbers of " ^ over);
  let xs = strings (field line "variables") in
  fit r xs (List.map (fun _ -> over) xs);
  let k = base.size in
  let z = match pairs, List.map (variable r) xs with
    | [], [ of_n; of_p; of_m; of_r ] ->
        if k < 2 || not (Array.for_all (fun o -> o <> 0) base.words.outputs && Array.for_all (fun row -> List.length row = k) base.words.rows) then
          fail ("not all words are numbers of " ^ over);
        let other text = variable r (name ^ " " ^ text) in (* no variable of the file: there are none of this name *)
        { written_in = NegativeBase (nat k); relates = predicate r by; at_even = predicate r by; at_odd = predicate r by;
          of_n; of_p; of_m; of_r; of_x = other "x"; of_y = other "y" }
    | [ even; odd ], [ of_n; of_p; of_m; of_r; of_x; of_y ] ->
        if not (Hashtbl.mem r.fibonacci over) then fail (over ^ " is not shown to have the weights 1, 2, 3, 5, ...");
        { written_in = NegaFibonacci; relates = predicate r by; at_even = predicate r even; at_odd = predicate r odd;
          of_n; of_p; of_m; of_r; of_x; of_y }
    | _ -> fail "integers need four variables, or six and two predicates" in
  let facts = integers_facts z in
  let of_ = List.map (int_in 0 (r.claim_count - 1)) (list (field line "of")) in
  if List.length of_ <> List.length facts then fail "integers have another number of claims";
  List.iter2 (fun i f -> r.facts_made <- (positive (i + 1), f) :: r.facts_made) of_ facts;
  Hashtbl.add r.integers_of name (over, z);
  let weighed word =
    let rec go place here before = function
      | [] -> 0
      | d :: word -> (if place land 1 = 0 then d * here else -d * here)
                     + (if pairs = [] then go (place + 1) (here * k) 0 word else go (place + 1) (here + before) here word) in
    go 0 1 0 (List.rev word) in
  Hashtbl.replace r.meaning_of by
    (if pairs = [] then Printf.sprintf "(n,p) with p the sum of d_i*%d^i for even i, d_i being the digits of n" k
     else "(n,p) with p = n + z for the integer z that n stands for");
  (fun () ->
    Printf.sprintf "integers %s: the numbers 0, 1, 2, ... of %s stand for %s, ..., each integer once: %s"
      name over (String.concat ", " (List.init 10 (fun n -> string_of_int (weighed (representation base (n_of n))))))
      (if pairs = [] then
         Printf.sprintf "n = d_0 + d_1*%d + ... + d_j*%d^j for d_0 - d_1*%d + ... + d_j*(-%d)^j, 2*p-n if $%s(n,p)" k k k k by
       else Printf.sprintf "n = d_0 + d_1*2 + d_2*3 + d_3*5 + ... for d_0 - d_1 + d_2*2 - d_3*3 + ..., p-n if $%s(n,p)" by))

(* What a comparison of sums of integers is: that of 2 p - n, or p - n, for each of them. *)
let comparison r name line parameters text =
  let s = match parameters with x :: _ -> find r.variables_of x | [] -> fail "a comparison without parameters" in
  let over, about = find r.integers_of s in
  let others = strings (field line "with") in
  fit r others (List.map (fun _ -> over) parameters);
  if List.exists (fun x -> find r.variables_of x <> s) parameters || List.exists (fun x -> List.mem x parameters) others then
    fail "a comparison has other variables";
  let ids = List.map (variable r) parameters in
  let pairs = List.combine ids (List.map (variable r) others) in
  match formula_of r text with
  | Compare (lower, (Less | AtMost | Equal as sign_of), upper) as f
    when List.sort compare (free (normal f)) = List.sort compare ids ->
      Hashtbl.replace r.comparisons name (parameters, text, { named = predicate r name; of_integers = about; with_even = pairs; lower; sign_of; upper });
      comparison_body (factor about) about.relates pairs lower sign_of upper
  | _ -> fail "this is no comparison of sums of integers"

(* The names of variables in a formula, each time they occur: words that are no names of words and predicates, nor letters. *)
let names_of text =
  let n = String.length text in
  let rec go i found =
    if i >= n then List.rev found
    else if not (is_word text.[i]) then go (i + 1) found
    else
      let rec stop j = if j < n && is_word text.[j] then stop (j + 1) else j in
      let j = stop i in
      let alone = (i = 0 || (text.[i - 1] <> '$' && text.[i - 1] <> '@')) && not (j < n && (text.[j] = '[' || text.[j] = '(')) in
      go j (if alone && is_letter text.[i] then String.sub text i (j - i) :: found else found) in
  go 0 []

(* A text with other names of variables. *)
let with_names names text =
  let b = Buffer.create 64 and n = String.length text in
  let rec go i =
    if i < n then begin
      let rec stop j = if j < n && is_word text.[j] then stop (j + 1) else j in
      let j = if is_word text.[i] then stop i else i + 1 in
      let part = String.sub text i (j - i) in
      Buffer.add_string b (match List.assoc_opt part names with Some other -> other | None -> part);
      go j
    end in
  go 0; Buffer.contents b

(* A formula, with what they say in place of calls of definitions that compare integers, if there is room. *)
let spoken ?(room = ref max_int) r text =
  let b = Buffer.create 256 and n = String.length text in
  let rec go i =
    if i < n then
      let next =
        if text.[i] <> '$' then None
        else match String.index_from_opt text i '(', String.index_from_opt text i ')' with
          | Some opened, Some closed ->
              (match Hashtbl.find_opt r.comparisons (String.sub text (i + 1) (opened - i - 1)) with
               | Some (parameters, said, _) ->
                   let names = List.combine parameters (String.split_on_char ',' (String.sub text (opened + 1) (closed - opened - 1))) in
                   room := List.fold_left (fun room x -> room - String.length (List.assoc x names)) (!room - String.length said) (names_of said);
                   if !room < 0 then fail "the comparisons of integers are too long where they are called";
                   Some (with_names names said, closed + 1)
               | None -> None)
          | _ -> None in
      match next with
      | Some (said, j) -> Buffer.add_string b said; go j
      | None -> Buffer.add_char b text.[i]; go (i + 1) in
  go 0; Buffer.contents b

(* What is printed of a formula is read again, and Coq compares it with the formula, if there are integers at all. *)
let note_reading r text f =
  if Hashtbl.length r.integers_of > 0 then
    r.readings_made <- (read_formula r (spoken ~room:r.spoken_room r text), f) :: r.readings_made

(* Which variables of a formula are integers, if any. *)
let sorts r text more =
  let once l =
    let seen = Hashtbl.create 16 in
    List.filter (fun x -> not (Hashtbl.mem seen x) && (Hashtbl.add seen x (); true)) l in
  let all = once (List.filter (fun x -> Hashtbl.mem r.variables_of x && is_integer r x) (more @ names_of text)) in
  String.concat "" (List.map (fun s ->
      let own = List.filter (fun x -> find r.variables_of x = s) all in
      Printf.sprintf "; %s: integers of %s" (String.concat ", " own) s) (once (List.map (find r.variables_of) all)))

(* What is said with these variables is about numbers; integers that a definition binds are said to be integers there. *)
let no_integers r text more =
  match sorts r text more with "" -> () | said -> fail ("numbers are needed, and these are integers: " ^ said)

(* What follows of a word W, by the name W[, or a predicate has numbers in place of integers. *)
let by_numbers r name =
  if List.exists (Hashtbl.mem r.integers_of) (find r.arguments name) then "by the numbers that stand for integers: " else ""

let read_floor r line =
  let name = str (field line "floor") and slope = int_in 1 (1 lsl 20) (field line "slope") in
  let systems = match Hashtbl.find_opt r.predicate_of name with
    | Some (systems, _) -> systems
    | None -> List.map (system_of r) (find r.definition_of name) in
  let variables = strings (field line "variables") in
  match systems, variables with
  | [ s; s' ], [ n; m; k; z ] when s = s' ->
      fit r variables [ s; s; s; s ];
      only_numbers r name;
      let p x y = Printf.sprintf "$%s(%s,%s)" name x y and more = Printf.sprintf "%s+%d*%s" z slope n in
      let wanted = [
        Printf.sprintf "(A %s (E %s %s))" n m (p n m);
        Printf.sprintf "(A %s (~%s=0 | %s))" n n (p n n);
        Printf.sprintf "(A %s,%s,%s,%s ((%s & %s) => ((%s<%s => %s<%s) & (%s=%s => %s=%s))))" n m k z (p n m) (p k z) n k m z n k m z;
        Printf.sprintf "(A %s (%s=0 | (E %s (~%s=0 & (%s | (E %s (%s & %s=%s)))))))" m m n n (p n m) z (p n z) m more;
        Printf.sprintf "(A %s,%s,%s,%s (((~%s=0 & ~%s=0) & (%s & %s)) => %s!=%s))" n m k z n k (p k m) (p n z) m more ] in
      let of_ = List.map (int_in 0 (r.claim_count - 1)) (list (field line "of")) in
      if List.length of_ <> 5 then fail "a floor needs five claims";
      List.iter2 (fun i text -> r.facts_made <- (positive (i + 1), formula_of r text) :: r.facts_made) of_ wanted;
      let alpha = if slope = 1 then "(1+sqrt(5))/2" else Printf.sprintf "(%d+sqrt(%d))/2" (2 - slope) (slope * slope + 4) in
      Hashtbl.replace r.meaning_of name (Printf.sprintf "(n,m) with m = floor(n*%s)" alpha)
  | _ -> fail "a floor is of one system"

(* -- sequences ------------------------------------------------------------------------------------------------------- *)

let most_dimension = 1 lsl 11
let most_bits = 14284 (* of a number that is printed: it has at most 4300 digits *)

let integer v =
  let minus text = text.[0] = '-' in
  let read text = z_of_n (minus text) (n_of_text (if minus text then String.sub text 1 (String.length text - 1) else text)) in
  let z = match v with Int i -> z_of i | Large text -> read text | _ -> fail "no integer" in
  let rec doublings n k = if k = 0 then n else doublings (N.add n n) (k - 1) in
  let size = match z with Z0 -> N0 | Zpos p | Zneg p -> Npos p in
  if N.leb size (doublings (n_of 1) 512) then z else fail "an integer is out of range"

let rational = function
  | List [ above; below ] -> (match integer below with
      | Zpos p -> qred { qnum = integer above; qden = p }
      | _ -> fail "no denominator")
  | v -> q_of_z (integer v)

let read_sequence r name line =
  let over = str (field line "over") in
  let base = find r.bases over in
  let initial = List.map rational (list (field line "row")) and final = List.map rational (list (field line "column")) in
  let size = List.length initial and matrices = List.map list (list (field line "matrices")) in
  if size <> List.length final || size > most_dimension || List.length matrices <> base.size then
    fail (name ^ " needs a row and a column of one length, and a matrix for each digit");
  let row flat =
    let h = Hashtbl.create 8 in
    let rec read = function
      | place :: q :: more -> Hashtbl.replace h (int_in 0 (size - 1) place) (rational q); read more
      | [] -> ()
      | _ -> fail "a row has a place without an entry" in
    read (list flat);
    List.sort (fun (i, _) (j, _) -> Int.compare i j) (Hashtbl.fold (fun i q l -> (i, q) :: l) h []) in
  let matrices = List.map (List.map row) matrices in
  if List.exists (fun m -> List.length m <> size) matrices then fail ("a matrix of " ^ name ^ " has another number of rows");
  (* Zeros are not written in Coq. *)
  let entries row = List.filter_map (fun (i, q) -> if q.qnum = Z0 then None else Some (positive (i + 1), q)) row in
  let numbered l = List.mapi (fun i v -> (i, v)) l in
  let terms = Linear {
    initial = entries (numbered initial);
    matrices = List.map (fun m -> map_of (List.mapi (fun i row -> (i + 1, entries row)) m)) matrices;
    final = map_of (List.map (fun (i, q) -> (i + 1, q)) (numbered final)) } in
  if not (zeros_good terms) then raise (Invalid ("zeros in front of a number change the term of " ^ name));
  let items f l = "[" ^ String.concat ", " (List.map f l) ^ "]" in
  let number q = if q.qden = XH then shown_integer q.qnum
    else Printf.sprintf "Fraction(%s, %s)" (shown_integer q.qnum) (decimal (Npos q.qden)) in
  let pairs = items (fun (i, q) -> Printf.sprintf "(%d, %s)" i (number q)) in
  let written = Printf.sprintf "[%s, %s, %s]" (items number initial) (items number final) (items (items pairs) matrices) in
  Hashtbl.add r.sequence_of name { over; terms; dimension = size; written }

(* A sequence that counts: the places are the states from which a word is accepted. *)
let read_count r name line =
  let over = str (field line "over") and text = str (field line "counts") in
  let index = str (field line "index") and bound = strings (field line "bound") in
  let number = int_in 0 (r.claim_count - 1) (field line "claim") in
  let base = find r.bases over in
  fit r [ index ] [ over ];
  no_integers r text (index :: bound);
  let formula_counted = formula_of ~strict:true r text in
  let i, xs = List.hd r.claim_parts.(number) in
  let inside l = List.for_all (fun x -> List.mem x l) in
  if bound = [] || List.mem index bound || not (inside xs bound && inside (index :: bound) xs) then
    raise (Invalid (name ^ " counts variables of which nothing is claimed, or its formula has others"));
  let t = snd r.tables.(i) in
  let size = Array.length t.rows in
  let sources = Array.make size [] and live = Array.make size false and todo = Stack.create () in
  Array.iteri (fun q row -> List.iter (fun (_, there) -> sources.(there) <- q :: sources.(there)) row) t.rows;
  let reach q = if not live.(q) then (live.(q) <- true; Stack.push q todo) in
  Array.iteri (fun q output -> if output <> 0 then reach q) t.outputs;
  while not (Stack.is_empty todo) do List.iter reach sources.(Stack.pop todo) done;
  let places = List.filter (fun q -> live.(q)) (List.init size Fun.id) in
  let dimension = List.length places in
  if dimension > most_dimension then fail (name ^ " has too many states");
  let entries here q =
    let counts = Hashtbl.create 8 in
    List.iter (fun (letter, there) ->
        if live.(there) && here letter then
          Hashtbl.replace counts there (1 + Option.value (Hashtbl.find_opt counts there) ~default:0)) t.rows.(q);
    let row = List.sort compare (Hashtbl.fold (fun there n l -> (there, n) :: l) counts []) in
    List.map (fun (there, n) -> (positive (there + 1), q_of_z (z_of n))) row in
  let matrix here = map_of (List.map (fun q -> (q + 1, entries here q)) places) in
  (* All digits have one matrix where the index does not occur. *)
  let matrices =
    if List.mem index xs then List.init base.size (fun digit -> matrix (List.for_all2 (fun x d -> x <> index || d = digit) xs))
    else let one = matrix (fun _ -> true) in List.init base.size (fun _ -> one) in
  let final = map_of (List.map (fun q -> (q + 1, q_of_z (z_of (if t.outputs.(q) <> 0 then 1 else 0)))) places) in
  let with_row initial = Linear { initial; matrices; final } in
  let first = [ (XH, q_of_z (z_of 1)) ] in
  let rec settled zeros row =
    if zeros > dimension then raise (Invalid ("some number that " ^ name ^ " counts is infinite"));
    let longer = row_times Coq_Pos.compare (next_row (with_row first) (nat 0)) row in
    if longer = row then (zeros, row) else settled (zeros + 1) longer in
  let zeros, row = if live.(0) then settled 0 first else (0, []) in
  let terms = { over; terms = with_row row; dimension = max 1 dimension; written = "" } in
  Hashtbl.add r.sequence_of name terms;
  Hashtbl.replace r.used name terms;
  let counter = { counted_by = positive (identity r "sequence" name); index_of = variable r index;
                  variables_counted = List.map (variable r) bound; formula_counted } in
  r.counters_made <- (counter, (positive (number + 1), nat zeros)) :: r.counters_made;
  let said = match bound with [ x ] -> x | _ -> "(" ^ String.concat "," bound ^ ")" in
  Hashtbl.replace r.counts_of name (Printf.sprintf "%s(%s) is the number of %s with %s" name index said text)

let shown_sequence r name =
  let { over; terms; dimension; written } = find r.sequence_of name in
  let term n =
    let word = representation (find r.bases over) (n_of n) in
    let row = List.fold_left (fun row d -> row_times Coq_Pos.compare (next_row terms (nat d)) row) (first_row terms) word in
    let q = qred (times_column row (last_entry terms)) in
    let rec bits n = function XH -> n | XO p | XI p -> bits (n + 1) p in
    let numerator = match q.qnum with Z0 -> XH | Zpos p | Zneg p -> p in
    if bits 1 numerator > most_bits || bits 1 q.qden > most_bits then fail ("a term of " ^ name ^ " has too many digits");
    shown_rational q in
  let first = String.concat ", " (List.init 16 term) in
  match Hashtbl.find_opt r.counts_of name with
  | Some said -> Printf.sprintf "sequence %s: %s: %s, ...; over %s" name said first over
  | None ->
      let own = if Hashtbl.mem r.determined name then "" else ", digest " ^ String.sub (sha256 written) 0 32 in
      Printf.sprintf "sequence %s: %s, ...; of dimension %d, over %s%s" name first dimension over own

(* The terms of a sequence, or the letters of a word, at a variable. *)
let factor r name x =
  let of_ = match Hashtbl.find_opt r.sequence_of name with
    | Some s -> s
    | None -> (match find r.word_of name with
        | [ over ], t -> only_numbers r (name ^ "["); { over; terms = Letters (automaton 1 t); dimension = Array.length t.rows; written = "" }
        | _ -> fail (name ^ " has more than one index")) in
  fit r [ x ] [ of_.over ];
  of_

(* -- lines ----------------------------------------------------------------------------------------------------------- *)

let size_of_system r s = match r.sequences with
  | Some q when s = parameter_name -> q.marks
  | _ -> (find r.bases s).size
let beside r = if r.sequences = None then [] else [ parameter_name ]

(* The systems of tracks, and the automaton. *)
let tracks_and_table r line =
  let systems = List.map (fun s -> numbers_in r (str s)) (list (field line "systems")) in
  (systems, read_table line (List.map (size_of_system r) systems))

(* The same of a word or a predicate, of which the sequence is the last track, and is left out. *)
let machine r line =
  let systems, t = tracks_and_table r line in
  if r.sequences = None then (systems, t)
  else match List.rev systems with
    | last :: others when last = parameter_name && not (List.mem parameter_name others) -> (List.rev others, t)
    | _ -> fail ("the last track, and no other, is " ^ parameter_name)

let relation r v =
  match list v with
  | number :: tracks :: _ ->
      let i = int_in 0 (r.table_count - 1) number in
      let xs = strings tracks in
      fit r xs (fst r.tables.(i));
      (i, xs)
  | _ -> fail "no relation"

let part_of r (i, xs) = Ref (positive (i + 1), List.map (variable r) xs)
let push array count v = (* with room for more *)
  let a = if count < Array.length array then array else Array.append array (Array.make (count + 16) v) in
  a.(count) <- v; a

let total r name systems (t : table) =
  (* every index has a letter *)
  let words = List.map (fun s -> (find r.bases s).words) systems in
  let seen = Hashtbl.create 64 and todo = Stack.create () in
  let add p = if not (Hashtbl.mem seen p) then (Hashtbl.add seen p (); Stack.push p todo) in
  add (List.map (fun _ -> 0) words, 0);
  while not (Stack.is_empty todo) do
    let states, q = Stack.pop todo in
    if q < 0 && List.for_all2 (fun w s -> w.outputs.(s) <> 0) words states then fail (name ^ " has no letter at some index");
    let rec go words states letter targets = match words, states with
      | w :: words, s :: states -> List.iter (fun (l, there) -> go words states (List.hd l :: letter) (there :: targets)) w.rows.(s)
      | _ -> add (List.rev targets, step t q (List.rev letter)) in
    go words states [] []
  done

let begun q =
  let to_ i = List.map (fun d -> ([ d ], i)) in
  { rows = [| List.sort compare (([ 0 ], 0) :: to_ 1 q.first_marks); List.sort compare (to_ 1 (q.first_marks @ q.more_marks)) |]; outputs = [| 0; 1 |] }

let id_map r kind h f = map_of (Hashtbl.fold (fun name v l -> (identity r kind name, f v) :: l) h [])
let table_in_coq r (systems, t) = (List.map (fun s -> positive (identity r "system" s)) systems, automaton (List.length systems) t)
let named_table_in_coq r (systems, t) = (List.map (fun s -> positive (identity r "system" s)) systems, automaton (List.length (systems @ beside r)) t)

let declarations_of r = {
  systems = id_map r "system" r.bases (fun b -> { digits = nat b.size; numbers = automaton (List.length ("" :: beside r)) b.words });
  variables = id_map r "variable" r.variables_of (fun s -> positive (identity r "system" (numbers_in r s)));
  word_automata = id_map r "word" r.word_of (named_table_in_coq r);
  predicates = id_map r "predicate" r.predicate_of (named_table_in_coq r);
  definitions = r.defs;
  recursions = List.rev r.recursions_made;
  sequences = id_map r "sequence" r.used (fun t -> (positive (identity r "system" t.over), t.terms));
  counters = List.map fst r.counters_made;
  equations = List.rev r.equations_made }

let certificate_of r statement : certificate =
  { declared = declarations_of r;
    pumps = id_map r "system" r.bases (fun b -> b.pump);
    table = map_of (List.init r.table_count (fun i -> (i + 1, table_in_coq r r.tables.(i))));
    patience = nat 32;
    lines = List.rev r.claims_made;
    facts = List.rev r.facts_made;
    counter_proofs = List.map snd r.counters_made;
    integer_variables = map_of (Hashtbl.fold (fun x s l -> match Hashtbl.find_opt r.integers_of s with
      | Some (_, z) -> (identity r "variable" x, z.written_in) :: l
      | None -> l) r.variables_of []);
    integer_comparisons = Hashtbl.fold (fun _ (_, _, c) l -> c :: l) r.comparisons [];
    readings = r.readings_made;
    statement }

(* A table with its variables gets the next number. *)
let add_table r ((t : table), xs) =
  r.tables <- push r.tables r.table_count (List.map (system_of r) xs, t);
  r.table_count <- r.table_count + 1;
  (r.table_count - 1, xs)

let size_of_variable r x = size_of_system r (system_of r x)
let numbers_of r = List.map (fun x -> match r.sequences with
  | Some q when x = parameter_name -> (begun q, [ x ])
  | _ -> ((find r.bases (system_of r x)).words, x :: beside r))
let table_of r (i, xs) = (snd r.tables.(i), xs)
let is_true = function Null | Bool false | Int 0 | Str "" | List [] | Obj [] -> false | _ -> true
let is_backward line = match List.assoc_opt "backward" line with None -> false | Some v -> is_true v
let losses line = match List.assoc_opt "loses" line with
  | None -> []
  | Some v -> List.map (fun one -> List.map (int_in 0 (1 lsl 21)) (list one)) (list v)
let count_of line = match List.assoc_opt "count" line with None -> 1 | Some v -> int_in 1 (1 lsl 31) v

let name_of_variable r x = Hashtbl.fold (fun name _ found -> if variable r name = x then name else found) r.variables_of ""

(* -- families ---------------------------------------------------------------------------------------------------------- *)

let is_beside_zeros xs marks letter = List.for_all2 (fun x d -> if x = parameter_name then List.mem d marks else d = 0) xs letter
let mark_of xs letter = List.assoc parameter_name (List.combine xs letter)
let zero_letter xs mark = List.map (fun x -> if x = parameter_name then mark else 0) xs

(* Where a state leads, -1 for nowhere. *)
let goes (t : table) =
  let rows = Array.map (fun row -> let h = Lists.create 8 in List.iter (fun (l, there) -> Lists.replace h l there) row; h) t.rows in
  fun q letter -> if q < 0 then -1 else match Lists.find_opt rows.(q) letter with Some there -> there | None -> -1

(* The states after one number of the sequence, beside zeros. *)
let after_number q (t, xs) =
  let go = goes t and found = Hashtbl.create 16 in
  let rec add p =
    if not (Hashtbl.mem found p) then begin
      Hashtbl.add found p ();
      if p >= 0 then List.iter (fun mark -> add (go p (zero_letter xs mark))) q.more_marks
    end in
  List.iter (fun mark -> add (go 0 (zero_letter xs mark))) q.first_marks;
  List.sort compare (Hashtbl.fold (fun p () l -> p :: l) found [])

(* Whether a relation accepts what it accepts also with one more number of the sequence in front, beside zeros. *)
let stays q ((t, xs) as relation) =
  let go = goes t and seen = Hashtbl.create 64 and todo = Stack.create () in
  let add pair = if not (Hashtbl.mem seen pair) then (Hashtbl.add seen pair (); Stack.push pair todo) in
  let ends = after_number q relation in
  List.iter (fun (letter, there) -> if List.mem (mark_of xs letter) q.first_marks then
    List.iter (fun p -> add (there, go p letter)) ends) t.rows.(0);
  let fine = ref true in
  while !fine && not (Stack.is_empty todo) do
    let one, other = Stack.pop todo in
    if t.outputs.(one) <> 0 && (other < 0 || t.outputs.(other) = 0) then fine := false;
    List.iter (fun (letter, there) -> add (there, go other letter)) t.rows.(one)
  done;
  !fine

(* For each state an integer, the same for those that lead to each other, less for those that others lead to. *)
let components (edges : int list array) =
  let n = Array.length edges in
  let index = Array.make n (-1) and low = Array.make n 0 and found = Array.make n (-1) in
  let stack = Stack.create () and count = ref 0 and number = ref 0 in
  let rec visit v =
    index.(v) <- !count; low.(v) <- !count; incr count; Stack.push v stack;
    List.iter (fun w ->
        if index.(w) < 0 then (visit w; low.(v) <- min low.(v) low.(w))
        else if found.(w) < 0 then low.(v) <- min low.(v) index.(w)) edges.(v);
    if low.(v) = index.(v) then begin
      let rec pop () = let w = Stack.pop stack in found.(w) <- !number; if w <> v then pop () in
      pop (); incr number
    end in
  Array.iteri (fun v _ -> if index.(v) < 0 then visit v) edges;
  found

(* An automaton that reads words of another one from their end: what its states stand for, and its rows. *)
let read_back (t : table) =
  let moves = moves_of t Fun.id true and numbers = Lists.create 64 and todo = Queue.create () and sets = ref [] and rows = ref [] in
  let number set = match Lists.find_opt numbers set with
    | Some i -> i
    | None ->
        let i = Lists.length numbers in
        if i > 1 lsl 21 then raise (Too_large "checking it takes more memory than the limit");
        Lists.add numbers set i; Queue.add set todo; sets := set :: !sets; i in
  ignore (number (List.filter (fun p -> t.outputs.(p) <> 0) (List.init (Array.length t.rows) Fun.id)));
  while not (Queue.is_empty todo) do
    rows := List.map (fun (letter, set) -> (letter, number set)) (after_set 1 moves (Queue.pop todo)) :: !rows
  done;
  (Array.of_list (List.rev !sets), Array.of_list (List.rev !rows))

(* The component of each state of such an automaton beside zeros, its transitions there, and where a number of the sequence
   may end again and again.  Always: without the states after it that do not accept. *)
let ends_again ?(always = false) q xs (sets, rows) =
  let accepts = Array.map (List.mem 0) sets in
  let edges = Array.map (List.filter_map (fun (letter, there) ->
      if not (is_beside_zeros xs (q.first_marks @ q.more_marks) letter) then None
      else let is_end = List.mem (mark_of xs letter) q.first_marks in
        if always && is_end && not accepts.(there) then None else Some (is_end, there))) rows in
  let parts = components (Array.map (List.map snd) edges) in
  let ends = List.concat (Array.to_list (Array.mapi (fun i row -> List.filter_map (fun (is_end, there) ->
      if is_end && parts.(i) = parts.(there) then Some (parts.(i), accepts.(there)) else None) row) edges)) in
  (parts, edges, ends)

(* Whether a relation accepts again and again with longer beginnings; or always from some one on. *)
let returns ?always q (t, xs) = let _, _, ends = ends_again ?always q xs (read_back t) in List.exists snd ends

(* Whether beside all numbers long beginnings are all accepted, or all refused. *)
let settles_down q (t, xs) =
  let _, _, ends = ends_again q xs (read_back t) and said = Hashtbl.create 16 in
  List.for_all (fun (part, accepts) -> match Hashtbl.find_opt said part with
    | Some other -> other = accepts
    | None -> Hashtbl.add said part accepts; true) ends

(* The guess that what a relation accepts settles. *)
let guess_endings q (t, xs) =
  let (sets, rows) as back = read_back t in
  let parts, edges, ends = ends_again q xs back in
  let count = Array.fold_left (fun n part -> max n (part + 1)) 0 parts in
  let says = Array.make count false and depth = Array.make count 0 and members = Array.make count [] in
  List.iter (fun (part, accepts) -> says.(part) <- accepts) ends;
  Array.iteri (fun i part -> members.(part) <- i :: members.(part)) parts;
  Array.iteri (fun part own -> List.iter (fun i -> List.iter (fun (_, there) ->
      if parts.(there) <> part then depth.(part) <- max depth.(part) (depth.(parts.(there)) + 1)) edges.(i)) own) members;
  let numbered f = map_of (List.init (Array.length sets) (fun i -> (i + 1, f i))) in
  { reversed = numbered (fun i -> ((if List.mem 0 sets.(i) then Zpos XH else Z0), tree (List.length xs) rows.(i)));
    standing = numbered (fun i -> map_of (List.map (fun p -> (p + 1, ())) sets.(i)));
    orders = numbered (fun i -> (nat depth.(parts.(i)), says.(parts.(i)))) }

(* How many numbers of the sequence may follow the first digit of a bound variable in front of all digits of the others, by
   state, and the states before that digit; if none is bound, how many come first; None if there may be any number of them. *)
let heights q ((t : table), xs) bound =
  let n = Array.length t.rows in
  let others letter = List.for_all2 (fun x d -> x = parameter_name || List.mem x bound || d = 0) xs letter in
  let own letter = List.for_all2 (fun x d -> not (List.mem x bound) || d = 0) xs letter in
  let edges = Array.map (List.filter_map (fun (letter, there) ->
      if others letter then Some (own letter, List.mem (mark_of xs letter) q.first_marks, there) else None)) t.rows in
  let reach starts next =
    let seen = Array.make n false in
    let rec visit v = if not seen.(v) then (seen.(v) <- true; List.iter visit (next v)) in
    List.iter visit starts; seen in
  let states seen = List.filter (fun v -> seen.(v)) (List.init n Fun.id) in
  let front = reach [ 0 ] (fun v -> List.filter_map (fun (zero, _, there) -> if zero then Some there else None) edges.(v)) in
  let starts = if bound = [] then [ 0 ] else List.concat_map (fun v -> List.filter_map (fun (zero, _, there) -> if zero then None else Some there) edges.(v)) (states front) in
  let after = reach starts (fun v -> List.map (fun (_, _, there) -> there) edges.(v)) in
  let height = Array.make n 0 and changed = ref true in
  while !changed do
    changed := false;
    List.iter (fun v -> List.iter (fun (_, first, there) ->
        let least = height.(there) + if first then 1 else 0 in
        if least > height.(v) && least <= n + 1 then (height.(v) <- least; changed := true)) edges.(v)) (states after)
  done;
  if List.exists (fun v -> height.(v) > n) (states after) then None
  else Some (map_of (List.map (fun v -> (v + 1, ())) (states front)), map_of (List.map (fun v -> (v + 1, nat height.(v))) (states after)))

(* A relation that the file has not. *)
let more_table r ((t : table), xs) =
  r.more_tables <- (List.map (system_of r) xs, t) :: r.more_tables;
  Ref (positive ((1 lsl 30) + List.length r.more_tables), List.map (variable r) xs)

let made_along r line =
  r.family_made <- line :: r.family_made;
  List.length r.family_made

let variable_sum r x = { terms = [ (n_of 1, variable r x) ]; constant = N0 }
let no_endings = { reversed = PositiveMap.empty; standing = PositiveMap.empty; orders = PositiveMap.empty }
let all_of r xs relations = joined (size_of_variable r) (relations @ numbers_of r (List.sort_uniq compare xs))

(* Why witnesses of a projection do not change with longer beginnings. *)
let guess_reason r q relation guards bound =
  let whole parts = all_of r (parameter_name :: List.concat_map snd parts) parts [] (fun _ -> true) in
  let after_one relations = List.map (fun one -> List.map (fun p -> if p < 0 then None else Some (positive (p + 1))) (after_number q one)) relations in
  let try_with guards_too =
    let parts = relation :: if guards_too then guards else [] in
    let (t, xs) as one = whole parts in
    if stays q one then Some (Lasting (guards_too, after_one parts))
    else Option.map (fun (front, heights) -> Bounded (more_table r (t, xs), front, heights)) (heights q one bound) in
  match try_with false with
  | Some reason -> reason
  | None -> (match try_with true with
      | Some reason -> reason
      | None -> raise (Invalid "a longer beginning may lose a witness, and there may be infinitely many"))

let guess_projection r (t, names) bound parts =
  let there = List.concat_map snd parts in
  let missing = List.filter (fun x -> not (List.mem x there) && not (List.mem x bound)) names in
  let over, sets, along = guess_sets 1 (fun p -> positive (p + 1)) Fun.id t names bound (parts @ numbers_of r missing) in
  Forward { over; sets; depth = nat (List.length along) }

(* The claims of x=0, x=1, ... in a system: x=0 says that no number is less, x=n+1 that x is next after the y with y=n. *)
let chain r system = match Hashtbl.find_opt r.chains system with
  | Some c -> c
  | None ->
      let q = Option.get r.sequences in
      let named v = let name = "~" ^ v ^ " of " ^ system in Hashtbl.replace r.variables_of name system; name in
      let x = named "x" and y = named "y" and z = named "z" in
      let make relation rule_along = (made_along r { relation_along = more_table r relation; guards_along = []; rule_along }, relation) in
      let id (number, _) = positive number in
      let less a b =
        let n = size_of_variable r a in
        let pairs = List.concat (List.init n (fun d -> List.init n (fun e -> (d, e)))) in
        let order = { rows = [| List.filter_map (fun (d, e) -> if d <= e then Some ([ d; e ], if d < e then 1 else 0) else None) pairs;
                                List.map (fun (d, e) -> ([ d; e ], 1)) pairs |]; outputs = [| 0; 1 |] } in
        let ((_, xs) as relation) = all_of r [ a; b ] [ (order, [ a; b ]) ] [] (fun _ -> true) in
        make relation (FamilyAtom (Compare (variable_sum r a, Less, variable_sum r b), Ref (XH, List.map (variable r) xs), no_endings)) in
      let exists v (number, ((t, xs) as relation)) =
        let found = projected (size_of_variable r) 1 t xs [ v ] false [] in
        make found (FamilyExists (positive number, [ variable r v ], guess_projection r relation [ v ] [ found ], guess_reason r q relation [] [ v ])) in
      let both one other = make (all_of r [] [ snd one; snd other ] [] (fun _ -> true)) (FamilyAnd [ id one; id other ]) in
      let not_ (number, ((_, xs) as relation)) = make (all_of r xs [] [ relation ] (fun has -> not (List.hd has))) (FamilyNot (positive number)) in
      let equals one n = make (snd one) (FamilyConstant (id one, variable r x, variable r y, variable r z, n)) in
      let following = both (less y x) (not_ (exists z (both (less y z) (less z x)))) in
      let zero = equals (not_ (exists y (less y x))) N0 in
      let c = { vars = (x, y, z); following; known = [ zero ] } in
      Hashtbl.add r.chains system c;
      c

(* The claim of v=c for a variable v of the same system, with its relation, and the variables. *)
let constant r name value =
  let c = chain r (system_of r name) and q = Option.get r.sequences in
  let x, y, z = c.vars in
  let wanted = match value with Zpos p -> (match int_of_string_opt (decimal (Npos p)) with Some n when n < 4096 -> n | _ -> fail "a number is too large") | _ -> 0 in
  let make relation rule_along = (made_along r { relation_along = more_table r relation; guards_along = []; rule_along }, relation) in
  while List.length c.known <= wanted do
    let n = n_of (List.length c.known - 1) in
    let number, (t, xs) = List.hd c.known in
    let moved = make (all_of r [] [ (t, List.map (fun v -> if v = x then y else v) xs) ] [] (fun _ -> true))
        (FamilyLinear (positive number, [ (variable r x, variable r y) ], Compare (variable_sum r y, Equal, { terms = []; constant = n }))) in
    let (_, (t, xs)) as both = make (all_of r [] [ snd moved; snd c.following ] [] (fun _ -> true)) (FamilyAnd [ positive (fst moved); positive (fst c.following) ]) in
    let found = projected (size_of_variable r) 1 t xs [ y ] false [] in
    let exists = make found (FamilyExists (positive (fst both), [ variable r y ], guess_projection r (t, xs) [ y ] [ found ], guess_reason r q (t, xs) [] [ y ])) in
    let next = make found (FamilyConstant (positive (fst exists), variable r x, variable r y, variable r z, N.add n (n_of 1))) in
    c.known <- next :: c.known
  done;
  let number, relation = List.nth c.known (List.length c.known - 1 - wanted) in
  (number, relation, c.vars)

(* The relation of an atom, a guess; it may accept words that are no numbers. *)
let atom_table r f =
  let name = name_of_variable r in
  let compared x y less =
    let n = size_of_variable r x in
    let pairs = List.concat (List.init n (fun a -> List.init n (fun b -> (a, b)))) in
    let row keep target = List.filter_map (fun (a, b) -> if keep a b then Some ([ a; b ], target a b) else None) pairs in
    let first = row (fun a b -> a = b || (less && a < b)) (fun a b -> if a < b then 1 else 0) in
    ({ rows = [| first; (if less then row (fun _ _ -> true) (fun _ _ -> 1) else []) |]; outputs = [| (if less then 0 else 1); 1 |] }, [ x; y ]) in
  match f with
  | Lin ([ (x, Zpos XH); (y, Zneg XH) ], less, Z0) -> compared (name x) (name y) less
  | Lin ([ (x, Zneg XH); (y, Zpos XH) ], less, Z0) -> compared (name y) (name x) less
  | Lin ([ (x, Zpos XH) ], false, (Z0 | Zpos _ as c)) when r.sequences <> None ->
      let _, (t, xs), (own, _, _) = constant r (name x) c in
      (t, List.map (fun y -> if y = own then name x else y) xs)
  | Lin ([ (x, Zpos XH) ], false, (Z0 | Zpos _ as c)) ->
      let word = representation (find r.bases (system_of r (name x))) (match c with Zpos p -> Npos p | _ -> N0) in
      let n = List.length word in
      let row i = (if i = 0 then [ ([ 0 ], 0) ] else []) @ (if i < n then [ ([ List.nth word i ], i + 1) ] else []) in
      ({ rows = Array.init (n + 1) row; outputs = Array.init (n + 1) (fun i -> if i = n then 1 else 0) }, [ name x ])
  | Letter (w, xs, a) ->
      let found = Hashtbl.fold (fun word (_, t) found -> if positive (identity r "word" word) = w then Some t else found) r.word_of None in
      let t = Option.get found in
      ({ t with outputs = Array.map (fun o -> if z_of o = a then 1 else 0) t.outputs }, List.map name xs @ beside r)
  | Pred (p, xs) ->
      let found = Hashtbl.fold (fun q (_, t) found -> if predicate r q = p then Some t else found) r.predicate_of None in
      (match found with Some t -> (t, List.map name xs @ beside r) | None -> raise (Invalid "this is no atom"))
  | _ -> raise (Invalid "this is no atom")

(* Why what a rule about one relation binds is true in the limit. *)
let why_bound r q guards used bound =
  let (_, xs) as relation = List.hd used in
  guess_reason r q relation guards (List.filter (fun x -> List.mem (variable r x) bound) xs)

(* The rule about a family in place of one about numbers; guards, and the relations used, as tables. *)
let along r q guards used rule = match rule with
  | RuleAny f -> FamilyAny f
  | RuleAtom (f, _) -> (match normal f with
      | Lin ([ (x, Zpos XH) ], false, (Z0 | Zpos _ as c)) ->
          let number, _, (own, _, _) = constant r (name_of_variable r x) c in
          FamilyLinear (positive number, [ (variable r own, x) ], f)
      | Lin _ -> FamilyAtom (f, Ref (XH, []), no_endings)
      | form ->
          let (_, xs) as own = atom_table r form in
          let there = all_of r xs [ own ] [] (fun _ -> true) in
          FamilyAtom (f, more_table r there, guess_endings q there))
  | RuleDefinition (i, p, xs) -> FamilyDefinition (i, p, xs)
  | RuleAddition (i, j, p, xs) -> FamilyAddition (i, j, p, xs)
  | RuleLinear (i, names, f) -> FamilyLinear (i, List.filter (fun (x, y) -> not (x = y && x = variable r parameter_name)) names, f)
  | RuleShare (i, j, x, y) -> FamilyShare (i, j, x, y)
  | RuleAnd of_ -> FamilyAnd of_
  | RuleOr (of_, f) -> FamilyOr (of_, f)
  | RuleNot i -> FamilyNot i
  | RuleIff (i, j) -> FamilyIff (i, j)
  | RuleExists (i, bound, guess) -> FamilyExists (i, bound, guess, why_bound r q guards used bound)
  | RuleCount (i, number, bound, guess) -> FamilyCount (i, number, bound, guess, why_bound r q guards used bound)
  | RuleRecursion _ | RuleSequences _ -> fail "no rule of certificates about a family"

let limit_along r q claim relation guards used =
  let names = parameter_name :: List.concat_map snd (relation :: used :: guards) in
  let differ = all_of r names guards [ relation; used ] (function [ a; b ] -> a <> b | _ -> false) in
  let why = match heights q differ [] with Some (_, heights) -> Soon heights | None -> InTheEnd (guess_endings q differ) in
  FamilyLimit (claim, more_table r differ, why)

(* The relation of a claim that a file leaves out. *)
let left_out r line of_ guards =
  let rule = str (field line "rule") in
  let size = size_of_variable r and relations = List.map (fun i -> table_of r (List.hd r.claim_parts.(i))) of_ in
  let guards = List.map (table_of r) guards in
  let first () = match relations with one :: _ -> one | [] -> fail "a rule uses no claim" in
  let over wanted parts others holds =
    let there = List.concat_map snd parts in
    joined size (parts @ numbers_of r (List.sort_uniq compare (List.filter (fun x -> not (List.mem x there)) wanted))) others holds in
  let names_of = List.concat_map snd in
  let renamed names = List.map (fun (t, xs) -> (t, List.map (fun x -> match List.assoc_opt x names with Some y -> y | None -> x) xs)) in
  let all _ = true in
  let found = match rule with
    | "exists" ->
        let t, xs = first () in
        projected size (count_of line) t xs (strings (field line "bound")) (is_backward line) (losses line)
    | "not" -> over (names_of relations) guards relations (fun has -> not (List.hd has))
    | "iff" -> over (names_of relations) guards relations (function [ a; b ] -> a = b | _ -> fail "a rule uses two claims")
    | "or" -> over (names_of relations) [] relations (List.exists Fun.id)
    | "atom" ->
        let t, xs = atom_table r (normal (formula_of r (str (field line "formula")))) in
        joined size ((t, xs) :: numbers_of r (List.sort_uniq compare xs)) [] all
    | "definition" ->
        let parameters = find r.definition_of (str (field line "name")) and arguments = List.map str (list (field line "arguments")) in
        if List.length parameters <> List.length arguments then fail "other arguments";
        over arguments (renamed (List.combine parameters arguments) relations) [] all
    | "linear" ->
        let names = match List.assoc_opt "names" line with Some v -> List.map (fun (x, y) -> (x, str y)) (obj v) | None -> [] in
        over [] (renamed names relations) [] all
    | "share" -> over [] (renamed [ (str (field line "from"), str (field line "to")) ] [ first () ]) [] all
    | "addition" | "recursion" | "sequences" -> over [] [] [] all
    | "limit" -> fail "the relation of a limit is left out"
    | _ when relations = [] ->
        over (match List.assoc_opt "numbers" line with Some v -> strings v | None -> []) guards [] all
    | _ -> over [] relations [] all in
  add_table r found

let read_make r line =
  if r.version < 2 then fail "version 1 of the format has no such line";
  let of_ = List.map (fun v -> table_of r (relation r v)) (list (field line "of")) in
  let size = size_of_variable r in
  ignore (add_table r (match str (field line "make"), of_ with
      | "exists", (t, xs) :: _ -> projected size 1 t xs (strings (field line "bound")) false []
      | "and", of_ -> joined size of_ [] (fun _ -> true)
      | _ -> fail "nothing is made so"))

let read_rule r line =
  let int_list v = List.map (int_in 0 (r.claim_count - 1)) (list v) in
  let of_ = match List.assoc_opt "of" line with Some v -> int_list v | None -> [] in
  let claim i = positive (if r.sequences = None then i + 1 else Hashtbl.find r.claim_numbers i) in
  let guards = match List.assoc_opt "guards" line with Some v -> List.map (relation r) (list v) | None -> [] in
  let rel = match List.assoc_opt "relation" line with
    | None when r.version >= 2 -> left_out r line of_ guards
    | _ -> relation r (field line "relation") in
  let formula () = formula_of r (str (field line "formula")) in
  let one () = match of_ with [ i ] -> i | _ -> fail "a rule uses one claim" in
  let two () = match of_ with [ i; j ] -> (i, j) | _ -> fail "a rule uses two claims" in
  (* fibcheck.py renames all variables of a relation or none; the proof does not need this. *)
  let renames_all i names =
    if not (List.for_all (fun x -> List.mem x names) (List.filter (fun x -> x <> parameter_name) (snd (List.hd r.claim_parts.(i))))) then
      raise (Invalid (Printf.sprintf "claim %d renames some variables only" r.claim_count)) in
  (match r.sequences, str (field line "rule") with
   | Some _, ("recursion" | "sequences" as rule) -> fail ("the rule " ^ rule ^ " is not for certificates about a family")
   | None, "limit" -> fail "the rule limit is not for certificates without a family"
   | _ -> ());
  let rule () = match str (field line "rule") with
    | "any" -> RuleAny (formula ())
    | "atom" ->
        let f = formula () in
        (* The word of c in x=c, which Coq checks; other atoms need none. *)
        let word = match normal f with
          | Lin ([ (x, Zpos XH) ], false, (Z0 | Zpos _ as c)) when r.sequences = None ->
              let system = Hashtbl.fold (fun name s found -> if variable r name = x then numbers_in r s else found) r.variables_of "" in
              List.map nat (representation (find r.bases system) (match c with Zpos p -> Npos p | _ -> N0))
          | _ -> [] in
        RuleAtom (f, word)
    | "definition" ->
        let p = str (field line "name") in
        let parameters = find r.definition_of p in
        let arguments = List.map str (list (field line "arguments")) in
        if List.length arguments <> List.length parameters then fail "other arguments";
        fit r arguments (List.map (system_of r) parameters);
        renames_all (one ()) parameters;
        RuleDefinition (claim (one ()), predicate r p, List.map (variable r) arguments)
    | "addition" ->
        let p = str (field line "predicate") in
        let xs = strings (field line "variables") in
        let systems = fst (find r.predicate_of p) in
        (match systems with
         | s :: _ when List.length xs = 8 -> fit r xs (List.init 8 (fun _ -> s)); fit r (List.filteri (fun i _ -> i < 3) xs) systems
         | _ -> fail "addition needs eight variables");
        let i, j = two () in
        only_numbers r p;
        Hashtbl.replace r.meaning_of p "(x,y,z) with x+y=z";
        RuleAddition (claim i, claim j, predicate r p, List.map (variable r) xs)
    | "linear" ->
        let names = match List.assoc_opt "names" line with Some v -> List.map (fun (x, y) -> (x, str y)) (obj v) | None -> [] in
        fit r (List.map snd names) (List.map (fun (x, _) -> system_of r x) names);
        if names <> [] then renames_all (one ()) (List.map fst names);
        RuleLinear (claim (one ()), List.map (fun (x, y) -> (variable r x, variable r y)) names, formula ())
    | "share" ->
        let i, j = two () in
        let x = str (field line "from") and y = str (field line "to") in
        fit r [ y ] [ system_of r x ];
        RuleShare (claim i, claim j, variable r x, variable r y)
    | "and" -> RuleAnd (List.map claim of_)
    | "or" -> RuleOr (List.map claim of_, formula ())
    | "not" -> RuleNot (claim (one ()))
    | "iff" -> let i, j = two () in RuleIff (claim i, claim j)
    | "exists" ->
        let bound = strings (field line "bound") in
        List.iter (fun x -> ignore (system_of r x)) bound;
        let count = count_of line and backward = is_backward line in
        if count > 1 && backward then raise (Invalid "a counted variable is counted backward");
        if losses line <> [] && (count > 1 || backward) then raise (Invalid "sets that lose states are counted, or backward");
        let i = one () in
        let number, names = List.hd r.claim_parts.(i) in
        let parts = if count = 1 then guards @ [ rel ] else guards in
        let there = List.concat_map snd parts in
        let all = if count = 1 then names else List.sort_uniq compare (names @ snd rel) in
        let missing = List.filter (fun x -> not (List.mem x there) && not (List.mem x bound)) all in
        let parts = List.map (table_of r) parts @ numbers_of r missing and ids = List.map (variable r) bound in
        if backward then
          RuleExists (claim i, ids, Backward (guess_backward (size_of_variable r) (variable r) (snd r.tables.(number)) names bound parts))
        else begin
          let t = snd r.tables.(number) and state q = positive (q + 1) in
          if count = 1 then
            let machine, sets, along = guess_sets 1 state (losing t (losses line)) t names bound parts in
            RuleExists (claim i, ids, Forward { over = machine; sets; depth = nat (List.length along) })
          else
            let machine, sets, along = guess_sets count (fun w -> (state (w / count), n_of (ways count w))) Fun.id t names bound parts in
            RuleCount (claim i, n_of count, ids, { counting = machine; ways_of = sets; along })
        end
    | "recursion" ->
        let equations = List.map obj (list (field line "recursion")) in
        ignore (strings (List (List.map (fun one -> field one "name") equations)));
        let read one =
          let name = str (field one "name") and parameters = strings (field one "parameters") in
          let text = str (field one "formula") in
          fit r parameters (fst (find r.predicate_of name));
          only_numbers r name;
          no_integers r text parameters;
          let body = formula_of ~strict:true r text in
          (Printf.sprintf "$%s(%s) <=> %s" name (String.concat "," parameters) text,
           { defined = predicate r name; parameters = List.map (variable r) parameters; body }) in
        let weights one = List.map (fun w -> n_of (int_in 0 (1 lsl 31) w)) (list (field one "weights")) in
        let weights = List.map weights equations in
        let read_equations = List.map read equations in
        let joint = String.concat "; " (List.map fst read_equations) in
        let game = match read_equations with [ (_, e) ] -> is_game e.defined (normal e.body) | _ -> false in
        let said = Printf.sprintf "the %s of its recursion below" (if game then "P-positions of the game" else "only solution") in
        let own = List.map (fun one -> str (field one "name")) equations in
        let called = List.concat_map (fun (_, e) -> called r (normal e.body)) read_equations in
        let has_meaning name _ fine = fine && (not (List.mem (predicate r name) called) || List.mem name own || Hashtbl.mem r.meaning_of name) in
        if Hashtbl.fold has_meaning r.predicate_of true then
          List.iter (fun name -> if not (Hashtbl.mem r.meaning_of name) then Hashtbl.replace r.meaning_of name said) own;
        if not (List.mem joint r.solutions) then r.solutions <- r.solutions @ [ joint ];
        r.recursions_made <- List.map snd read_equations :: r.recursions_made;
        RuleRecursion (List.map claim of_, nat (List.length r.recursions_made - 1), weights)
    | "sequences" ->
        let names = strings (field line "sequences") in
        let id name = positive (identity r "sequence" name) in
        let sizes = ref [] and mentioned = ref [] in
        let term own name x =
          let of_ = factor r name x in
          sizes := of_.dimension :: !sizes;
          if not own then mentioned := name :: !mentioned;
          Hashtbl.replace r.used name of_;
          (id name, variable r x) in
        let size_of read = sizes := []; let found = read () in (found, List.fold_left (fun n k -> min (n * k) (1 lsl 20)) 1 !sizes) in
        let pair = function List [ a; b ] -> (a, b) | _ -> fail "no pair" in
        let read one =
          let name = str (field one "name") and x = str (field one "index") and text = str (field one "where") in
          if not (List.mem name names) then fail ("an equation of " ^ name);
          no_integers r text [ x ];
          let number = int_in 0 (r.claim_count - 1) (field one "claim") in
          let condition = formula_of ~strict:true r text in
          let left_side, size = size_of (fun () -> term true name x) in
          let read_term v =
            let coefficient, factors = pair v in
            let factors = List.map (fun f -> let a, x = pair f in (str a, str x)) (list factors) in
            no_integers r "" (List.map snd factors);
            let q = rational coefficient in
            let product, size = size_of (fun () -> List.map (fun (a, x) -> term false a x) factors) in
            let number = if coefficient <> Int 1 || factors = [] then [ shown_rational q ] else [] in
            ((q, product), size, List.map snd factors,
             String.concat "*" (number @ List.map (fun (a, x) -> Printf.sprintf "%s(%s)" a x) factors)) in
          let right = List.map read_term (list (field one "terms")) in
          if List.fold_left (fun n (_, size, _, _) -> n + size) size right > most_dimension then fail "an equation has too many terms";
          let index, xs = List.hd r.claim_parts.(number) in
          if not (List.for_all (fun x -> List.mem x xs) (x :: List.concat_map (fun (_, _, xs, _) -> xs) right)) then
            fail "the relation of an equation has not all its variables";
          let e = { left_side; condition; right_side = List.map (fun (t, _, _, _) -> t) right } in
          let texts = List.map (fun (_, _, _, text) -> text) right in
          (e, (number, (snd r.tables.(index), xs)),
           Printf.sprintf "%s(%s) = %s where %s" name x (if texts = [] then "0" else String.concat " + " texts) text) in
        let equations = List.map read (List.map obj (list (field line "equations"))) in
        let said = String.concat "; " (List.map (fun (_, _, text) -> text) equations) in
        let undetermined a = Hashtbl.mem r.sequence_of a && not (List.mem a names) && not (Hashtbl.mem r.determined a)
          && not (Hashtbl.mem r.counts_of a) in
        r.given <- List.filter undetermined !mentioned @ r.given;
        List.iter (fun name ->
            if not (List.mem name r.given || Hashtbl.mem r.determined name) then begin
              Hashtbl.replace r.determined name said;
              if not (List.mem said r.determinations) then r.determinations <- said :: r.determinations
            end) names;
        let declared = declarations_of r in
        let proof (e, (number, (t, xs)), _) = match products_of declared e with
          | Some products -> (claim number, guess_bases products t (List.map (variable r) xs))
          | None -> fail "an equation has a term that is unknown" in
        let proofs = List.map proof equations in
        r.equations_made <- (List.map id names, List.map (fun (e, _, _) -> e) equations) :: r.equations_made;
        RuleSequences (List.map claim of_, nat (List.length r.equations_made - 1), proofs)
    | other -> fail ("there is no rule " ^ other) in
  let relation_of = part_of r rel and guards_of = List.map (part_of r) guards in
  (match r.sequences with
   | None -> r.claims_made <- { relation_of; guards_of; rule_of = rule () } :: r.claims_made
   | Some q ->
       let tables = List.map (table_of r) in
       let used i = table_of r (List.hd r.claim_parts.(i)) in
       let rule_along = if str (field line "rule") = "limit"
         then limit_along r q (claim (one ())) (List.hd (tables [ rel ])) (tables guards) (used (one ()))
         else along r q (tables guards) (List.map used of_) (rule ()) in
       Hashtbl.replace r.claim_numbers r.claim_count (made_along r { relation_along = relation_of; guards_along = guards_of; rule_along }));
  r.claim_parts <- push r.claim_parts r.claim_count (rel :: guards);
  r.claim_count <- r.claim_count + 1

let say r kind text = r.said <- (kind, text) :: r.said

(* -- lines of certificates about a family ------------------------------------------------------------------------------ *)

let read_family r line =
  if r.sequences <> None || r.version <> 3 then fail "a second family, or one in another version of the format than 3";
  let q = match field line "family" with
    | Str "choices" ->
        let n = int_in 1 99 (field line "number") in
        { choices = n; first_marks = List.init n (fun i -> i + 1); more_marks = []; marks = n + 1; fails = None }
    | Str "slopes" -> { choices = 0; first_marks = [ 2 ]; more_marks = [ 0; 1 ]; marks = 3; fails = None }
    | _ -> fail "an unknown family" in
  r.sequences <- Some q

let rec binary_digits n = if n < 2 then [ 2 ] else binary_digits (n / 2) @ [ n mod 2 ]

(* How a beginning is written. *)
let beginning_of q numbers = List.concat_map (fun n -> if q.choices > 0 then [ n ] else binary_digits n) (List.rev numbers)
let shown_sequence_of q first period =
  let shown = List.map string_of_int in
  if q.choices > 0 then String.concat " " (shown first @ [ "(" ^ String.concat " " (shown period) ^ ")" ])
  else "[0; " ^ String.concat ", " (shown first @ [ "(" ^ String.concat ", " (shown period) ^ ")" ]) ^ "]"

let read_failure r line =
  let q = match r.sequences with Some q -> q | None -> fail "there are no sequences" in
  let numbers key = List.map (int_in 1 (if q.choices > 0 then q.choices else 1 lsl 20)) (list (field line key)) in
  let first = numbers "first" and period = numbers "period" in
  if period = [] then fail "nothing is repeated in a sequence";
  q.fails <- Some (first, period)

(* Periods of sequences for which first numbers, and letters, are printed, and twelve numbers of each. *)
let samples q = if q.choices = 1 then [ [ 1 ] ] else [ [ 1 ]; [ 2 ]; [ 1; 2 ] ]
let twelve period = List.filteri (fun i _ -> i < 12) (List.concat (List.init 12 (fun _ -> period)))

let first_words base beginning most =
  let marks = Array.of_list beginning and t = base.words in
  let length = Array.length marks in
  let alive = Array.make (length + 1) (Array.map (fun o -> o <> 0) t.outputs) in
  for left = 1 to length do
    let mark = marks.(length - left) in
    alive.(left) <- Array.map (List.exists (fun (letter, there) -> List.nth letter 1 = mark && alive.(left - 1).(there))) t.rows
  done;
  let found = ref [] and count = ref 0 in
  let rec go word place p =
    if !count < most then
      if place = length then (found := List.rev word :: !found; incr count)
      else List.iter (fun (letter, there) -> match letter with
          | [ d; mark ] when mark = marks.(place) && alive.(length - place - 1).(there) -> go (d :: word) (place + 1) there
          | _ -> ()) t.rows.(p) in
  go [] 0 0;
  List.rev !found

let family_size q base x = if x = parameter_name then q.marks else base.size

(* The base in which numbers are written, if all words as far as the greatest one are numbers; 0 otherwise. *)
let base_of r base =
  let pairs = List.concat (List.init base.size (fun d -> List.init base.size (fun e -> (d, e)))) in
  let order = { rows = [| List.filter_map (fun (d, e) -> if d <= e then Some ([ d; e ], if d < e then 1 else 0) else None) pairs;
                          List.map (fun (d, e) -> ([ d; e ], 1)) pairs |]; outputs = [| 0; 1 |] } in
  let t, _ = joined (family_size (Option.get r.sequences) base) [ (base.words, [ "y"; parameter_name ]); (order, [ "x"; "y" ]) ] [ (base.words, [ "x"; parameter_name ]) ]
      (fun has -> not (List.hd has)) in
  if Array.exists (fun o -> o <> 0) t.outputs then 0 else base.size

(* Numbers have no digits in front of a beginning, and 0 is one. *)
let check_family_system q base =
  let letters digits marks there = List.concat_map (fun d -> List.map (fun mark -> ([ d; mark ], there)) marks) digits in
  let any = List.init base.size Fun.id in
  let within = { rows = [| ([ 0; 0 ], 0) :: letters any q.first_marks 1; letters any (q.first_marks @ q.more_marks) 1 |]; outputs = [| 0; 1 |] } in
  let zero = { rows = [| [ ([ 0 ], 0) ] |]; outputs = [| 1 |] } and own = (base.words, [ "x"; parameter_name ]) in
  let refuses parts other =
    let t, _ = joined (family_size q base) parts [ other ] (fun has -> not (List.hd has)) in
    Array.exists (fun o -> o <> 0) t.outputs in
  if refuses [ own ] (within, snd own) || refuses [ (begun q, [ parameter_name ]); (zero, [ "x" ]) ] own then
    raise (Invalid "a number is no word beside a beginning, or 0 is not a number")

(* Digits beside partial quotients that are those of Ostrowski, and of these the ones that are meant, by a_1 - b_1, up to 2,
   and whether b_2 = a_2. *)
let ostrowski meant =
  let row (full, less) =
    let bits most = List.init (most + 1) Fun.id in
    let after bit own = match 2 * less + own - bit with
      | more when more < 0 -> None
      | more -> Some ([ bit; own ], 1 + min 2 more + if full then 3 else 0) in
    List.sort compare
      (List.concat_map (fun bit -> List.filter_map (after bit) [ 0; 1 ]) (bits (if full then 0 else 1))
       @ List.map (fun bit -> ([ bit; 2 ], 2 - bit + if less = 0 then 3 else 0)) (bits (if less = 0 then 0 else 1))) in
  let states = List.concat_map (fun full -> List.init 3 (fun less -> (full, less))) [ false; true ] in
  { rows = Array.of_list ([ ([ 0; 0 ], 0); ([ 0; 2 ], 2); ([ 1; 2 ], 1) ] :: List.map row states);
    outputs = Array.of_list (0 :: List.map (fun (full, less) -> if less > 0 && meant less full then 1 else 0) states) }

(* Whether the numbers are those of Ostrowski. *)
let is_ostrowski q base =
  q.choices = 0 && base.size = 2 &&
  let own = (base.words, [ "x"; parameter_name ]) and all = (ostrowski (fun _ _ -> true), [ "x"; parameter_name ]) in
  List.for_all (fun (part, other) ->
      let t, _ = joined (family_size q base) [ part ] [ other ] (fun has -> not (List.hd has)) in
      Array.for_all (fun o -> o = 0) t.outputs) [ (own, all); (all, own) ]

(* Whether a word over these is the limit of s_k = s_(k-1)^(a_k) s_(k-2): 1 where b_1 = a_1 - 1, unless b_2 = a_2. *)
let is_characteristic q base t =
  let named t = (t, [ "x"; parameter_name ]) in
  let ones = ostrowski (fun less full -> less = 1 && not full) in
  let letter l = named { t with outputs = Array.map (fun o -> if o = l then 1 else 0) t.outputs } in
  is_ostrowski q base
  && not (returns q (joined (family_size q base) [ named base.words ] [ named ones; letter 0; letter 1 ]
                       (function [ one; zero_there; one_there ] -> not (if one then one_there else zero_there) | _ -> false)))

let read_family_system r name size line =
  let q = Option.get r.sequences in
  let base = { size; words = read_table line [ size; q.marks ]; pump = { start = []; turn = []; rest = [] }; counts = [] } in
  check_family_system q base;
  Hashtbl.add r.bases name base;
  say r "system" (fun () -> match base_of r base with
    | 0 ->
        let written word =
          let rec bare = function 0 :: more -> bare more | word -> word in
          match bare word with [] -> "0" | word -> String.concat (if size <= 10 then "" else ".") (List.map string_of_int word) in
        let first period = String.concat ", " (List.map written (first_words base (beginning_of q (twelve period)) 10))
                           ^ ", ... for " ^ shown_sequence_of q [] period in
        let texts = String.concat "; " (List.map first (samples q)) in
        if is_ostrowski q base then
          Printf.sprintf "system %s: the numbers 0, 1, 2, ... are b_1 q_0 + b_2 q_1 + ..., with 0 <= b_i <= a_i, b_1 < a_1, b_(i-1) = 0 if b_i = a_i, q_0 = 1, q_1 = a_1, and q_i = a_i q_(i-1) + q_(i-2); each b_i is written in binary beside a_i: %s" name texts
        else
          Printf.sprintf "system %s: the numbers 0, 1, 2, ... are, in order, the words that an automaton accepts: %s; of %d states, digest %s"
            name texts (Array.length base.words.rows) (digest base.words)
    | base -> Printf.sprintf "system %s: the numbers 0, 1, 2, ... in base %d, whatever the sequence is" name base)

(* Tracks of a word or a predicate, with the relations of all their values. *)
let named_tracks systems = List.mapi (fun i _ -> string_of_int i) systems @ [ parameter_name ]
let all_values r systems =
  (begun (Option.get r.sequences), [ parameter_name ])
  :: List.mapi (fun i s -> ((find r.bases s).words, [ string_of_int i; parameter_name ])) systems
let size_of_track r systems x = if x = parameter_name then (Option.get r.sequences).marks else (find r.bases (List.nth systems (int_of_string x))).size

let check_settles r name systems t =
  let both = joined (size_of_track r systems) (all_values r systems @ [ (t, named_tracks systems) ]) [] (fun _ -> true) in
  if not (settles_down (Option.get r.sequences) both) then
    raise (Invalid ("what is said by " ^ name ^ " changes again and again with longer beginnings"))

(* The morphisms by which a word of choices is made, "" unless its numbers are those of a base. *)
let family_morphisms r q base (t : table) =
  let states = ref [ 0 ] and fine = ref (q.choices > 0 && base_of r base > 0) and place = ref 0 in
  while !fine && !place < List.length !states do
    let after = List.concat (List.init base.size (fun d -> List.map (fun mark -> step t (List.nth !states !place) [ d; mark ]) q.first_marks)) in
    if List.mem (-1) after then fine := false
    else List.iter (fun there -> if not (List.mem there !states) then states := !states @ [ there ]) after;
    if List.length !states > most_letters then fine := false;
    incr place
  done;
  if not !fine then ""
  else begin
    let states = !states in
    let bare = List.length (List.sort_uniq compare (List.map (fun p -> t.outputs.(p)) states)) = List.length states in
    let names = List.mapi (fun i p -> (p, if bare then string_of_int t.outputs.(p) else String.make 1 (Char.chr (97 + i)))) states in
    let name p = List.assoc p names in
    let between = if List.for_all (fun (_, n) -> String.length n = 1) names then "" else " " in
    let image p mark = String.concat between (List.init base.size (fun d -> name (step t p [ d; mark ]))) in
    let rule mark = Printf.sprintf "s_%d: %s" mark (String.concat ", " (List.map (fun p -> name p ^ " -> " ^ image p mark) states)) in
    let coded = if bare then "" else String.concat "" (List.map (fun p -> Printf.sprintf "; %s is %d" (name p) t.outputs.(p)) states) in
    Printf.sprintf "the limit of s_(a_1)(s_(a_2)(...s_(a_m)(%s))) with %s%s" (name 0) (String.concat "; " (List.map rule q.first_marks)) coded
  end

let read_family_word r name systems t =
  let q = Option.get r.sequences in
  let every = { t with outputs = Array.map (fun _ -> 1) t.outputs } in
  let missing, _ = joined (size_of_track r systems) (all_values r systems) [ (every, named_tracks systems) ] (fun has -> not (List.hd has)) in
  if Array.exists (fun o -> o <> 0) missing.outputs then fail (name ^ " has no letter at some index");
  List.iter (fun letter -> check_settles r name systems { t with outputs = Array.map (fun o -> if o = letter then 1 else 0) t.outputs })
    (List.sort_uniq compare (Array.to_list t.outputs));
  Hashtbl.add r.word_of name (systems, t);
  Hashtbl.replace r.arguments (name ^ "[") systems;
  let states = Printf.sprintf "an automaton of %d states" (Array.length t.rows) in
  say r "word" (fun () ->
    let said = match List.map (find r.bases) systems with
      | [ base ] ->
          let letters period =
            let beginning = beginning_of q (twelve period) in
            (* After as many periods as there are states, these come again and again. *)
            let settled = ref 0 in
            Array.iter (fun _ -> List.iter (fun mark -> settled := step t !settled [ 0; mark ]) (beginning_of q period)) t.rows;
            let letter word = t.outputs.(List.fold_left2 (fun p d mark -> step t p [ d; mark ]) !settled word beginning) in
            let found = List.map (fun word -> string_of_int (letter word)) (first_words base beginning (shown_members / 2)) in
            let between = if List.for_all (fun l -> String.length l = 1) found then "" else " " in
            String.concat between found ^ "... for " ^ shown_sequence_of q [] period in
          let made =
            if is_characteristic q base t then "the characteristic word: the limit of s_k = s_(k-1)^(a_k) s_(k-2) with s_0 = 0 and s_1 = 0^(a_1 - 1) 1"
            else match family_morphisms r q base t with "" -> "digest " ^ digest t | made -> made in
          Printf.sprintf "%s; %s; %s" (String.concat "; " (List.map letters (samples q))) made states
      | _ -> Printf.sprintf "of several indices, digest %s; %s" (digest t) states in
    Printf.sprintf "word %s: %s, over %s" name said (String.concat ", " systems))

(* An expression of sequences: the tree of the digits of beginnings, with a_1 last. *)
let sequence_expression q text =
  if String.length text > 1 lsl 12 then fail "an expression of sequences is too long";
  let at = ref 0 and room = ref (1 lsl 10) and n = String.length text in
  let spaces () = while !at < n && text.[!at] = ' ' do incr at done in
  (* What the text goes on with after spaces; nothing is taken if it is something else. *)
  let takes c = let from = !at in spaces (); if !at < n && text.[!at] = c then (incr at; true) else (at := from; false) in
  let digits_at from = let i = ref from in while !i < n && is_digit text.[!i] do incr i done; String.sub text from (!i - from) in
  let str s = Str s in
  let numbers least most =
    let least = max least 1 in
    let rec bits n = if n = 0 then 0 else 1 + bits (n / 2) in
    let last = if most >= 0 then most else if q.choices > 0 then q.choices else (1 lsl bits least) - 1 in
    room := !room - (max (last - least) 0 + 1);
    if !room < 0 || (q.choices > 0 && last > q.choices) then fail "an expression has too large numbers, or too many";
    let one k = List (str "then" :: List.map (fun d -> List [ str "letters"; List [ Int d ] ]) (if q.choices > 0 then [ k ] else binary_digits k)) in
    let known = List.init (max 0 (last - least + 1)) (fun i -> one (least + i)) in
    let more = if most = -1 && q.choices = 0 then
        [ List [ str "then"; List [ str "letters"; List [ Int 2 ] ];
                 List [ str "repeat"; List [ str "letters"; List [ Int 0 ]; List [ Int 1 ] ]; Int (bits least); Int (-1) ] ] ] else [] in
    if known @ more = [] then fail "an expression has no number where one is needed";
    List (str "or" :: known @ more) in
  let item text =
    let sign, rest = if String.length text >= 2 && (String.sub text 0 2 = "<=" || String.sub text 0 2 = ">=")
      then (String.sub text 0 2, String.sub text 2 (String.length text - 2)) else ("", text) in
    let number t = if t <> "" && String.length t <= 4 && String.for_all is_digit t then int_of_string t else fail ("no numbers: " ^ text) in
    match String.split_on_char '-' rest, sign with
    | [ one ], "<=" -> numbers 1 (number one)
    | [ one ], ">=" -> numbers (number one) (-1)
    | [ one ], _ -> numbers (number one) (number one)
    | [ one; other ], "" -> numbers (number one) (number other)
    | _ -> fail ("no numbers: " ^ text) in
  let rec union depth =
    let rec parts found = match part depth with
      | None -> found
      | Some one ->
          let one = if takes '*' then List [ str "repeat"; one; Int 0; Int (-1) ]
            else if takes '+' then List [ str "repeat"; one; Int 1; Int (-1) ]
            else if takes '?' then List [ str "repeat"; one; Int 0; Int 1 ] else one in
          parts (one :: found) in
    let rec branches found =
      let found = List (str "then" :: parts []) :: found in
      if takes '|' then branches found else List.rev found in
    List (str "or" :: branches [])
  and part depth =
    if depth < 40 && takes '(' then begin
      let found = union (depth + 1) in
      if takes ')' then Some found else fail "a bracket of an expression is not closed"
    end
    else if takes '.' then Some (numbers 1 (-1))
    else begin
      let from = !at in
      spaces ();
      match digits_at !at with
      | "" when !at < n && text.[!at] = '[' -> (
          match String.index_from_opt text !at ']' with
          | Some close when not (String.contains (String.sub text (!at + 1) (close - !at - 1)) '[') ->
              let items = String.split_on_char ',' (String.sub text (!at + 1) (close - !at - 1)) in
              at := close + 1;
              Some (List (str "or" :: List.map item items))
          | _ -> at := from; None)
      | digits when digits <> "" && String.length digits <= 4 ->
          at := !at + String.length digits;
          Some (numbers (int_of_string digits) (int_of_string digits))
      | _ -> at := from; None
    end in
  let tree = union 0 in
  if !at < n then fail "an expression cannot be read";
  tree

(* The words of an expression, with zeros in front. *)
let expression_table e digits : table =
  let after set letter =
    let next p = List.filter (fun p -> List.mem letter e.read_at.(p)) e.follow.(p) in
    List.sort_uniq compare ((if letter = [ 0 ] && List.mem 0 set then [ 0 ] else []) @ List.concat_map next set) in
  let rec close set = let next = after set [ 0 ] in if next = set then set else close next in
  of_sets (close [ 0 ]) (fun set -> List.filter_map (fun d -> match after set [ d ] with [] -> None | next -> Some ([ d ], next)) (List.init digits Fun.id))
    (List.exists (fun p -> if p = 0 then e.nothing else List.mem p e.ends))

let read_family_predicate r name systems t line =
  let q = Option.get r.sequences in
  check_settles r name systems t;
  (match List.assoc_opt "sequences" line with
   | None -> ()
   | Some v ->
       let text = str v in
       if systems <> [] then fail "an expression of sequences is one of a predicate without arguments";
       let read = (expression_table (read_expression (sequence_expression q text) [ q.marks ]) q.marks, [ parameter_name ]) in
       let differ holds = joined (fun _ -> q.marks) (all_values r []) [ read; (t, [ parameter_name ]) ] holds in
       if returns q (differ (function [ a; b ] -> a && not b | _ -> false))
       || returns ~always:true q (differ (function [ a; b ] -> b && not a | _ -> false)) then
         raise (Invalid "a predicate is not true of the sequences that its expression describes");
       Hashtbl.replace r.meaning_of name ("true of the sequences of which infinitely many beginnings are words of " ^ text));
  Hashtbl.add r.predicate_of name (systems, t);
  Hashtbl.replace r.arguments name systems;
  say r "predicate" (fun () ->
    let said = match Hashtbl.find_opt r.meaning_of name with Some said -> said | None -> "what an automaton says, digest " ^ digest t in
    Printf.sprintf "predicate %s: %s; an automaton of %d states%s" name said (Array.length t.rows)
      (if systems = [] then ", of the sequence alone" else ", over " ^ String.concat ", " systems))

let read_line r line =
  let has key = List.mem_assoc key line in
  if r.version = 3 && r.sequences = None && not (has "family") then
    fail "version 3 of the format is about a family, and the second line says which";
  if r.sequences <> None && List.exists has [ "floor"; "sequence"; "integers"; "weights"; "series"; "expression" ] then
    fail "a certificate about a family has no such line";
  if has "rule" then read_rule r line
  else if has "family" then read_family r line
  else if has "automaton" then begin
    r.tables <- push r.tables r.table_count (tracks_and_table r line);
    r.table_count <- r.table_count + 1
  end
  else if has "make" then read_make r line
  else if has "certificate" then begin
    if r.version > 0 then fail "a second header";
    (match field line "certificate" with
     | Int (1 | 2 | 3 as version) -> r.version <- version
     | Int other -> fail (Printf.sprintf "the file has version %d of the format, and this program reads 1, 2 and 3" other)
     | _ -> fail "the file has another version of the format, and this program reads 1, 2 and 3");
    List.iter (fun (x, s) ->
        if x = "E" || x = "A" then fail "E and A are no variables";
        Hashtbl.replace r.variables_of (new_name x []) (new_name (str s) [])) (List.rev (obj (field line "variables")))
  end
  else if has "system" then begin
    let name = unless_known (str (field line "system")) [ Hashtbl.mem r.bases; Hashtbl.mem r.integers_of ] in
    let size = int_in 1 1024 (field line "digits") in
    if r.sequences <> None then read_family_system r name size line else
    let words = read_table line [ size ] in
    let base = { size; words; pump = guess_pump words; counts = [ Array.map (fun o -> if o <> 0 then Npos XH else N0) words.outputs ] } in
    Hashtbl.add r.bases name base;
    let write n = match representation base (n_of n) with
      | [] -> "0"
      | word -> String.concat (if size <= 10 then "" else ".") (List.map string_of_int word) in
    let weights = match List.assoc_opt "weights" line with
      | None -> ""
      | Some v ->
          let ints key = List.map (int_in (-(1 lsl 31)) (1 lsl 53)) (list (field (obj v) key)) in
          let first = ints "first" and recurrence = ints "recurrence" in
          if recurrence = [] || List.length recurrence > List.length first || List.length first > 64 then fail "no recurrence";
          let said = check_weights base first recurrence in
          if first = [ 1; 2 ] && recurrence = [ 1; 1 ] then Hashtbl.replace r.fibonacci name ();
          said in
    let first = String.concat ", " (List.init 10 write) in
    say r "system" (fun () -> Printf.sprintf "system %s: the numbers 0, 1, 2, ... are %s, ...%s" name first weights)
  end
  else if has "word" then begin
    let name = unless_known (str (field line "word")) [ Hashtbl.mem r.word_of; Hashtbl.mem r.sequence_of ] in
    let systems, t = machine r line in
    if r.sequences <> None then read_family_word r name systems t else
    let () = total r name systems t in
    let series = match List.assoc_opt "series" line with
      | None -> ""
      | Some v ->
          let s = read_series (obj v) in
          (match List.map (find r.bases) systems with
           | [ base ] when base.size = s.prime && Array.for_all (fun row -> List.length row = s.prime) base.words.rows
                           && Array.for_all (fun o -> o <> 0) base.words.outputs -> check_series t s
           | _ -> fail (name ^ " has not one index in base " ^ string_of_int s.prime));
          if List.map str (list (field line "systems")) <> systems then fail ("the index of " ^ name ^ " is no number");
          Printf.sprintf "the %s, modulo %d" s.meant s.modulus in
    Hashtbl.add r.word_of name (systems, t);
    let systems = List.map str (list (field line "systems")) in
    Hashtbl.replace r.arguments (name ^ "[") systems;
    let own = List.map (numbers_in r) systems in
    say r "word" (fun () -> Printf.sprintf "word %s: %s%s; an automaton of %d states, over %s" name (by_numbers r (name ^ "["))
      (letters_of_word (List.map (find r.bases) own) t series) (Array.length t.rows) (String.concat ", " systems))
  end
  else if has "predicate" then begin
    let name = unless_known (str (field line "predicate")) [ Hashtbl.mem r.predicate_of; Hashtbl.mem r.definition_of ] in
    let systems, t = machine r line in
    if r.sequences <> None then read_family_predicate r name systems t line else
    let () = Hashtbl.add r.predicate_of name (systems, t) in
    let bases = List.map (find r.bases) systems in
    (match List.assoc_opt "expression" line with
     | None -> ()
     | Some tree ->
         let e = read_expression tree (List.map (fun b -> b.size) bases) in
         check_expression bases t e;
         Hashtbl.replace r.meaning_of name ("the numbers of the regular expression " ^ e.text));
    let systems = List.map str (list (field line "systems")) in
    Hashtbl.replace r.arguments name systems;
    say r "predicate" (fun () ->
      let said = match Hashtbl.find_opt r.meaning_of name with Some said -> said | None -> members bases t in
      Printf.sprintf "predicate %s: %s%s; an automaton of %d states, over %s" name (by_numbers r name) said (Array.length t.rows) (String.concat ", " systems))
  end
  else if has "define" then begin
    let name = unless_known (str (field line "define")) [ Hashtbl.mem r.predicate_of; Hashtbl.mem r.definition_of ] in
    let parameters = strings (field line "parameters") in
    let compares = has "compares" in
    let text = str (field line (if compares then "compares" else "formula")) in
    if compares && List.sort_uniq compare (names_of text) <> List.sort compare parameters then
      fail (name ^ " compares other variables than its parameters");
    let body = if compares then comparison r name line parameters text else formula_of ~strict:true r text in
    List.iter (fun x -> ignore (system_of r x)) parameters;
    let ids = List.map (variable r) parameters in
    if not (List.for_all (fun x -> List.mem x ids) (free (normal body))) then fail ("other parameters than variables of " ^ name);
    Hashtbl.add r.definition_of name parameters;
    Hashtbl.replace r.arguments name (List.map (find r.variables_of) parameters);
    if not compares then note_reading r text body;
    r.defs <- { defined = predicate r name; parameters = ids; body } :: r.defs;
    say r "definition" (fun () ->
      let line = Printf.sprintf "definition $%s(%s): %s%s" name (String.concat "," parameters) (spoken r text) (sorts r text parameters) in
      match Hashtbl.find_opt r.meaning_of name with Some said -> Printf.sprintf "%s\n$%s is %s" line name said | None -> line)
  end
  else if has "sequence" then begin
    let name = unless_known (str (field line "sequence")) [ Hashtbl.mem r.word_of; Hashtbl.mem r.sequence_of ] in
    (if has "counts" then read_count else read_sequence) r name line;
    say r "sequence" (fun () -> shown_sequence r name)
  end
  else if has "floor" then read_floor r line
  else if has "integers" then say r "integers" (read_integers r line)
  else if has "statement" then begin
    let text = str (field line "statement") in
    let f = formula_of ~strict:true r text in
    if r.statement_of <> None || free (normal f) <> [] then fail "there are two statements, or one has free variables";
    note_reading r text f;
    if has "fails" then read_failure r (obj (field line "fails"));
    r.statement_of <- Some (f, text)
  end
  else fail "no known kind of line"

(* -- files ----------------------------------------------------------------------------------------------------------- *)

(* A longer line is not read: what is made of it takes many times as many bytes. *)
let most_line = 16 lsl 20

(* The next line; End_of_file if there is none. *)
let next_line stream =
  let b = Buffer.create 256 in
  let rec go () = match input_char stream with
    | '\n' -> ()
    | c ->
        if Buffer.length b >= most_line then fail "a line is longer than 16 MB";
        Buffer.add_char b c; go ()
    | exception End_of_file -> if Buffer.length b = 0 then raise End_of_file in
  go (); Buffer.contents b

let read_lines file use =
  (match (Unix.stat file).Unix.st_kind with
   | Unix.S_REG -> ()
   | _ -> fail "it is not a regular file"
   | exception Unix.Unix_error (why, _, _) -> fail (Unix.error_message why));
  let ic = open_in_bin file in
  let packed = (try really_input_string ic 2 = "\x1f\x8b" with End_of_file -> false) in
  close_in ic;
  let stream = if packed then Unix.open_process_in ("gzip -dc -- " ^ Filename.quote file ^ " 2> /dev/null") else open_in_bin file in
  let close () = if packed then Unix.close_process_in stream = Unix.WEXITED 0 else (close_in stream; true) in
  (try
     (try while true do use (next_line stream) done with End_of_file -> ());
   with problem -> ignore (close ()); raise problem);
  if not (close ()) then fail "the file is damaged"

let empty () = {
  sequences = None; family_made = []; claim_numbers = Hashtbl.create 64; more_tables = []; chains = Hashtbl.create 4;
  version = 0; variables_of = Hashtbl.create 64; bases = Hashtbl.create 8; word_of = Hashtbl.create 8;
  predicate_of = Hashtbl.create 8; definition_of = Hashtbl.create 8; tables = [||]; table_count = 0;
  identities = Hashtbl.create 64; fibonacci = Hashtbl.create 8; integers_of = Hashtbl.create 8; arguments = Hashtbl.create 8; comparisons = Hashtbl.create 8; meaning_of = Hashtbl.create 8; spoken_room = ref most_spoken; facts_made = []; readings_made = []; said = []; defs = []; recursions_made = []; solutions = []; claims_made = []; claim_parts = [||]; claim_count = 0; statement_of = None;
  sequence_of = Hashtbl.create 8; used = Hashtbl.create 8; counts_of = Hashtbl.create 8; counters_made = []; determined = Hashtbl.create 8; given = []; determinations = []; equations_made = [] }

(* After how many periods a state comes again, after how many more, and a state of this cycle after which, and the first
   numbers, the last relation refuses. *)
let guess_repeats r q first period =
  let t, _ = table_of r (List.hd r.claim_parts.(r.claim_count - 1)) in
  let after p numbers = List.fold_left (fun p mark -> step t p [ mark ]) p (beginning_of q numbers) in
  let known = Hashtbl.create 16 in
  let rec go p n = match Hashtbl.find_opt known p with
    | Some begun -> (begun, n - begun)
    | None -> Hashtbl.add known p n; go (after p period) (n + 1) in
  let begun, cycle = go 0 0 in
  let refused p = let p = after p first in p < 0 || t.outputs.(p) = 0 in
  match Hashtbl.fold (fun p n found -> if n >= begun && refused p then n :: found else found) known [] with
  | n :: _ -> (nat n, nat cycle)
  | [] -> raise (Invalid "the statement is not shown to be false for this sequence")

let family_certificate_of r q statement =
  let last_is_of_sequences = match r.claim_parts.(r.claim_count - 1) with
    | [ (_, [ x ]) ] -> x = parameter_name
    | _ -> false in
  if q.fails <> None && not last_is_of_sequences then raise (Invalid "the last claim does not say for which sequences the statement is true");
  let ends base = List.map (fun p -> if p < 0 then raise (Invalid "a number is no word beside a beginning, or 0 is not a number") else positive (p + 1))
      (after_number q (base.words, [ ""; parameter_name ])) in
  let more = List.mapi (fun i t -> ((1 lsl 30) + i + 1, table_in_coq r t)) (List.rev r.more_tables) in
  { family_of = (if q.choices > 0 then Choices (nat q.choices) else Slopes);
    family_declared = declarations_of r;
    parameter = variable r parameter_name;
    after_one = id_map r "system" r.bases ends;
    family_table = map_of (more @ List.init r.table_count (fun i -> (i + 1, table_in_coq r r.tables.(i))));
    family_patience = nat 32;
    family_lines = List.rev r.family_made;
    family_statement = statement;
    outcome = (match q.fails with None -> ForAll | Some (first, period) -> FailsFor (List.map nat first, List.map nat period));
    repeats = (match q.fails with None -> (O, O) | Some (first, period) -> guess_repeats r q first period) }

(* What is printed of a certificate about a family, if it is right. *)
let verify_family r q statement text =
  let c = family_certificate_of r q statement in
  if not (check_family c) then begin
    if not (family_good c.family_of c.family_declared c.parameter c.after_one c.family_patience) then
      raise (Invalid "the numbers are not the first ones beside a longer beginning, or there are only finitely many");
    let own = Hashtbl.fold (fun claim number l -> (number, claim) :: l) r.claim_numbers [] in
    (* which line, for the message only *)
    let rec first number state = function
      | [] -> raise (Invalid "the last claim does not say that the statement is true")
      | l :: more -> (match add_family_line c state l with
          | Some state -> first (number + 1) state more
          | None -> raise (Invalid (match List.assoc_opt number own with
              | Some claim -> Printf.sprintf "claim %d does not follow" claim
              | None -> "a constant is no number"))) in
    first 1 start_family c.family_lines
  end;
  let kind wanted = List.filter_map (fun (kind, line) -> if kind = wanted then Some (line ()) else None) (List.rev r.said) in
  let name = if q.choices > 0 then "choices" else "slopes" in
  let about = if q.choices > 0 then Printf.sprintf "choices between 1 and %d" q.choices
    else "partial quotients, numbers from 1 on: all irrational slopes [0; a_1, a_2, ...]" in
  let scope = match q.fails with
    | None -> "for all " ^ name
    | Some (first, period) -> Printf.sprintf "false for %s %s" (if q.choices > 0 then "the choices" else "the slope") (shown_sequence_of q first period) in
  [ Printf.sprintf "family %s: all sequences a_1, a_2, ... of %s; automata read a beginning beside the digits of numbers, a_1 last, each a_i as %s, \
                    and what they say beside all beginnings but finitely many is what is meant" name about
      (if q.choices > 0 then "one digit" else "its digits in binary, 2 for the first one") ]
  @ kind "system" @ kind "word" @ kind "predicate" @ kind "definition"
  @ [ Printf.sprintf "by %d claims: %s: %s" r.claim_count scope text ]

(* What is printed of a certificate, if it is right: systems, words, predicates, definitions, as fibcheck.py does. *)
let verify file : string list =
  let r = empty () in
  read_lines file (fun text -> match parse_json text with Obj line -> read_line r line | _ -> fail "a line is no object");
  match r.statement_of with
  | None -> fail "there is no statement, or no claim"
  | Some (statement, text) ->
      if r.claim_count = 0 then fail "there is no statement, or no claim";
      match r.sequences with Some q -> verify_family r q statement text | None ->
      let c = certificate_of r statement in
      if not (check c) then begin
        if not (readings_good c) then raise (Invalid "what is said of integers does not follow");
        (* which line, for the message only *)
        let rec first number state = function
          | [] ->
              if not (List.for_all (is_fact c state) c.facts) then raise (Invalid "a claim is not what a line of integers, or a floor, says it is");
              if not (List.for_all (is_counter c state) c.declared.counters) then
                raise (Invalid "what a sequence counts is not claimed for all numbers, or are not only numbers");
              raise (Invalid "the last claim does not say that the statement is true")
          | l :: more -> (match add_line c state l with
              | Some state -> first (number + 1) state more
              | None -> raise (Invalid (Printf.sprintf "claim %d does not follow" number))) in
        first 0 start_state c.lines
      end;
      let kind wanted = List.concat_map (fun (kind, line) -> if kind = wanted then String.split_on_char '\n' (line ()) else [])
          (List.rev r.said) in
      let integers = sorts r text [] in
      kind "system" @ kind "integers" @ kind "word" @ kind "predicate"
      @ List.map (fun equations -> "by induction, the only solution: " ^ equations) r.solutions @ kind "sequence"
      @ List.rev_map (fun equations -> "by induction, the only sequences: " ^ equations) r.determinations @ kind "definition"
      @ (if integers = "" then [] else [ "about numbers: " ^ text ])
      @ [ Printf.sprintf "by %d claims: %s%s%s" r.claim_count (spoken r text) integers (if text = "true" && Hashtbl.length r.counts_of > 0 then ", and each count is finite" else "") ]

(* -- limits ---------------------------------------------------------------------------------------------------------- *)

type limits = { seconds : float; bytes : float }

(* What f makes of x, unless it takes more seconds by the clock, or more memory: that is looked at when OCaml has collected
   garbage. *)
let within limits f x =
  let words = limits.bytes /. float_of_int (Sys.word_size / 8) in
  let collected () =
    if float_of_int (Gc.quick_stat ()).Gc.heap_words > words then raise (Too_large "checking it takes more memory than the limit") in
  let clock seconds = ignore (Unix.setitimer Unix.ITIMER_REAL { Unix.it_interval = 0.; it_value = seconds }) in
  Sys.set_signal Sys.sigalrm (Sys.Signal_handle (fun _ -> raise (Too_large "checking it takes more time than the limit")));
  let alarm = Gc.create_alarm collected in
  let stop () =
    clock 0.; Gc.delete_alarm alarm;
    (* What a large file leaves is not counted for the next one. *)
    if float_of_int (Gc.quick_stat ()).Gc.heap_words > words /. 8. then Gc.compact () in
  match clock limits.seconds; f x with
  | y -> stop (); y
  | exception problem -> stop (); raise problem

type verdict = Valid of string list | Refused of string | Unreadable of string

let verdict limits file =
  match within limits verify file with
  | said -> Valid said
  | exception (Malformed reason | Too_large reason) -> Unreadable reason
  | exception Invalid reason -> Refused reason
  | exception (Sys_error reason | Failure reason | Invalid_argument reason) -> Unreadable reason
  | exception Stack_overflow -> Unreadable "checking it takes more stack than there is: ulimit -s unlimited lets it have more"
  | exception (Not_found | Out_of_memory) -> Unreadable "it cannot be read"

(* One line in which nothing acts on a terminal: a certificate may hold any characters. *)
let shown text =
  let out = Buffer.create (String.length text) in
  String.iter (fun c ->
    if c >= ' ' && c <= '~' then Buffer.add_char out c else Buffer.add_string out (Printf.sprintf "\\x%02x" (Char.code c))) text;
  Buffer.contents out

(* One line for each file: for many of them. *)
let batch limits files =
  let valid = ref 0 in
  List.iter (fun file ->
      let before = Sys.time () in
      let found = verdict limits file in
      let seconds = Sys.time () -. before in
      let said = match found with
        | Valid _ -> incr valid; "VALID"
        | Refused reason -> "INVALID " ^ reason
        | Unreadable reason -> "MALFORMED " ^ reason in
      Printf.printf "%s\t%.2f\t%s\n%!" (shown file) seconds (shown said)) files;
  Printf.printf "verified %d of %d\n" !valid (List.length files);
  if files <> [] && !valid = List.length files then 0 else 1

let usage = "fibcheck-verified [LIMITS] FILE          checks a certificate and prints what has been proved\n\
             fibcheck-verified [LIMITS] --batch ...   checks many, of which standard input has the names if none is given\n\
             limits of each file: --timeout SECONDS (3600), --max-memory SIZE such as 500M or 2G (4G)"

(* Bytes: a number, with K, M, G or none of them. *)
let size text =
  let n = String.length text in
  let unit = match if n = 0 then ' ' else text.[n - 1] with 'K' -> 10 | 'M' -> 20 | 'G' -> 30 | _ -> 0 in
  Option.map (fun number -> Float.ldexp number unit) (float_of_string_opt (if unit = 0 then text else String.sub text 0 (n - 1)))

let rec main limits = function
  | "--timeout" :: seconds :: more when (match float_of_string_opt seconds with Some s -> s > 0. | None -> false) ->
      main { limits with seconds = float_of_string seconds } more
  | "--max-memory" :: bytes :: more when (match size bytes with Some b -> b > 0. | None -> false) ->
      main { limits with bytes = Option.get (size bytes) } more
  | [ "--batch" ] ->
      let files = ref [] in
      (try while true do files := input_line stdin :: !files done with End_of_file -> ());
      exit (batch limits (List.rev !files))
  | "--batch" :: files -> exit (batch limits files)
  | [ file ] when file <> "" && file.[0] <> '-' -> (
      match verdict limits file with
      | Valid said -> List.iter (fun line -> print_endline (shown line)) said; print_endline "VALID"; exit 0
      | Refused reason -> print_endline ("INVALID " ^ shown reason); exit 1
      | Unreadable reason -> prerr_endline ("no certificate: " ^ shown reason); exit 2)
  | _ -> prerr_endline usage; exit 2

let () =
  try main { seconds = 3600.; bytes = Float.ldexp 4. 30 } (List.tl (Array.to_list Sys.argv))
  with Sys_error reason -> prerr_endline ("the result cannot be written: " ^ reason); exit 2
