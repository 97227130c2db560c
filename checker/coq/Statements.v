(** What a certificate states.  This page is all of the specification: numeration systems, formulas, and [holds].
    What is printed about integers is read by [means_integers]: [Check.check_sound] says that it is what is proved to hold.
    Names (of variables, systems, words and predicates) are positive numbers, of which the program that reads a certificate
    keeps the spelling.  A digit is a natural number, a word a list of digits, the most significant one first. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive.
Import ListNotations.

(** * Automata

    They read a letter at a time, which has one digit of each track.  A state has an output, and a tree that leads from
    the digits of a letter to the next state; where there is no transition, a word is refused.  The first state is 1. *)

Notation name := positive.
Notation word := (list nat).
Notation letter := (list nat).

Inductive row :=
| Arrive (target : positive)
| Branch (children : list (nat * row)).

Fixpoint assoc {A} (digit : nat) (l : list (nat * A)) : option A :=
  match l with
  | [] => None
  | (d, a) :: l => if d =? digit then Some a else assoc digit l
  end.

Fixpoint target (r : row) (l : letter) : option positive :=
  match l, r with
  | [], Arrive q => Some q
  | d :: l, Branch children => match assoc d children with Some r => target r l | None => None end
  | _, _ => None
  end.

Definition automaton := PositiveMap.t (Z * row).

Definition step (a : automaton) (state : option positive) (l : letter) : option positive :=
  match state with
  | Some q => match PositiveMap.find q a with Some (_, r) => target r l | None => None end
  | None => None
  end.

Definition run (a : automaton) (ls : list letter) : option positive := fold_left (step a) ls (Some 1%positive).

Definition output (a : automaton) (state : option positive) : option Z :=
  match state with Some q => option_map fst (PositiveMap.find q a) | None => None end.

Definition accepting (a : automaton) (state : option positive) : bool :=
  match output a state with Some z => negb (z =? 0)%Z | None => false end.

Definition accepts (a : automaton) (ls : list letter) : bool := accepting a (run a ls).

(** * Numeration systems

    A system is a set of words.  With w, 0w is a word, too (the checker makes sure of it), so let all words have one length:
    then w represents the number of those before it in the order of the alphabet.  So of the words that do not begin with 0,
    by length, and those of one length by the alphabet, the n-th represents n ([Numeration.each_number_has_one_word]). *)

Record system := { digits : nat; numbers : automaton }.

Definition in_system (s : system) (w : word) : bool :=
  forallb (fun d => d <? digits s) w && accepts (numbers s) (map (fun d => [d]) w).

Fixpoint words (digits length : nat) : list word :=
  match length with
  | 0 => [[]]
  | S n => flat_map (fun d => map (cons d) (words digits n)) (seq 0 digits)
  end.

Fixpoint before (u w : word) : bool :=
  match u, w with
  | a :: u, b :: w => (a <? b) || ((a =? b) && before u w)
  | _, _ => false
  end.

Definition place (s : system) (w : word) : nat :=
  length (filter (fun u => in_system s u && before u w) (words (digits s) (length w))).

Definition represents (s : system) (w : word) (n : nat) : Prop := in_system s w = true /\ place s w = n.

(** * Formulas *)

Record sum := { terms : list (N * name); constant : N }.

Inductive comparison := Less | AtMost | Equal | Different.

Inductive formula :=
| Truth (value : bool)
| Compare (left : sum) (sign : comparison) (right : sum)
| LetterAt (sequence : name) (index : list name) (value : Z)
| Call (predicate : name) (arguments : list name)
| Not (f : formula)
| And (f g : formula)
| Or (f g : formula)
| Implies (f g : formula)
| Iff (f g : formula)
| Exists (bound : list name) (f : formula)
| All (bound : list name) (f : formula)
| AtLeast (number : N) (bound : list name) (f : formula).

Notation values := (name -> nat). (* of all variables *)

Definition value (s : sum) (v : values) : nat :=
  N.to_nat (constant s) + list_sum (map (fun t => N.to_nat (fst t) * v (snd t)) (terms s)).

(** Two values of the variables differ at some of them at most. *)
Definition same_but (bound : list name) (v v' : values) : Prop := forall x, ~ In x bound -> v' x = v x.

Fixpoint pairwise {A} (R : A -> A -> Prop) (l : list A) : Prop :=
  match l with
  | [] => True
  | a :: l => (forall b, In b l -> R a b) /\ pairwise R l
  end.

(** Solutions that differ at some of the variables, and at no others from v. *)
Definition solutions (bound : list name) (f : values -> Prop) (v : values) (found : list values) : Prop :=
  pairwise (fun v1 v2 => exists x, In x bound /\ v1 x <> v2 x) found
  /\ forall v', In v' found -> same_but bound v v' /\ f v'.

Section Meaning.

(** The n-th letter of a word (n may be several numbers), and what is true of numbers by the name of a predicate. *)
Variable letters : name -> list nat -> Z -> Prop.
Variable calls : name -> list nat -> Prop.

Fixpoint means (f : formula) (v : values) : Prop :=
  match f with
  | Truth b => b = true
  | Compare l Less r => value l v < value r v
  | Compare l AtMost r => value l v <= value r v
  | Compare l Equal r => value l v = value r v
  | Compare l Different r => value l v <> value r v
  | LetterAt w index a => letters w (map v index) a
  | Call p arguments => calls p (map v arguments)
  | Not f => ~ means f v
  | And f g => means f v /\ means g v
  | Or f g => means f v \/ means g v
  | Implies f g => means f v -> means g v
  | Iff f g => means f v <-> means g v
  | Exists bound f => exists v', same_but bound v v' /\ means f v'
  | All bound f => forall v', same_but bound v v' -> means f v'
  | AtLeast k bound f => exists found, length found = N.to_nat k /\ solutions bound (means f) v found
  end.

(** ** Integers

    The number n with the digits d_j, ..., d_0 in base k stands for the integer d_0 - d_1 k + d_2 k^2 - ..., and that with
    the greedy digits by 1, 2, 3, 5, ... for d_0 - d_1 + 2 d_2 - 3 d_3 + ... in negaFibonacci, each integer for one number
    ([Integers.each_integer_has_one_number]).  So a variable for integers has numbers as its values, and [kinds] says how
    they stand for integers.  Sums are compared as integers; letters, and what is true by name, are those at the numbers. *)
Fixpoint in_negative_base (k length n : nat) : Z :=
  match length with
  | O => 0
  | S length => Z.of_nat (n mod k) - Z.of_nat k * in_negative_base k length (n / k)
  end%Z.

Fixpoint fibonacci (i : nat) : nat :=
  match i with 0 => 1 | S j => match j with 0 => 1 | S k => fibonacci j + fibonacci k end end.

Fixpoint in_negafibonacci (length n : nat) : Z :=
  match length with
  | O => 0%Z
  | S i => if n <? fibonacci length then in_negafibonacci i n
           else let rest := in_negafibonacci i (n - fibonacci length) in
                if Nat.even i then (rest + Z.of_nat (fibonacci i))%Z else (rest - Z.of_nat (fibonacci i))%Z
  end.

Inductive integers_in := NegativeBase (k : nat) | NegaFibonacci.

Definition integer (i : integers_in) (n : nat) : Z :=
  match i with NegativeBase k => in_negative_base k n n | NegaFibonacci => in_negafibonacci n n end.

Variable kinds : name -> option integers_in.

Definition integer_value (s : sum) (v : values) : Z :=
  let value x := match kinds x with Some i => integer i (v x) | None => Z.of_nat (v x) end in
  (Z.of_N (constant s) + fold_right (fun t z => Z.of_N (fst t) * value (snd t) + z) 0 (terms s))%Z.

Fixpoint means_integers (f : formula) (v : values) : Prop :=
  match f with
  | Compare l Less r => (integer_value l v < integer_value r v)%Z
  | Compare l AtMost r => (integer_value l v <= integer_value r v)%Z
  | Compare l Equal r => integer_value l v = integer_value r v
  | Compare l Different r => integer_value l v <> integer_value r v
  | Not f => ~ means_integers f v
  | And f g => means_integers f v /\ means_integers g v
  | Or f g => means_integers f v \/ means_integers g v
  | Implies f g => means_integers f v -> means_integers g v
  | Iff f g => means_integers f v <-> means_integers g v
  | Exists bound f => exists v', same_but bound v v' /\ means_integers f v'
  | All bound f => forall v', same_but bound v v' -> means_integers f v'
  | AtLeast k bound f => exists found, length found = N.to_nat k /\ solutions bound (means_integers f) v found
  | _ => means f v
  end.

End Meaning.

(** * Sequences of rational numbers

    A linear representation has a row, a matrix for each digit, and a column; entries that are not written are 0.  The term
    along a word is the row, times the matrices of its digits, times the column.  Letters that an automaton puts out are
    numbers, too. *)

From Coq Require Import QArith.
Open Scope Q_scope.

Notation place_in := positive.
Notation entries := (list (place_in * Q)).

Record representation := { initial : entries; matrices : list (PositiveMap.t entries); final : PositiveMap.t Q }.

Definition dot (r : entries) (c : place_in -> Q) : Q := fold_right (fun t s => snd t * c (fst t) + s) 0 r.

(** The column after a word: the matrices of its digits times the last column. *)
Fixpoint after (r : representation) (w : word) (i : place_in) : Q :=
  match w with
  | [] => match PositiveMap.find i (final r) with Some q => q | None => 0 end
  | d :: w =>
      match nth_error (matrices r) d with
      | Some m => match PositiveMap.find i m with Some row => dot row (after r w) | None => 0 end
      | None => 0
      end
  end.

Inductive sequence := Linear (r : representation) | Letters (m : automaton).

Definition term (a : sequence) (w : word) : Q :=
  match a with
  | Linear r => dot (initial r) (after r w)
  | Letters m => match output m (run m (map (fun d => [d]) w)) with Some z => inject_Z z | None => 0 end
  end.

(** For all values for which a formula is true, the term of a sequence at a variable is a sum of multiples of products of
    terms at variables. *)
Record equation := { left_side : name * name; condition : formula; right_side : list (Q * list (name * name)) }.

(** A sequence that counts the values of some variables for which a formula is true, by the value of another one. *)
Record counter := { counted_by : name; index_of : name; variables_counted : list name; formula_counted : formula }.

Section Terms.
Variable terms : name -> nat -> Q.
Variable v : values.

Definition product (factors : list (name * name)) : Q :=
  fold_right (fun f p => terms (fst f) (v (snd f)) * p) 1 factors.

Definition sum_of_products (l : list (Q * list (name * name))) : Q :=
  fold_right (fun t s => fst t * product (snd t) + s) 0 l.
End Terms.

Close Scope Q_scope.

(** * Declarations

    A word and a predicate are automata over systems.  A recursion is some equations, in the form of definitions, which
    define nothing: see [only_solution].  Nor do equations of sequences, after the names of these: see [only_sequences]. *)

Record definition := { defined : name; parameters : list name; body : formula }.

Record declarations := {
  systems : PositiveMap.t system;
  variables : PositiveMap.t name;
  word_automata : PositiveMap.t (list name * automaton);
  predicates : PositiveMap.t (list name * automaton);
  definitions : list definition (* the last one first *);
  recursions : list (list definition);
  sequences : PositiveMap.t (name * sequence) (* with their systems *);
  counters : list counter;
  equations : list (list name * list equation)
}.

Definition track (i : nat) (ls : list letter) : word := map (fun l => nth i l 0) ls.

(** The tracks of letters are words of these systems, of one length, that represent these numbers. *)
Definition read (d : declarations) (of : list name) (ls : list letter) (ns : list nat) : Prop :=
  length of = length ns /\ (forall l, In l ls -> length l = length of)
  /\ forall i, i < length of -> exists s, PositiveMap.find (nth i of 1%positive) (systems d) = Some s
                               /\ represents s (track i ls) (nth i ns 0).

Definition letters_of (d : declarations) (w : name) (ns : list nat) (a : Z) : Prop :=
  exists of m ls, PositiveMap.find w (word_automata d) = Some (of, m) /\ read d of ls ns /\ output m (run m ls) = Some a.

Definition accepted (d : declarations) (p : name) (ns : list nat) : Prop :=
  exists of m ls, PositiveMap.find p (predicates d) = Some (of, m) /\ read d of ls ns /\ accepts m ls = true.

(** What is true by name, if the predicates are these: a definition may call predicates and earlier definitions. *)
Fixpoint calls_by (letters : name -> list nat -> Z -> Prop) (base : name -> list nat -> Prop) (defs : list definition)
  (p : name) (ns : list nat) : Prop :=
  match defs with
  | [] => base p ns
  | def :: earlier =>
      if Pos.eqb (defined def) p
      then exists v, map v (parameters def) = ns /\ means letters (calls_by letters base earlier) (body def) v
      else calls_by letters base earlier p ns
  end.
Notation calls_of d := (calls_by (letters_of d)).

(** ** Recursions

    In an equation P(x) <=> F, F may call P itself, and the predicates of other equations. *)

Definition satisfy (d : declarations) (base : name -> list nat -> Prop) (equations : list definition) : Prop :=
  forall e, In e equations -> forall v,
    base (defined e) (map v (parameters e)) <-> means (letters_of d) (calls_of d base (definitions d)) (body e) v.

(** The automata satisfy the equations.  So do no others: if, in place of the predicates that the equations are about,
    there are any sets of tuples that satisfy them, these are the same sets. *)
Definition only_solution (d : declarations) (equations : list definition) : Prop :=
  satisfy d (accepted d) equations
  /\ forall others : name -> list nat -> Prop,
       (forall p, ~ In p (map defined equations) -> forall ns, others p ns <-> accepted d p ns) ->
       satisfy d others equations ->
       forall e, In e equations -> forall v,
         others (defined e) (map v (parameters e)) <-> accepted d (defined e) (map v (parameters e)).

(** ** Equations of sequences *)

(** These numbers are the terms of a sequence that is declared, of its n-th term for each way to write n. *)
Definition declared_terms (d : declarations) (a : name) (terms : nat -> Q) : Prop :=
  forall of m s w n, PositiveMap.find a (sequences d) = Some (of, m) -> PositiveMap.find of (systems d) = Some s ->
    represents s w n -> (terms n == term m w)%Q.
Definition satisfy_equations (d : declarations) (terms : name -> nat -> Q) (l : list equation) : Prop :=
  forall e, In e l -> forall v, means (letters_of d) (calls_of d (accepted d) (definitions d)) (condition e) v ->
    (terms (fst (left_side e)) (v (snd (left_side e))) == sum_of_products terms v (right_side e))%Q.

(** For all values, all solutions are those of a list, up to other variables, and the term is its length. *)
Definition counts_solutions (d : declarations) (c : counter) : Prop :=
  let f := means (letters_of d) (calls_of d (accepted d) (definitions d)) (formula_counted c) in
  forall v, exists found, solutions (variables_counted c) f v found
  /\ (forall v', same_but (variables_counted c) v v' -> f v' ->
      exists u, In u found /\ forall x, In x (variables_counted c) -> u x = v' x)
  /\ exists of m s, PositiveMap.find (counted_by c) (sequences d) = Some (of, m) /\ PositiveMap.find of (systems d) = Some s
     /\ forall w, represents s w (v (index_of c)) -> (term m w == inject_Z (Z.of_nat (length found)))%Q.

(** The sequences declared satisfy the equations.  So do no others in place of those with these names. *)
Definition only_sequences (d : declarations) (names : list name) (l : list equation) : Prop :=
  exists terms, (forall a, declared_terms d a (terms a)) /\ satisfy_equations d terms l
  /\ forall others, (forall a, ~ In a names -> forall n, (others a n == terms a n)%Q) -> satisfy_equations d others l ->
     forall a n, (others a n == terms a n)%Q.

(** * What a certificate states

    Its statement is true; the recursions that it prints have no other solutions than the predicates declared, nor have the
    equations of sequences others than the sequences declared; and these count what it prints that they count. *)
Definition holds (d : declarations) (statement : formula) : Prop :=
  (forall v, means (letters_of d) (calls_of d (accepted d) (definitions d)) statement v)
  /\ (forall equations, In equations (recursions d) -> only_solution d equations)
  /\ (forall names l, In (names, l) (equations d) -> only_sequences d names l)
  /\ forall c, In c (counters d) -> counts_solutions d c.
