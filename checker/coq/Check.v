(** The checker, and why it is right. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive QArith Lia.
From Fibcheck Require Import Statements Numeration Columns Walks Forms Definitions Claims Atoms Exists Count Linear Recursion Sequences CountedTerms Integers.
Import ListNotations.
Open Scope nat_scope.

(** Claims are numbered from 1, recursions and equations of sequences from 0.  The facts of a certificate are formulas that are printed as what its
    names mean, each with the claim that says it.  Words of constants, sets of states, and kinds of rows are guesses. *)
Inductive rule :=
| RuleAny (f : formula)
| RuleAtom (f : formula) (w : word)
| RuleDefinition (of : positive) (p : name) (arguments : list name)
| RuleAddition (zero next : positive) (p : name) (variables : list name)
| RuleLinear (of : positive) (names : list (name * name)) (f : formula)
| RuleShare (body equation : positive) (old new : name)
| RuleAnd (of : list positive)
| RuleOr (of : list positive) (f : formula)
| RuleNot (of : positive)
| RuleIff (left right : positive)
| RuleExists (of : positive) (bound : list name) (found : guess)
| RuleCount (of : positive) (number : N) (bound : list name) (guess : counted)
| RuleRecursion (of : list positive) (number : nat) (weights : list (list N))
| RuleSequences (of : list positive) (number : nat) (proofs : list (positive * PositiveMap.t (list (list (place_of_products * Q))))).

Record line := { relation_of : part; guards_of : list part; rule_of : rule }.

Record certificate := {
  declared : declarations;
  pumps : PositiveMap.t pump;
  table : automata;
  patience : nat;
  lines : list line;
  facts : list (positive * formula);
  counter_proofs : list (positive * nat) (* for each counter a claim, and how many zeros come first *);
  integer_variables : PositiveMap.t integers_in (* how they stand for integers *);
  integer_comparisons : list compared;
  readings : list (formula * formula);
  statement : formula
}.

(** ** The checker *)

Section Checker.
Variable c : certificate.
Notation d := (declared c).

(** Settled are the recursions, and the equations of sequences, of which it is known that they have no other solution. *)
Record state := { claims : PositiveMap.t claim; fresh_number : positive; additions : list name; settled : list nat;
                  solved : list nat }.

Definition claims_of (s : state) (of : list positive) : option (list claim) :=
  all_some (map (fun i => PositiveMap.find i (claims s)) of).

Definition apply_rule (s : state) (r : part) (gs : list part) (u : rule) : option form :=
  let t := table c in
  let n := patience c in
  let claim i := PositiveMap.find i (claims s) in
  match u with
  | RuleAny f => if check_any d t n gs then norm f else None
  | RuleAtom f w => match norm f with Some f => if check_atom d t n r gs f w then Some f else None | None => None end
  | RuleDefinition i p arguments =>
      match claim i, find (fun e => Pos.eqb (defined e) p) (definitions d) with
      | Some cl, Some e =>
          match norm (body e) with
          | Some b => if check_definition d t n r gs cl (parameters e) arguments b then Some (Pred p arguments) else None
          | None => None
          end
      | _, _ => None
      end
  | RuleAddition i j p xs =>
      match claim i, claim j with
      | Some ci, Some cj => if check_addition t ci cj p xs && check_and d t n r gs [] then Some TRUE else None
      | _, _ => None
      end
  | RuleLinear i names f =>
      match claim i, norm f with
      | Some cl, Some f => if check_linear d t n (additions s) r gs cl names f then Some f else None
      | _, _ => None
      end
  | RuleShare i j old new =>
      match claim i, claim j with
      | Some b, Some e => if check_share d t n r gs b e old new
                          then option_map (exists_form [old]) (conjunction [fact e; fact b]) else None
      | _, _ => None
      end
  | RuleAnd of =>
      match claims_of s of with
      | Some l => if check_and d t n r gs l then conjunction (map fact l) else None
      | None => None
      end
  | RuleOr of f =>
      match claims_of s of, norm f with
      | Some l, Some f => if check_or d t n r gs l f then Some f else None
      | _, _ => None
      end
  | RuleNot i => match claim i with Some cl => if check_not d t n r gs cl then Some (negation (fact cl)) else None | None => None end
  | RuleIff i j =>
      match claim i, claim j with
      | Some a, Some b => if check_iff d t n r gs a b then Some (equivalence (fact a) (fact b)) else None
      | _, _ => None
      end
  | RuleExists i bound h =>
      match claim i with
      | Some cl => if check_exists d t n r gs cl bound h then Some (exists_form bound (fact cl)) else None
      | None => None
      end
  | RuleCount i k bound h =>
      let bound := union Pos.compare [] bound in
      match claim i with
      | Some cl => if check_count d t n r gs cl k bound h && subset bound (free (fact cl))
                   then Some (Count k bound (fact cl)) else None
      | None => None
      end
  | RuleRecursion of k ws =>
      match claims_of s of, nth_error (recursions d) k with
      | Some l, Some es => if check_recursion d t l es ws && check_and d t n r gs [] then Some TRUE else None
      | _, _ => None
      end
  | RuleSequences of k ps =>
      match claims_of s of, nth_error (equations d) k,
            all_some (map (fun t => option_map (fun c => (c, snd t)) (claim (fst t))) ps) with
      | Some l, Some (names, es), Some ps => if check_sequences d t l names es ps && check_and d t n r gs [] then Some TRUE else None
      | _, _, _ => None
      end
  end.

Definition add_line (s : state) (l : line) : option state :=
  let r := relation_of l in
  let gs := guards_of l in
  if forallb (sound_part d (table c)) (r :: gs)
  then match apply_rule s r gs (rule_of l) with
       | Some f => Some {| claims := PositiveMap.add (fresh_number s) {| rel := r; guards := gs; fact := f |} (claims s);
                           fresh_number := Pos.succ (fresh_number s);
                           additions := match rule_of l with RuleAddition _ _ p _ => p :: additions s | _ => additions s end;
                           settled := match rule_of l with RuleRecursion _ k _ => k :: settled s | _ => settled s end;
                           solved := match rule_of l with RuleSequences _ k _ => k :: solved s | _ => solved s end |}
       | None => None
       end
  else None.

Fixpoint add_lines (s : state) (ls : list line) : option state :=
  match ls with
  | [] => Some s
  | l :: ls => match add_line s l with Some s => add_lines s ls | None => None end
  end.

Definition start_state : state := {| claims := PositiveMap.empty _; fresh_number := 1; additions := []; settled := []; solved := [] |}.

Definition is_fact (s : state) (fact : positive * formula) : bool :=
  match PositiveMap.find (fst fact) (claims s), norm (snd fact) with Some cl, Some f => says (table c) cl f | _, _ => false end.

Definition is_counter (s : state) (e : counter) : bool :=
  existsb (fun t => match PositiveMap.find (fst t) (claims s) with
                    | Some cl => check_counter d (table c) (patience c) e cl (snd t)
                    | None => false
                    end) (counter_proofs c).

Definition kinds (x : name) : option integers_in := PositiveMap.find x (integer_variables c).

Definition comparison_good (e : compared) : bool :=
  integers_good (map snd (facts c)) (of_integers e)
  && different (map fst (with_even e) ++ map snd (with_even e))
  && forallb (fun t => mem (snd t) (map fst (with_even e))) (terms (lower e) ++ terms (upper e))
  && match find (fun o => Pos.eqb (defined o) (named e)) (definitions d) with
     | Some o => formula_eqb (Exists (parameters o) (body o))
                   (Exists (map fst (with_even e)) (comparison_body (factor (of_integers e)) (relates (of_integers e)) (with_even e) (lower e) (sign_of e) (upper e)))
     | None => false
     end.

Definition readings_good : bool :=
  forallb comparison_good (integer_comparisons c)
  && forallb (fun t => corresponds kinds (integer_comparisons c) (fst t) (snd t)) (readings c).

Definition check : bool :=
  systems_good d (pumps c) && definitions_good (definitions d)
  && match add_lines start_state (lines c), norm (statement c) with
     | Some s, Some f =>
         match PositiveMap.find (Pos.pred (fresh_number s)) (claims s) with Some last => says (table c) last f | None => false end
         && forallb (fun k => existsb (Nat.eqb k) (settled s)) (seq 0 (length (recursions d)))
         && forallb (fun k => existsb (Nat.eqb k) (solved s)) (seq 0 (length (equations d)))
         && forallb (is_fact s) (facts c) && readings_good && forallb (is_counter s) (counters d)
     | _, _ => false
     end.

(** ** Soundness *)

Hypothesis classic : excluded_middle.
Hypothesis good : systems_good d (pumps c) = true.
Hypothesis defs : definitions_good (definitions d) = true.

Definition settles (k : nat) : Prop := exists es, nth_error (recursions d) k = Some es /\ only_solution d es.
Definition solves (k : nat) : Prop := exists names es, nth_error (equations d) k = Some (names, es) /\ only_sequences d names es.

Definition sound_state (s : state) : Prop :=
  (forall i cl, PositiveMap.find i (claims s) = Some cl -> ok d (table c) cl)
  /\ (forall p, In p (additions s) -> adds (cf d) p)
  /\ (forall k, In k (settled s) -> settles k)
  /\ forall k, In k (solved s) -> solves k.

Lemma claims_of_ok s of l : sound_state s -> claims_of s of = Some l -> forall cl, In cl l -> ok d (table c) cl.
Proof.
  intros [O _] H cl I. unfold claims_of in H. apply all_some_in in H as [_ B]. destruct (B cl I) as (i & _ & F).
  now apply O in F.
Qed.

Lemma apply_rule_sound s r gs u f : sound_state s -> forallb (sound_part d (table c)) (r :: gs) = true ->
  apply_rule s r gs u = Some f ->
  follows d (table c) r gs f /\ match u with RuleAddition _ _ p _ => adds (cf d) p | RuleRecursion _ k _ => settles k
                               | RuleSequences _ k _ => solves k | _ => True end.
Proof.
  intros SS SP H. pose proof SS as (O & AD & _).
  assert (OK : forall of l, claims_of s of = Some l -> forall cl, In cl l -> valid d (table c) cl) by (intros of l E cl I; now apply (claims_of_ok _ _ _ SS E) in I as [V _]).
  assert (V : forall i cl, PositiveMap.find i (claims s) = Some cl -> valid d (table c) cl) by (intros i cl F; now apply O in F as [V _]).
  destruct u as [g|g w|i p args|i j p xs|i ns g|i j old new|of|of g|i|i j|i bound h|i k bound h|of k ws|of k ps]; cbn [apply_rule] in H;
    repeat match goal with
      | H : match norm ?g with _ => _ end = _ |- _ => destruct (norm g) eqn:?; try discriminate
      | H : match claims_of ?s ?of with _ => _ end = _ |- _ => destruct (claims_of s of) eqn:?; try discriminate
      | H : match PositiveMap.find ?i ?m with _ => _ end = _ |- _ => destruct (PositiveMap.find i m) eqn:?; try discriminate
      | H : match nth_error ?l ?k with _ => _ end = _ |- _ => destruct (nth_error l k) eqn:?; try discriminate
      | H : match all_some ?l with _ => _ end = _ |- _ => destruct (all_some l) eqn:?; try discriminate
      | H : (let (_, _) := ?p in _) = _ |- _ => destruct p
      | H : match find ?f ?l with _ => _ end = _ |- _ => destruct (find f l) eqn:?; try discriminate
      | H : (if ?b then _ else _) = _ |- _ => destruct b eqn:?; try discriminate
      end; (split; [|auto]).
  - eapply check_any_sound; eauto.
  - injection H as <-. eapply check_atom_sound; eauto.
  - injection H as <-. eapply check_definition_sound; eauto. intros ns. apply definition_meaning; auto.
  - injection H as <-. apply andb_true_iff in Heqb as [_ A]. eapply check_and_sound; eauto. intros cl [].
  - apply andb_true_iff in Heqb as [A _]. eapply check_addition_sound; eauto.
  - injection H as <-. eapply check_linear_sound; eauto.
  - destruct (conjunction _) as [k|] eqn:K; try discriminate. injection H as <-. eapply check_share_sound; eauto.
  - eapply check_and_sound; eauto.
  - injection H as <-. eapply check_or_sound; eauto.
  - injection H as <-. eapply check_not_sound; eauto.
  - injection H as <-. eapply check_iff_sound; eauto.
  - injection H as <-. eapply check_exists_sound; eauto.
  - injection H as <-. apply andb_true_iff in Heqb as [A _]. eapply check_count_sound; eauto.
  - injection H as <-. apply andb_true_iff in Heqb as [_ A]. eapply check_and_sound; eauto. intros cl [].
  - apply andb_true_iff in Heqb as [A _]. eexists. split; [eassumption|].
    eapply check_recursion_sound; eauto. eapply claims_of_ok; eauto.
  - injection H as <-. apply andb_true_iff in Heqb as [_ A]. eapply check_and_sound; eauto. intros cl [].
  - apply andb_true_iff in Heqb as [A _]. do 2 eexists. split; [eassumption|].
    eapply check_sequences_sound; eauto. { eapply claims_of_ok; eauto. }
    intros [cl b] I. cbn [fst].
    match goal with E : all_some _ = Some _ |- _ => apply all_some_in in E as [_ E]; apply E in I as ([j b'] & _ & E1) end.
    cbn [fst snd] in E1. destruct (PositiveMap.find j (claims s)) eqn:F; try discriminate. injection E1 as <- <-.
    now apply O in F.
Qed.

Lemma add_lines_sound ls : forall s s', sound_state s -> add_lines s ls = Some s' -> sound_state s'.
Proof.
  induction ls as [|l ls IH]; intros s s' S H; cbn [add_lines] in H.
  - injection H as <-. auto.
  - destruct (add_line s l) as [t|] eqn:E; try discriminate. apply (IH t s'); auto. clear IH H.
    unfold add_line in E. cbv zeta in E. destruct (forallb _ _) eqn:SP; try discriminate.
    destruct (apply_rule _ _ _ _) as [f|] eqn:A; try discriminate. injection E as <-.
    destruct (apply_rule_sound _ _ _ _ _ S SP A) as [F AD]. destruct S as (O & B & Z & Y). repeat apply conj; cbn [claims additions settled solved].
    + intros i cl. destruct (Pos.eq_dec i (fresh_number s)) as [->|N].
      * rewrite PositiveMap.gss. intros [= <-]. split; auto.
      * rewrite PositiveMap.gso by auto. apply O.
    + destruct (rule_of l); auto. intros q [<-|I]; auto.
    + destruct (rule_of l); auto. intros q [<-|I]; auto.
    + destruct (rule_of l); auto. intros q [<-|I]; auto.
Qed.

(** What is said of integers is said of the numbers that stand for them, if the facts are true. *)
Lemma readings_sound : readings_good = true ->
  (forall f, In f (map snd (facts c)) -> forall v, means (letters_of d) (calls_of d (accepted d) (definitions d)) f v) ->
  forall f g, In (f, g) (readings c) -> forall v,
    means_integers (letters_of d) (calls_of d (accepted d) (definitions d)) kinds f v
    <-> means (letters_of d) (calls_of d (accepted d) (definitions d)) g v.
Proof.
  unfold readings_good. rewrite andb_true_iff, !forallb_forall. intros [C R] F f g I v.
  apply R in I. cbn [fst snd] in I. revert I. apply corresponds_sound; clear f g v R.
  - intros e I ns. apply C in I. unfold comparison_good in I. rewrite !andb_true_iff in I. destruct I as [[[G D] V] O].
    destruct (find _ _) as [o|] eqn:Fo; [|discriminate]. apply formula_eqb_eq in O. injection O as P B.
    pose proof (find_some _ _ Fo) as [_ N]. rewrite (definition_meaning _ _ _ o (named e) defs Fo). rewrite P, B.
    rewrite forallb_forall in V.
    pose proof (even_means _ _ _ _ G F) as E.
    split; intros (w & W & T); exists w; split; auto; revert T;
      apply (body_means _ _ (factor (of_integers e)) (integer (written_in (of_integers e)))); auto;
      intros x J; apply mem_in; destruct J as [J|J]; apply in_map_iff in J as (t & <- & J); apply V, in_app_iff; auto.
  - intros e I. apply C in I. unfold comparison_good in I. rewrite !andb_true_iff in I. destruct I as [[[_ D] V] _].
    apply different_app in D as [D _]. split; auto. rewrite forallb_forall in V.
    intros x J. apply mem_in. destruct J as [J|J]; apply in_map_iff in J as (t & <- & J); apply V, in_app_iff; auto.
Qed.
End Checker.

Theorem check_sound : excluded_middle -> forall c, check c = true ->
  holds (declared c) (statement c) /\ (forall i f, In (i, f) (facts c) -> holds (declared c) f)
  /\ forall f g, In (f, g) (readings c) -> forall v,
       means_integers (letters_of (declared c)) (calls_of (declared c) (accepted (declared c)) (definitions (declared c))) (kinds c) f v
       <-> means (letters_of (declared c)) (calls_of (declared c) (accepted (declared c)) (definitions (declared c))) g v.
Proof.
  intros classic c H. unfold check in H. rewrite !andb_true_iff in H. destruct H as [[S D] H].
  destruct (add_lines c start_state (lines c)) as [s|] eqn:L; try discriminate.
  destruct (norm (statement c)) as [f|] eqn:N; try discriminate. rewrite !andb_true_iff in H. destruct H as [[[[[H R] RS] FS] RD] CT].
  destruct (PositiveMap.find _ (claims s)) as [last|] eqn:F; try discriminate.
  assert (T : sound_state c start_state).
  { repeat apply conj; simpl; [|intros p []|intros k []|intros k []]. intros i cl E. rewrite PositiveMap.gempty in E. discriminate. }
  apply (add_lines_sound c classic S D _ _ _ T) in L as (O & _ & K & KS).
  assert (U : forall es, In es (recursions (declared c)) -> only_solution (declared c) es).
  { intros es I. apply In_nth_error in I as (k & E). rewrite forallb_forall in R.
    assert (J : In k (settled s)).
    { specialize (R k). rewrite existsb_exists in R. destruct R as (q & Q & Eq).
      - apply in_seq. split; [lia|]. apply nth_error_Some. congruence.
      - apply Nat.eqb_eq in Eq. now subst. }
    destruct (K k J) as (es' & E' & X). congruence. }
  assert (US : forall names es, In (names, es) (equations (declared c)) -> only_sequences (declared c) names es).
  { intros names es I. apply In_nth_error in I as (k & E). rewrite forallb_forall in RS.
    assert (J : In k (solved s)).
    { specialize (RS k). rewrite existsb_exists in RS. destruct RS as (q & Q & Eq).
      - apply in_seq. split; [lia|]. apply nth_error_Some. congruence.
      - apply Nat.eqb_eq in Eq. now subst. }
    destruct (KS k J) as (names' & es' & E' & X). congruence. }
  assert (UC : forall e, In e (counters (declared c)) -> counts_solutions (declared c) e).
  { intros e I. rewrite forallb_forall in CT. apply CT in I. apply existsb_exists in I as ([i n] & _ & I). cbn [fst snd] in I.
    destruct (PositiveMap.find i (claims s)) as [cl|] eqn:C; try discriminate. apply O in C as [V _].
    exact (check_counter_sound _ _ _ _ S classic _ _ _ I V). }
  assert (FT : forall i g, In (i, g) (facts c) -> holds (declared c) g).
  { intros i g I. split; [|auto]. intros v. rewrite forallb_forall in FS. apply FS in I. unfold is_fact in I. cbn [fst snd] in I.
    destruct (PositiveMap.find i (claims s)) as [cl|] eqn:C; try discriminate.
    destruct (norm g) as [h|] eqn:G; try discriminate.
    apply O in C. apply (norm_true _ _ classic _ _ v G). eapply says_true; eauto. }
  split; [|split; auto].
  - apply O in F. split; [|auto]. intros v. apply (norm_true _ _ classic _ _ v N). eapply says_true; eauto.
  - intros f' g I. apply readings_sound; auto. intros h J. apply in_map_iff in J as ([i h'] & <- & J). now apply FT in J as [J _].
Qed.

Print Assumptions check_sound.
