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

Definition alike (e c : column) : Prop := forall x, In x kept -> e x = c x.

Lemma run_snoc a ls l : run a (ls ++ [l]) = step a (run a ls) l.
Proof. rewrite run_app. reflexivity. Qed.

Lemma along_zeros_led n : forall q, In q (along_zeros n) -> exists es, Forall2 alike es (zeros n)
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
  exists es, Forall2 alike es (zeros (depth h) ++ cs) /\ run m (map (fun e => map e xs) es) = Some q.
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
  exists es, Forall2 alike es (zeros (depth h) ++ cs) /\ accepts m (map (fun e => map e xs) es) = true.
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

Definition kept_names (c : claim) (bound : list name) : list name := without bound (tracks (rel c)).
Definition witnesses (c : claim) (bound : list name) : list name := filter (fun x => mem x bound) (tracks (rel c)).

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
  let kept := kept_names c bound in
  let ws := witnesses c bound in
  forallb (fun p => disjoint (tracks p) bound) (r :: gs)
  && forallb (knows here) ws
  && guarded here table patience gs c
  && refuse_unless here table patience every (gs ++ [rel c]) (r :: map (number_of here) ws)
  && check_guess (gs ++ [r]) c kept h.

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
End Rule.

Section Exists.
Variable d : declarations.
Variable pumps : PositiveMap.t pump.
Variable table : automata.
Variable patience : nat.
Hypothesis good : systems_good d pumps = true.
Notation tr := (true_of (lf d) (cf d)).

Lemma number_has_inv x cs : known d x = true -> has table (number_of d x) cs = true -> is_number d x cs.
Proof.
  unfold known. destruct (system_of d x) as [[i s]|] eqn:E; try discriminate. intros _ H. exists i, s. split; auto.
  destruct (system_of_good _ _ good _ _ _ E) as (p & G). apply (accepts_in_system s p G). rewrite <- H.
  unfold has, resolve. cbn [number_of world_of]. rewrite E. unfold accepts_columns, read_by. simpl. f_equal.
  unfold unary, track_of. now rewrite map_map.
Qed.

(** Columns e at some variables, and c at the others. *)
Definition mixed (ws : list name) (es cs : list column) : list column :=
  map (fun t => choose ws (fst t) (snd t)) (combine es cs).

Lemma mixed_in ws es cs x : length es = length cs -> In x ws -> track_of x (mixed ws es cs) = track_of x es.
Proof.
  unfold mixed, track_of. rewrite map_map. intros L I. revert cs L.
  induction es as [|e es IH]; intros [|c cs] L; try discriminate; simpl; auto.
  rewrite choose_in by auto. f_equal. auto.
Qed.

Lemma mixed_out ws es cs x : length es = length cs -> ~ In x ws -> track_of x (mixed ws es cs) = track_of x cs.
Proof.
  unfold mixed, track_of. rewrite map_map. intros L I. revert cs L.
  induction es as [|e es IH]; intros [|c cs] L; try discriminate; simpl; auto.
  rewrite choose_out by auto. f_equal. auto.
Qed.

(** A word that the relation of F accepts, with columns where the guards hold, gives values that F is true of. *)
Lemma witness_values os gs c bound es cs v :
  (forall p, In p (os ++ gs) -> disjoint (tracks p) bound = true) ->
  forallb (known d) (witnesses c bound) = true -> guarded d table patience gs c = true ->
  refuse_unless d table patience every (gs ++ [rel c]) (os ++ map (number_of d) (witnesses c bound)) = true ->
  valid d table c -> written d cs v -> all_have table gs cs -> Forall2 (alike (kept_names c bound)) es cs ->
  accepts (machine (resolve table (rel c))) (map (fun e => map e (tracks (rel c))) es) = true ->
  exists v' cs', written d cs' v' /\ same_but bound v v' /\ tr (fact c) v'
    /\ read_by (resolve table (rel c)) cs' = map (fun e => map e (tracks (rel c))) es /\ length cs' = length cs.
Proof.
  set (ws := witnesses c bound). intros D K Gd L V W G F A. rewrite forallb_forall in K.
  assert (WX : forall x, In x ws <-> In x (tracks (rel c)) /\ In x bound).
  { intros x. unfold ws, witnesses. now rewrite filter_In, mem_in. }
  assert (LE : length es = length cs) by (clear - F; induction F; simpl; auto).
  set (cs' := mixed ws es cs).
  assert (LC : length cs' = length cs) by (unfold cs', mixed; rewrite map_length, combine_length; lia).
  assert (RB : read_by (resolve table (rel c)) cs' = map (fun e => map e (tracks (rel c))) es).
  { unfold read_by. rewrite <- tracks_names.
    unfold cs', mixed. rewrite map_map. clear - F WX. induction F as [|e c0 es0 cs1 E F IH]; simpl; auto. f_equal; auto.
    apply map_ext_in. intros x X. destruct (in_dec x bound) as [B|B].
    - rewrite choose_in; auto. apply WX. auto.
    - rewrite choose_out. { symmetry. apply E. unfold kept_names. apply without_in. auto. }
      intros I. apply WX in I. tauto. }
  assert (HR : has table (rel c) cs' = true) by (unfold has, accepts_columns; now rewrite RB).
  assert (G' : all_have table gs cs').
  { intros p I. rewrite <- (G p I). unfold has. apply accepts_same; auto. intros x X. apply mixed_out; auto.
    intros J. apply WX in J as [_ J]. rewrite <- tracks_names in X.
    exact (disjoint_not _ _ _ (D p (proj2 (in_app_iff _ _ _) (or_intror I))) X J). }
  assert (N : forall x, In x ws -> is_number d x cs').
  { apply refuse_general with (cs := cs') (pumps := pumps) in L; auto.
    - unfold every in L. rewrite forallb_forall in L. intros x X. apply number_has_inv; auto. apply L.
      apply in_map_iff. exists (number_of d x). split; auto. apply in_app_iff. right. now apply in_map.
    - apply all_have_app. split; auto. now apply all_have_one.
    - intros x X KX. rewrite flat_map_app in X. apply in_app_iff in X as [X|X].
      + right. apply in_flat_map in X as (p & P & X). assert (~ In x ws).
        { intros J. apply WX in J as [_ J]. exact (disjoint_not _ _ _ (D p (proj2 (in_app_iff _ _ _) (or_introl P))) X J). }
        destruct (written_number d cs v x W KX) as (i & s & E & I). exists i, s. split; auto.
        unfold cs'. now rewrite mixed_out.
      + left. apply in_flat_map in X as (p & P & X). apply in_map_iff in P as (y & <- & P).
        simpl in X. destruct X as [<-|[]]. apply WX in P as [P _]. rewrite flat_map_app. apply in_app_iff. right.
        simpl. rewrite app_nil_r. exact P. }
  set (v' := fun x => if mem x ws then match system_of d x with Some (_, s) => place s (track_of x cs') | None => 0 end else v x).
  assert (W' : written d cs' v').
  { intros x i s E. unfold v'. destruct (mem x ws) eqn:M.
    - apply mem_in in M. destruct (N x M) as (j & t & E' & I). rewrite E in *. injection E' as <- <-. split; auto.
    - apply mem_not in M. unfold cs'. rewrite mixed_out by auto. eapply W; eauto. }
  exists v', cs'. split; [exact W'|]. split; [|split; auto].
  - intros x X. unfold v'. destruct (mem x ws) eqn:M; auto. apply mem_in, WX in M. tauto.
  - apply (V v' cs' W'); auto. eapply guarded_sound; eauto.
Qed.

Lemma check_exists_sound r gs c bound h : check_exists d table patience r gs c bound h = true ->
  forallb (sound_part d table) (r :: gs) = true -> valid d table c ->
  follows d table r gs (exists_form bound (fact c)).
Proof.
  unfold check_exists. set (kept := kept_names c bound). set (ws := witnesses c bound).
  intros H SP V v cs W G. cbn [rel guards fact] in *. rewrite !andb_true_iff in H.
  destruct H as [[[[D K] Gd] L] C]. rewrite forallb_forall in D, SP.
  rewrite exists_true. split.
  - intros R.
    apply guess_accepted with (cs := cs) in C as (es & F & A); eauto using written_numbers.
    2:{ apply all_have_app. split; auto. now apply all_have_one. }
    set (cs0 := zeros (length_along h) ++ cs) in *.
    assert (W0 : written d cs0 v) by (apply (written_zeros d pumps good); auto).
    assert (G0 : all_have table gs cs0).
    { intros p I. specialize (SP p (or_intror I)). apply andb_true_iff in SP as [Z _]. unfold has, cs0.
      rewrite accepts_zeros; auto. apply (G p I). }
    destruct (witness_values [r] gs c bound es cs0 v) as (v' & cs' & _ & B & T & _); auto.
    exists v'. auto.
  - intros (v' & SB & T). destruct (can_write d pumps good v') as (cs' & W').
    assert (OUT : forall p, In p (r :: gs) -> has table p cs' = has table p cs).
    { intros p I. unfold has. apply (accepts_values d pumps good _ _ _ v' v); auto.
      { apply (SP p I). } intros x X. apply SB. rewrite <- tracks_names in X. exact (disjoint_not _ _ _ (D p I) X). }
    rewrite <- OUT by now left.
    assert (G' : all_have table gs cs'). { intros p I. rewrite OUT by (now right). auto. }
    assert (HR : has table (rel c) cs' = true).
    { apply (V v' cs' W'); auto. eapply guarded_sound; eauto. }
    assert (X : every (map (fun o => has table o cs') (r :: map (number_of d) ws)) = true).
    { eapply refuse_sound; eauto. apply all_have_app. split; auto. now apply all_have_one. }
    simpl in X. apply andb_true_iff in X as [X _]. exact X.
Qed.
End Exists.
