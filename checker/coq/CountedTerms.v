(** Sequences that count: the term at n is the number of ways through an automaton along the digits of n. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive QArith Lia.
From Fibcheck Require Import Statements Numeration Columns Walks Forms Claims Exists Count Sequences.
Import ListNotations.
Open Scope Q_scope.

(** The places of the representation are states: those that are left out lead to no state that accepts.  Its row has the
    number of ways from the first state along some zeros, and one more changes nothing; it is empty if that state is left
    out. *)
Section Terms.
Variables (m : automaton) (xs : list name) (index : name) (r : representation).
Notation a := (Linear r).
Notation exits_by q c := (exits m xs [index] q c).
Notation tracks_along cs := (track_of index cs).

Definition alive (q : positive) : bool := PositiveMap.mem q (final r) && PositiveMap.mem q m.

Definition leads_to (l : list (letter * positive)) : entries := map (fun o => (snd o, 1)) (filter (fun o => alive (snd o)) l).

Definition same_row (u v : entries) : bool :=
  nothing (add_rows Pos.compare (fold_right (fun t s => add_rows Pos.compare [t] s) [] u) (scale_row (-1) v)).

Definition accepting_entry (q : positive) : Q := if accepting m (Some q) then 1 else 0.

Definition check_place (q : positive) : bool :=
  if alive q
  then Qeq_bool (last_entry a q) (accepting_entry q)
       && forallb (fun digit => same_row (leads_to (exits_by q (fun _ => digit))) (next_row a digit q)) (seq 0 (length (matrices r)))
  else negb (accepting m (Some q)) && forallb (fun o => negb (alive (snd o))) (exits m xs [] q (fun _ => 0%nat)).

(** The row of the first state, after some zeros. *)
Fixpoint after_zeros (n : nat) : entries :=
  match n with O => [(1%positive, 1)] | S n => row_times Pos.compare (next_row a 0) (after_zeros n) end.

Definition check_first (n : nat) : bool :=
  if alive 1 then same_row (after_zeros n) (initial r) else match initial r with [] => true | _ => false end.

Definition check_terms (n : nat) : bool :=
  zeros_good a && check_first n
  && forallb (fun t => check_place (fst t)) (PositiveMap.elements m).

Lemma same_row_column u v c : same_row u v = true -> times_column u c == times_column v c.
Proof.
  intros H. apply nothing_column with (c := c) in H. rewrite column_add, column_scale in H by exact pos_compare_eq.
  assert (E : times_column (fold_right (fun t s => add_rows Pos.compare [t] s) [] u) c == times_column u c).
  { clear H. induction u as [|t u IH]; [reflexivity|]. cbn [fold_right]. rewrite column_add by exact pos_compare_eq. rewrite IH.
    cbn [times_column fold_right]. fold (times_column u c). ring. }
  rewrite E in H. set (x := times_column u c) in *. set (y := times_column v c) in *.
  setoid_replace x with (x + -1 * y + y) by ring. rewrite H. ring.
Qed.

Section Checked.
Variable zeros_along : nat.
Hypothesis good : check_terms zeros_along = true.

(** Ways from some states along columns, to states that accept. *)
Definition ways_from (cs : list column) (l : list positive) : nat :=
  accepted_ways m (fold_left (fun l c => next m xs [index] c l) cs l).

Lemma ways_from_app cs : forall l l', ways_from cs (l ++ l') = (ways_from cs l + ways_from cs l')%nat.
Proof.
  unfold ways_from. induction cs as [|c cs IH]; intros l l'; cbn [fold_left].
  - unfold accepted_ways. now rewrite filter_app, app_length.
  - unfold next at 2. rewrite flat_map_app. apply IH.
Qed.

Lemma ways_from_next q c cs : ways_from (c :: cs) [q] = ways_from cs (map snd (exits_by q c)).
Proof. unfold ways_from. cbn [fold_left]. unfold next at 2. cbn [flat_map]. now rewrite app_nil_r. Qed.

Lemma place_checked q : PositiveMap.mem q m = true -> check_place q = true.
Proof.
  unfold check_terms in good. rewrite !andb_true_iff in good. destruct good as [_ P]. rewrite forallb_forall in P.
  rewrite PositiveMap.mem_find. destruct (PositiveMap.find q m) as [o|] eqn:F; [intros _|discriminate].
  apply PositiveMap.elements_correct in F. exact (P _ F).
Qed.

Lemma no_ways cs : forall q, alive q = false -> ways_from cs [q] = 0%nat.
Proof.
  assert (N : forall q : positive, PositiveMap.find q m = None -> accepting m (Some q) = false /\ forall c, exits_by q c = []).
  { intros q F. unfold accepting, output, exits. rewrite F. auto. }
  induction cs as [|c cs IH]; intros q A.
  - unfold ways_from, accepted_ways. cbn [fold_left filter]. destruct (PositiveMap.find q m) eqn:F.
    + pose proof (place_checked q) as P. rewrite PositiveMap.mem_find, F in P. specialize (P eq_refl). unfold check_place in P.
      rewrite A in P. apply andb_true_iff in P as [P _]. apply negb_true_iff in P. now rewrite P.
    + destruct (N q F) as [-> _]. reflexivity.
  - rewrite ways_from_next.
    assert (D : forall o, In o (exits_by q c) -> alive (snd o) = false).
    { destruct (PositiveMap.find q m) eqn:F.
      - pose proof (place_checked q) as P. rewrite PositiveMap.mem_find, F in P. specialize (P eq_refl). unfold check_place in P.
        rewrite A in P. apply andb_true_iff in P as [_ P]. rewrite forallb_forall in P. intros [l t] I.
        apply exits_in in I as [(e & _ & E) T]. apply negb_true_iff, P, exits_in. split; auto.
        exists e. split; auto. intros x [].
      - destruct (N q F) as [_ E]. rewrite E. intros o []. }
    induction (exits_by q c) as [|o l IHl]; [|].
    + clear. unfold ways_from, accepted_ways. cbn [map]. induction cs as [|c cs IH]; cbn [fold_left]; auto.
    + cbn [map]. change (snd o :: map snd l) with ([snd o] ++ map snd l). rewrite ways_from_app, IH, IHl; auto.
      * intros o' I. apply D. now right.
      * apply D. now left.
Qed.

Lemma ways_counted_from cs : (forall c, In c cs -> (c index < length (matrices r))%nat) -> forall q, alive q = true ->
  from a (tracks_along cs) q == inject_Z (Z.of_nat (ways_from cs [q])).
Proof.
  induction cs as [|c cs IH]; intros D q A.
  - pose proof A as B. unfold alive in B. apply andb_true_iff in B as [_ B]. apply place_checked in B. unfold check_place in B.
    rewrite A in B. apply andb_true_iff in B as [B _]. apply Qeq_bool_eq in B. cbn [track_of map from]. rewrite B.
    unfold accepting_entry, ways_from, accepted_ways. cbn [fold_left filter]. destruct (accepting m (Some q)); reflexivity.
  - pose proof A as B. unfold alive in B. apply andb_true_iff in B as [_ B]. apply place_checked in B. unfold check_place in B.
    rewrite A in B. apply andb_true_iff in B as [_ B]. rewrite forallb_forall in B. specialize (B (c index)).
    assert (I : In (c index) (seq 0 (length (matrices r)))).
    { apply in_seq. specialize (D c (or_introl eq_refl)). lia. }
    apply B in I. clear B. rewrite (exits_alike m xs [index] q _ c) in I by (intros x [<-|[]]; reflexivity).
    cbn [track_of map from]. change (map (fun c => c index) cs) with (tracks_along cs).
    rewrite <- (same_row_column _ _ (from a (tracks_along cs)) I), ways_from_next.
    assert (R : forall q, alive q = true -> from a (tracks_along cs) q == inject_Z (Z.of_nat (ways_from cs [q]))).
    { apply IH. intros c' J. apply D. now right. }
    clear - R good. unfold leads_to. induction (exits_by q c) as [|o l IHl].
    + cbn. assert (E : ways_from cs [] = 0%nat).
      { clear. unfold ways_from, accepted_ways. induction cs as [|c cs IH]; cbn [fold_left]; auto. }
      now rewrite E.
    + cbn [map filter]. change (snd o :: map snd l) with ([snd o] ++ map snd l). rewrite ways_from_app, Nat2Z.inj_add, inject_Z_plus.
      destruct (alive (snd o)) eqn:AO.
      * cbn [map times_column fold_right fst snd]. fold (times_column (map (fun o => (snd o, 1)) (filter (fun o => alive (snd o)) l)) (from a (tracks_along cs))).
        rewrite IHl, R by auto. ring.
      * rewrite IHl, no_ways by auto. ring.
Qed.

Lemma after_zeros_column n : forall w, times_column (after_zeros n) (from a w) == from a (repeat 0%nat n ++ w) 1%positive.
Proof.
  induction n as [|n IH]; intros w. { cbn. ring. }
  cbn [after_zeros]. rewrite column_times by exact pos_compare_eq.
  rewrite (column_ext _ _ (from a (0%nat :: w))) by (intros; reflexivity). rewrite IH.
  replace (repeat 0%nat n ++ 0%nat :: w) with (repeat 0%nat (S n) ++ w); [reflexivity|].
  clear. induction n as [|n IH]; [reflexivity|]. cbn [repeat app] in *. now rewrite IH.
Qed.

Lemma states_of_paths cs : map snd (paths m xs [index] cs) = fold_left (fun l c => next m xs [index] c l) cs [1%positive].
Proof. induction cs as [|c cs IH] using rev_ind; [reflexivity|]. now rewrite paths_states, fold_left_app, IH. Qed.

Lemma terms_count cs n : (forall c, In c cs -> (c index < length (matrices r))%nat) -> (0 < length (matrices r))%nat ->
  (zeros_along <= n)%nat -> term a (tracks_along cs) == inject_Z (Z.of_nat (length (ways_along m xs [index] (zeros n ++ cs)))).
Proof.
  intros D P L. pose proof good as G. unfold check_terms in G. rewrite !andb_true_iff in G. destruct G as [[Z I] _].
  rewrite <- accepted_along, states_of_paths. fold (ways_from (zeros n ++ cs) [1%positive]).
  unfold check_first in I. destruct (alive 1) eqn:A.
  2:{ rewrite no_ways, <- from_term by assumption. cbn [first_row]. destruct (initial r); [reflexivity | discriminate]. }
  rewrite <- (term_zeros a (n - zeros_along) (tracks_along cs) Z), <- from_term. cbn [first_row].
  rewrite <- (same_row_column _ _ _ I), after_zeros_column, app_assoc, <- repeat_app.
  replace (zeros_along + (n - zeros_along))%nat with n by lia.
  rewrite <- (track_zeros index n cs), ways_counted_from; auto.
  - reflexivity.
  - intros c J. apply in_app_iff in J as [J|J]; auto. unfold zeros in J. apply repeat_spec in J. now subst.
Qed.
End Checked.
End Terms.

Section Counters.
Variable d : declarations.
Variable pumps : PositiveMap.t pump.
Variable table : automata.
Variable patience : nat.
Hypothesis good : systems_good d pumps = true.
Hypothesis classic : excluded_middle.
Notation tr := (true_of (lf d) (cf d)).

(** A claim without guards has the formula; its relation names the variables counted, the index perhaps, and no others. *)
Definition check_counter (e : counter) (c : claim) (n : nat) : bool :=
  let bound := variables_counted e in
  let x := index_of e in
  match norm (formula_counted e), guards c, PositiveMap.find (counted_by e) (sequences d), system_of d x with
  | Some f, [], Some (i, Linear r), Some (j, s) =>
      form_eqb f (fact c) && Pos.eqb i j && (length (matrices r) =? digits s)%nat
      && negb (mem x bound) && subset bound (tracks (rel c)) && subset (tracks (rel c)) (x :: bound)
      && sound_part d table (rel c)
      && refuse_unless d table patience every [rel c] (map (number_of d) (witnesses c bound))
      && check_terms (machine (resolve table (rel c))) (tracks (rel c)) x r n
  | _, _, _, _ => false
  end.

Lemma check_counter_sound e c n : check_counter e c n = true -> valid d table c -> counts_solutions d e.
Proof.
  unfold check_counter. set (bound := variables_counted e). set (x := index_of e). intros H V.
  destruct (norm (formula_counted e)) as [f|] eqn:N; try discriminate. destruct (guards c) eqn:Gd; try discriminate.
  destruct (PositiveMap.find (counted_by e) (sequences d)) as [[i [r|]]|] eqn:Sq; try discriminate.
  destruct (system_of d x) as [[j s]|] eqn:Sy; try discriminate. rewrite !andb_true_iff in H.
  destruct H as [[[[[[[[E I] LM] X] SB] ST] KX] L] T]. apply form_eqb_eq in E. subst f. apply Pos.eqb_eq in I. subst j.
  apply Nat.eqb_eq in LM. apply negb_true_iff in X. set (m := machine _) in *. set (xs := tracks _) in *.
  assert (XB : ~ In x bound). { intros I. apply mem_in in I. congruence. }
  destruct (system_of_good d pumps good _ _ _ Sy) as (p & WF).
  assert (M : forall v, means (lf d) (cf d) (formula_counted e) v <-> tr (fact c) v) by (intros v; symmetry; apply (norm_true _ _ classic _ _ v N)).
  assert (GT : guarded d table patience [] c = true) by (unfold guarded; now rewrite Gd).
  intros v. destruct (can_write d pumps good v) as (cs & W).
  assert (DI : forall col, In col cs -> (col x < length (matrices r))%nat).
  { intros col J. destruct (W _ _ _ Sy) as [IS _]. unfold in_system in IS. apply andb_true_iff in IS as [IS _].
    rewrite forallb_forall in IS. rewrite LM. apply Nat.ltb_lt, IS. unfold track_of. apply in_map_iff. eauto. }
  assert (DP : (0 < length (matrices r))%nat) by (rewrite LM; eapply digits_positive; eauto).
  assert (K : forall y, In y [x] -> known d y = true /\ ~ In y bound).
  { intros y [<-|[]]. split; auto. unfold known. now rewrite Sy. }
  set (ls := map fst (ways_along m xs [x] (zeros n ++ cs))). pose proof (numbers_writing d pumps table good) as NW.
  destruct (witnesses_of_ways d table patience [] (written d) NW [] c bound [x] (zeros n ++ cs) v ls) as (found & LF & P & F); auto.
  - intros y J. apply without_in in J as [J O]. eapply subset_in in ST; [|exact J]. destruct ST as [<-|]; [now left|contradiction].
  - apply (written_zeros d pumps); auto.
  - intros q [].
  - unfold ls, ways_along. apply distinct_map_filter. apply paths_distinct.
  - assert (F' : forall u, In u found -> witness table (written d) [] c bound v u) by (intros u J; now apply witness_more, F).
    exists found. split; [|split].
    + split; auto. intros v' J. split; [exact (proj1 (F' v' J))|]. apply M. eapply witness_true; eauto.
    + intros v' B TR. apply M in TR. destruct (classic (exists u, In u found /\ forall y, In y bound -> u y = v' y)) as [|NO]; auto.
      exfalso. destruct (ways_of_witnesses d table [] (written d) NW [] c bound [x] cs v (v' :: found)) as (l & WL); auto.
      * split; auto. intros u J. destruct (differ_somewhere bound v' u) as [Y|]; auto. exfalso. apply NO. exists u.
        split; auto. intros y Z. now rewrite Y.
      * intros u [<-|J]; auto. eapply true_witness; eauto using all_have_nil.
      * specialize (WL (n + l)%nat ltac:(lia)). fold m xs in WL. cbn [length] in WL. rewrite LF in WL. unfold ls in WL.
        rewrite map_length in WL.
        pose proof (terms_count m xs x r n T cs n DI DP ltac:(lia)) as A.
        pose proof (terms_count m xs x r n T cs (n + l)%nat DI DP ltac:(lia)) as A'.
        rewrite A in A'. apply (proj1 (inject_Z_injective _ _)) in A'. lia.
    + exists i, (Linear r), s. split; auto. split.
      { unfold system_of in Sy. destruct (PositiveMap.find x _) as [k|]; try discriminate.
        destruct (PositiveMap.find k _) eqn:Q; try discriminate. injection Sy as -> ->. exact Q. }
      intros w R. pose proof (W _ _ _ Sy) as R'.
      assert (Z : zeros_good (Linear r) = true) by (unfold check_terms in T; rewrite !andb_true_iff in T; tauto).
      rewrite (same_term (Linear r) s p _ w _ WF Z R R').
      rewrite (terms_count m xs x r n T cs n DI DP ltac:(lia)). rewrite LF. unfold ls. rewrite map_length. reflexivity.
Qed.
End Counters.
