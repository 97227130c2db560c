(** Projections: E x F, by sets of states, which the program that reads certificates guesses, forward or backward. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements Numeration Columns Walks Forms Claims.
Import ListNotations.

(** An automaton whose states stand for sets of states of another one; how many zeros are in front. *)
Record subsets := { over : automaton; sets : PositiveMap.t (list positive); depth : nat }.

Section Sets.
Variables (m : automaton) (xs kept : list name).

Definition column_of (known : digits_known) : column := fun x => match lookup x known with Some d => d | None => 0 end.

Definition option_is (q : option positive) (t : positive) : bool := match q with Some q => Pos.eqb q t | None => false end.

(** Where letters lead that have the digits of a column at the tracks that are kept. *)
Definition after_state (q : positive) (c : column) : list positive :=
  match PositiveMap.find q m with
  | Some (_, r) =>
      map snd (filter (fun '(known, t) => forallb (fun x => column_of known x =? c x) kept
                                          && option_is (target r (map (column_of known) xs)) t)
                 (expand r xs (map (fun x => (x, c x)) kept)))
  | None => []
  end.

Definition after (states : list positive) (c : column) : PositiveMap.t unit :=
  fold_left (fun found q => fold_left (fun found t => PositiveMap.add t tt found) (after_state q c) found) states
    (PositiveMap.empty _).

Definition among (q : positive) (found : PositiveMap.t unit) : bool :=
  match PositiveMap.find q found with Some _ => true | None => false end.

Definition led (q : positive) (c : column) (t : positive) : Prop :=
  exists e : column, (forall x, In x kept -> e x = c x) /\ step m (Some q) (map e xs) = Some t.

Lemma after_state_led q c t : In t (after_state q c) -> led q c t.
Proof.
  unfold after_state. destruct (PositiveMap.find q m) as [[z r]|] eqn:F; [|intros []].
  intros I. apply in_map_iff in I as ([known t'] & <- & I). apply filter_In in I as [_ I]. simpl.
  apply andb_true_iff in I as [K T]. rewrite forallb_forall in K. exists (column_of known). split.
  - intros x X. apply Nat.eqb_eq. auto.
  - unfold step. rewrite F. unfold option_is in T. destruct (target _ _); try discriminate.
    apply Pos.eqb_eq in T. now subst.
Qed.

Lemma among_add ts : forall found t, among t (fold_left (fun found t => PositiveMap.add t tt found) ts found) = true ->
  In t ts \/ among t found = true.
Proof.
  induction ts as [|u ts IH]; intros found t A; simpl in *; auto. apply IH in A as [A|A]; auto.
  unfold among in A. destruct (Pos.eq_dec t u) as [->|N]; auto. rewrite PositiveMap.gso in A by auto. auto.
Qed.

Lemma after_led states c t : among t (after states c) = true -> exists q, In q states /\ led q c t.
Proof.
  unfold after. intros A.
  enough (B : (exists q, In q states /\ led q c t) \/ among t (PositiveMap.empty unit) = true).
  { destruct B as [B|B]; auto. unfold among in B. rewrite PositiveMap.gempty in B. discriminate. }
  revert A. generalize (PositiveMap.empty unit). induction states as [|q states IH]; intros found A; simpl in *; auto.
  apply IH in A as [(p & I & L)|A]; [eauto|]. apply among_add in A as [A|A]; auto.
  left. exists q. auto using after_state_led.
Qed.

Fixpoint along_zeros (n : nat) : list positive :=
  match n with
  | 0 => [1%positive]
  | S n => map fst (PositiveMap.elements (after (along_zeros n) (fun _ => 0)))
  end.

Variable h : subsets.

Definition set_of (i : positive) : list positive := match PositiveMap.find i (sets h) with Some l => l | None => [] end.

Definition check_state (i : positive) (o : Z * row) : bool :=
  let states := set_of i in
  forallb (fun '(known, j) =>
             forallb (fun x => match lookup x known with Some _ => true | None => false end) kept
             && (let found := after states (column_of known) in forallb (fun t => among t found) (set_of j)))
    (expand (snd o) kept [])
  && ((fst o =? 0)%Z || existsb (fun q => accepting m (Some q)) states).

Definition check_sets : bool :=
  (let zeros := along_zeros (depth h) in forallb (fun q => mem q zeros) (set_of 1%positive))
  && forallb (fun '(i, o) => check_state i o) (PositiveMap.elements (over h)).

Hypothesis good : check_sets = true.

Lemma run_snoc a ls l : run a (ls ++ [l]) = step a (run a ls) l.
Proof. rewrite run_app. reflexivity. Qed.

Lemma along_zeros_led n : forall q, In q (along_zeros n) -> exists es, Forall2 (alike kept) es (zeros n)
  /\ run m (map (fun e => map e xs) es) = Some q.
Proof.
  induction n as [|n IH]; intros q I; simpl in I.
  - destruct I as [<-|[]]. exists []. split; [constructor | reflexivity].
  - apply in_map_iff in I as ([q' u] & <- & I). apply PositiveMap.elements_complete in I. simpl.
    assert (A : among q' (after (along_zeros n) (fun _ => 0)) = true) by (unfold among; now rewrite I).
    apply after_led in A as (p & J & e & E & St). destruct (IH p J) as (es & F & R).
    exists (es ++ [e]). split.
    + replace (zeros (S n)) with (zeros n ++ [fun _ => 0]).
      * apply Forall2_app; auto.
      * unfold zeros. clear. induction n; simpl; auto. now rewrite IHn.
    + rewrite map_app. cbn [map]. now rewrite run_snoc, R.
Qed.

Lemma sets_led cs : forall i, run (over h) (map (fun c => map c kept) cs) = Some i -> forall q, In q (set_of i) ->
  exists es, Forall2 (alike kept) es (zeros (depth h) ++ cs) /\ run m (map (fun e => map e xs) es) = Some q.
Proof.
  unfold check_sets in good. apply andb_true_iff in good as [Z S]. rewrite forallb_forall in S.
  cbv zeta in Z. rewrite forallb_forall in Z.
  induction cs as [|c cs IH] using rev_ind; intros i R q I.
  - injection R as <-. rewrite app_nil_r. apply along_zeros_led. apply mem_in. auto.
  - rewrite map_app in R. cbn [map] in R. rewrite run_snoc in R.
    destruct (run (over h) (map (fun c => map c kept) cs)) as [p|]; try discriminate. specialize (IH p eq_refl).
    unfold step in R. destruct (PositiveMap.find p (over h)) as [[z r]|] eqn:F; try discriminate.
    apply PositiveMap.elements_correct in F. apply S in F. simpl in F. unfold check_state in F.
    apply andb_true_iff in F as [F _]. rewrite forallb_forall in F. simpl in F.
    destruct (expand_sound c kept r [] i) as (known & K & A); auto. { intros x d. discriminate. }
    specialize (F _ K). simpl in F. apply andb_true_iff in F as [L F]. rewrite forallb_forall in L, F.
    specialize (F q I). apply after_led in F as (p' & J & e & E & T). destruct (IH p' J) as (es & X & Y).
    exists (es ++ [e]). split.
    + rewrite app_assoc. apply Forall2_app; auto. constructor; auto. intros x M. rewrite E by auto. specialize (L x M).
      unfold column_of. destruct (lookup x known) eqn:U; try discriminate. symmetry. auto.
    + rewrite map_app. cbn [map]. now rewrite run_snoc, Y.
Qed.

Lemma sets_accepted cs : accepts (over h) (map (fun c => map c kept) cs) = true ->
  exists es, Forall2 (alike kept) es (zeros (depth h) ++ cs) /\ accepts m (map (fun e => map e xs) es) = true.
Proof.
  intros A. unfold accepts in A. destruct (run (over h) _) as [i|] eqn:R; try discriminate.
  assert (Q : exists q, In q (set_of i) /\ accepting m (Some q) = true).
  { unfold check_sets in good. apply andb_true_iff in good as [_ S]. rewrite forallb_forall in S.
    unfold accepting, output in A. destruct (PositiveMap.find i (over h)) as [[z r]|] eqn:F; try discriminate. simpl in A.
    apply PositiveMap.elements_correct in F. apply S in F. simpl in F. unfold check_state in F.
    apply andb_true_iff in F as [_ F]. simpl in F. apply negb_true_iff in A. rewrite A in F. simpl in F.
    now apply existsb_exists in F. }
  destruct Q as (q & I & Q). destruct (sets_led cs i R q I) as (es & E & T). exists es. split; auto.
  unfold accepts. now rewrite T.
Qed.
End Sets.

(** Backward: words are read from their end.  A state of [from_end] stands for states of the other automaton, from each of
    which the rest of the word is accepted, with some digits of the bound variables.  [within] accepts at least what has
    to have a witness; for each of its states, [pairs] has the states of [from_end] along the words that are accepted from
    there. *)
Record backward := { within : relation; from_end : automaton; states_of : PositiveMap.t (list positive);
                     pairs : PositiveMap.t (PositiveMap.t unit); steps_along : nat }.

Section Backward.
Variables (m : automaton) (xs kept : list name) (b : backward).

Definition rest_of (i : positive) : list positive := match PositiveMap.find i (states_of b) with Some l => l | None => [] end.
Definition pairs_of (q : positive) : PositiveMap.t unit :=
  match PositiveMap.find q (pairs b) with Some l => l | None => PositiveMap.empty unit end.

(** From each state after a transition of [from_end], one of those that it stands for before is reached. *)
Definition check_before (i : positive) (o : Z * row) : bool :=
  forallb (fun '(known, j) =>
             forallb (fun x => match lookup x known with Some _ => true | None => false end) kept
             && forallb (fun q => let found := after m xs kept [q] (column_of known) in existsb (fun t => among t found) (rest_of i))
                  (rest_of j))
    (expand (snd o) kept []).

Definition leads (i : positive) (known : digits_known) (to : PositiveMap.t unit) : bool :=
  match step (from_end b) (Some i) (map (column_of known) kept) with Some j => among j to | None => false end.

Definition check_pairs (q : positive) (o : Z * row) : bool :=
  ((fst o =? 0)%Z || among 1 (pairs_of q))
  && forallb (fun '(known, t) =>
                forallb (fun x => match lookup x known with Some _ => true | None => false end) kept
                && forallb (fun i => leads (fst i) known (pairs_of q)) (PositiveMap.elements (pairs_of t)))
       (expand (snd o) (names (within b)) []).

Definition check_backward : bool :=
  forallb (fun q => accepting m (Some q)) (rest_of 1)
  && forallb (fun '(i, o) => check_before i o) (PositiveMap.elements (from_end b))
  && forallb (fun '(q, o) => check_pairs q o) (PositiveMap.elements (machine (within b)))
  && (let first := along_zeros m xs kept (steps_along b) in
      forallb (fun i => existsb (fun q => mem q first) (rest_of (fst i))) (PositiveMap.elements (pairs_of 1))).

Hypothesis good : check_backward = true.

Lemma known_all (known : digits_known) c : agrees known c ->
  forallb (fun x => match lookup x known with Some _ => true | None => false end) kept = true ->
  forall x, In x kept -> column_of known x = c x.
Proof.
  intros A K x X. rewrite forallb_forall in K. specialize (K x X). unfold column_of.
  destruct (lookup x known) eqn:L; [|discriminate]. symmetry. now apply A.
Qed.

Definition run_from (a : automaton) (q : positive) (ls : list letter) : option positive := fold_left (step a) ls (Some q).

Lemma stuck (a : automaton) ls : fold_left (step a) ls None = None.
Proof. induction ls; auto. Qed.

(** What is accepted from a state of [within] leads [from_end], from the end, to one of its pairs. *)
Lemma accepted_from cs : forall q,
  accepting (machine (within b)) (run_from (machine (within b)) q (read_by (within b) cs)) = true ->
  exists i, among i (pairs_of q) = true /\ forall t, In t (rest_of i) ->
    exists es, Forall2 (alike kept) es cs /\ accepting m (run_from m t (map (fun e => map e xs) es)) = true.
Proof.
  unfold check_backward in good. rewrite !andb_true_iff in good. destruct good as [[[F B] P] _].
  rewrite forallb_forall in F, B, P.
  induction cs as [|c cs IH]; intros q A.
  - change (accepting (machine (within b)) (Some q) = true) in A. exists 1%positive. split.
    + unfold accepting, output in A. destruct (PositiveMap.find q (machine (within b))) as [[z r]|] eqn:E; try discriminate.
      apply PositiveMap.elements_correct in E. apply P in E. unfold check_pairs in E. apply andb_true_iff in E as [E _].
      cbn [fst option_map] in *. apply negb_true_iff in A. now rewrite A in E.
    + intros t T. exists []. split; [constructor|]. apply F, T.
  - change (accepting (machine (within b)) (fold_left (step (machine (within b))) (read_by (within b) cs)
              (step (machine (within b)) (Some q) (map c (names (within b))))) = true) in A.
    destruct (step (machine (within b)) (Some q) (map c (names (within b)))) as [q'|] eqn:S.
    2:{ rewrite stuck in A. discriminate. }
    destruct (IH q' A) as (i & I & R). unfold step in S.
    destruct (PositiveMap.find q (machine (within b))) as [[z r]|] eqn:E; try discriminate.
    apply PositiveMap.elements_correct in E. apply P in E. unfold check_pairs in E. apply andb_true_iff in E as [_ E].
    rewrite forallb_forall in E. cbn [snd] in E.
    destruct (expand_sound c (names (within b)) r [] q') as (known & K & G); auto. { intros x d. discriminate. }
    specialize (E _ K). cbn beta iota in E. apply andb_true_iff in E as [L E]. rewrite forallb_forall in E.
    assert (X := known_all known c G L).
    assert (I' : In (i, tt) (PositiveMap.elements (pairs_of q'))).
    { apply PositiveMap.elements_correct. unfold among in I. destruct (PositiveMap.find i (pairs_of q')) as [[]|]; auto. discriminate. }
    apply E in I'. cbn [fst] in I'. unfold leads in I'.
    destruct (step (from_end b) (Some i) (map (column_of known) kept)) as [j|] eqn:T; try discriminate.
    exists j. split; auto. intros t J. unfold step in T.
    destruct (PositiveMap.find i (from_end b)) as [[z' r']|] eqn:E'; try discriminate.
    apply PositiveMap.elements_correct in E'. apply B in E'. unfold check_before in E'. rewrite forallb_forall in E'.
    cbn [snd] in E'.
    assert (T' : target r' (map c kept) = Some j). { rewrite <- T. f_equal. apply map_ext_in. intros x Y. symmetry. auto. }
    destruct (expand_sound c kept r' [] j) as (more & M & G'); auto. { intros x d. discriminate. }
    specialize (E' _ M). cbn beta iota in E'. apply andb_true_iff in E' as [L' E']. rewrite forallb_forall in E'.
    assert (X' := known_all more c G' L').
    apply E' in J. cbv zeta in J. apply existsb_exists in J as (u & U & V).
    apply after_led in V as (t' & [<-|[]] & e & W & St).
    destruct (R u U) as (es & Al & Ac). exists (e :: es). split.
    + constructor; auto. intros x Y. rewrite W by auto. auto.
    + unfold run_from. cbn [map fold_left]. rewrite St. exact Ac.
Qed.

Lemma backward_accepted cs : accepts_columns (within b) cs = true ->
  exists es, Forall2 (alike kept) es (zeros (steps_along b) ++ cs) /\ accepts m (map (fun e => map e xs) es) = true.
Proof.
  intros A. destruct (accepted_from cs 1%positive A) as (i & I & R).
  unfold check_backward in good. rewrite !andb_true_iff in good. destruct good as [_ Z].
  cbv zeta in Z. rewrite forallb_forall in Z.
  assert (I' : In (i, tt) (PositiveMap.elements (pairs_of 1))).
  { apply PositiveMap.elements_correct. unfold among in I. destruct (PositiveMap.find i (pairs_of 1)) as [[]|]; auto. discriminate. }
  apply Z in I'. cbn [fst] in I'. apply existsb_exists in I' as (q & Q & M). apply mem_in in M.
  apply along_zeros_led in M as (es0 & Al0 & R0). destruct (R q Q) as (es & Al & Ac).
  exists (es0 ++ es). split. { now apply Forall2_app. }
  unfold accepts. rewrite map_app, run_app, R0. exact Ac.
Qed.
End Backward.

(** ** The rule *)

Section Rule.
Variable here : world.
Variable table : automata.
Variable patience : nat.

(** A guess that what the parts accept has a witness. *)
Inductive guess := Forward (h : subsets) | Backward (b : backward).

Definition check_guess (parts : list part) (c : claim) (kept : list name) (g : guess) : bool :=
  let m := machine (resolve table (rel c)) in
  let xs := tracks (rel c) in
  match g with
  | Forward h => check_sets m xs kept h && cover here table patience parts [Own {| machine := over h; names := kept |}]
  | Backward b => check_backward m xs kept b && cover here table patience parts [Own (within b)]
  end.

Definition check_exists (r : part) (gs : list part) (c : claim) (bound : list name) (h : guess) : bool :=
  may_bind here table patience r gs c bound
  && refuse_unless here table patience every (gs ++ [rel c]) (r :: map (number_of here) (witnesses c bound))
  && check_guess (gs ++ [r]) c (kept_names c bound) h.

Definition length_along (g : guess) : nat := match g with Forward h => depth h | Backward b => steps_along b end.

Lemma guess_accepted parts c kept g cs : check_guess parts c kept g = true -> numbers_at here table cs -> all_have table parts cs ->
  exists es, Forall2 (alike kept) es (zeros (length_along g) ++ cs)
    /\ accepts (machine (resolve table (rel c))) (map (fun e => map e (tracks (rel c))) es) = true.
Proof.
  intros H N A. destruct g as [h|b]; cbn [check_guess length_along] in *; apply andb_true_iff in H as [S C];
    apply (cover_one_at _ _ _ _ _ _ C N) in A; unfold has in A; cbn [resolve] in A.
  - now apply (sets_accepted _ _ _ _ S).
  - now apply (backward_accepted _ _ _ _ S).
Qed.

(** ** What follows at a place *)

Variable fixed : list name.
Variable written : list column -> values -> Prop.
Hypothesis sits : writing here table fixed written.

Lemma accepted_witness r gs c bound h cs v : (forall x, In x bound -> ~ In x fixed) -> check_exists r gs c bound h = true ->
  forallb (sound_at here table) gs = true -> written cs v -> all_have table gs cs -> has table r cs = true ->
  exists v', witness table written gs c (witnesses c bound) v v'.
Proof.
  unfold check_exists. rewrite !andb_true_iff. intros NF [[B L] C] S W G R. apply may_bind_disjoint in B as (_ & D & _).
  apply guess_accepted with (cs := cs) in C as (es & F & A); eauto using (writing_numbers _ _ _ _ sits).
  2:{ apply all_have_app. split; auto. now apply all_have_one. }
  destruct (witness_values here table patience fixed written sits [r] gs c bound es (zeros (length_along h) ++ cs) v)
    as (v' & cs' & W' & B & G' & E & _); auto.
  - intros x X. apply NF. now apply witnesses_in in X.
  - now apply (writing_zeros _ _ _ _ sits).
  - now apply (all_zeros_in_front here).
  - exists v'. split; auto. exists cs'. repeat split; auto. unfold has, accepts_columns. now rewrite E.
Qed.

Lemma witness_accepted r gs c bound h cs v v' : check_exists r gs c bound h = true -> forallb (sound_at here table) (r :: gs) = true ->
  written cs v -> witness table written gs c bound v v' -> has table r cs = true.
Proof.
  unfold check_exists. rewrite !andb_true_iff. intros [[D L] _] S W (B & cs' & W' & R & G). apply may_bind_disjoint in D as (D & _).
  rewrite <- (accepts_unbound here table fixed written sits bound (r :: gs) r cs cs' v v') by (auto; now left).
  assert (X : every (map (fun o => has table o cs') (r :: map (number_of here) (witnesses c bound))) = true).
  { eapply refuse_sound_at; eauto using (writing_numbers _ _ _ _ sits). apply all_have_app. split; auto. now apply all_have_one. }
  simpl in X. apply andb_true_iff in X as [X _]. exact X.
Qed.
End Rule.

Section Exists.
Variable d : declarations.
Variable pumps : PositiveMap.t pump.
Variable table : automata.
Variable patience : nat.
Hypothesis good : systems_good d pumps = true.

Lemma check_exists_sound r gs c bound h : check_exists d table patience r gs c bound h = true ->
  forallb (sound_part d table) (r :: gs) = true -> valid d table c ->
  follows d table r gs (exists_form bound (fact c)).
Proof.
  intros H S V v cs W G. cbn [rel guards fact] in *. assert (H' := H). unfold check_exists in H'. rewrite !andb_true_iff in H'.
  destruct H' as [[B _] _]. apply may_bind_disjoint in B as (_ & D & Gd).
  assert (S' : forallb (sound_part d table) gs = true) by (now apply andb_true_iff in S as [_ S]).
  rewrite exists_true. split.
  - intros R. destruct (accepted_witness d table patience [] (written d) (numbers_writing d pumps table good) r gs c bound h cs v) as (v' & T); auto.
    apply witness_more in T. exists v'. split; [exact (proj1 T) | eapply witness_true; eauto].
  - intros (v' & B & T). eapply witness_accepted with (v' := v'); eauto using numbers_writing.
    eapply true_witness; eauto.
Qed.
End Exists.
