(** Numbers and the words of a numeration system: each number has a word of every length that is long enough. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements.
Import ListNotations.

(** * Languages of words of one length, in the order of the alphabet *)

Lemma filter_map_length {A B} (f : A -> B) P l : length (filter P (map f l)) = length (filter (fun a => P (f a)) l).
Proof. induction l as [|a l IH]; simpl; auto. destruct (P (f a)); simpl; auto. Qed.

Lemma filter_ext_length {A} (P Q : A -> bool) l : (forall a, P a = Q a) -> length (filter P l) = length (filter Q l).
Proof. intros E. induction l as [|a l IH]; simpl; auto. rewrite E. destruct (Q a); simpl; auto. Qed.

Lemma filter_app_length {A} (P : A -> bool) l m : length (filter P (l ++ m)) = length (filter P l) + length (filter P m).
Proof. induction l as [|a l IH]; simpl; auto. destruct (P a); simpl; auto. Qed.

Section Language.
Variable D : nat.

Definition count (P : word -> bool) (n : nat) : nat := length (filter P (words D n)).
Definition rank (P : word -> bool) (w : word) : nat := count (fun u => P u && before u w) (length w).

Lemma count_ext P Q n : (forall u, P u = Q u) -> count P n = count Q n.
Proof. apply filter_ext_length. Qed.

Lemma count_false n : count (fun _ => false) n = 0.
Proof. unfold count. induction (words D n); simpl; auto. Qed.

Definition counts (P : word -> bool) (n : nat) (l : list nat) := list_sum (map (fun a => count (fun u => P (a :: u)) n) l).

Lemma count_S P n : count P (S n) = counts P n (seq 0 D).
Proof.
  unfold count, counts. simpl. induction (seq 0 D) as [|a l IH]; simpl; auto.
  rewrite filter_app_length, filter_map_length, IH. reflexivity.
Qed.

Lemma counts_app P n l m : counts P n (l ++ m) = counts P n l + counts P n m.
Proof. unfold counts. rewrite map_app. apply list_sum_app. Qed.

Lemma counts_ext P Q n l : (forall a u, In a l -> P (a :: u) = Q (a :: u)) -> counts P n l = counts Q n l.
Proof.
  unfold counts. induction l as [|a l IH]; simpl; auto. intros H.
  rewrite IH by auto. f_equal. apply count_ext. auto.
Qed.

Lemma counts_false n l P : (forall a u, In a l -> P (a :: u) = false) -> counts P n l = 0.
Proof.
  intros H. rewrite (counts_ext P (fun _ => false)) by auto. unfold counts.
  clear H. induction l; simpl; auto. rewrite count_false in *. auto.
Qed.

Lemma split_seq a : a < D -> seq 0 D = seq 0 a ++ a :: seq (S a) (D - S a).
Proof. intros. replace D with (a + S (D - S a)) at 1 by lia. rewrite seq_app. simpl. reflexivity. Qed.

Lemma rank_cons P a w : a < D ->
  rank P (a :: w) = counts P (length w) (seq 0 a) + rank (fun u => P (a :: u)) w.
Proof.
  intros H. unfold rank. simpl length. rewrite count_S, (split_seq a H), counts_app. f_equal.
  - apply counts_ext. intros b u Hb. apply in_seq in Hb. simpl.
    destruct (Nat.ltb_spec b a); [|lia]. simpl. apply andb_true_r.
  - change (a :: seq (S a) (D - S a)) with ([a] ++ seq (S a) (D - S a)). rewrite counts_app.
    rewrite counts_false with (l := seq _ _).
    2:{ intros b u Hb. apply in_seq in Hb. simpl. destruct (Nat.ltb_spec b a); [lia|].
        destruct (Nat.eqb_spec b a); [lia|]. simpl. apply andb_false_r. }
    unfold counts. simpl. rewrite Nat.add_0_r, Nat.add_0_r. apply count_ext. intros u.
    rewrite Nat.ltb_irrefl, Nat.eqb_refl. reflexivity.
Qed.

Lemma counts_le P n a b : a <= b -> counts P n (seq 0 a) <= counts P n (seq 0 b).
Proof. intros. replace b with (a + (b - a)) by lia. rewrite seq_app, counts_app. lia. Qed.

Lemma counts_next P n a : counts P n (seq 0 (S a)) = counts P n (seq 0 a) + count (fun u => P (a :: u)) n.
Proof. rewrite seq_S, counts_app. unfold counts. simpl. lia. Qed.

(** A word has fewer words before it than there are words. *)
Lemma rank_less P w : Forall (fun d => d < D) w -> P w = true -> rank P w < count P (length w).
Proof.
  revert P. induction w as [|a w IH]; intros P Hd HP.
  - unfold rank, count. simpl. rewrite andb_false_r, HP. simpl. lia.
  - inversion Hd; subst. rewrite rank_cons by auto. simpl length. rewrite count_S.
    specialize (IH (fun u => P (a :: u)) ltac:(auto) HP).
    pose proof (counts_le P (length w) (S a) D ltac:(lia)) as C. rewrite counts_next in C. lia.
Qed.

Lemma rank_before P u w : length u = length w -> Forall (fun d => d < D) u -> Forall (fun d => d < D) w ->
  P u = true -> before u w = true -> rank P u < rank P w.
Proof.
  revert P w. induction u as [|a u IH]; intros P [|b w] L Hu Hw HP HB; try discriminate.
  inversion Hu; inversion Hw; subst. simpl in L. injection L as L.
  rewrite !rank_cons by auto. simpl in HB. apply orb_true_iff in HB as [HB|HB].
  - apply Nat.ltb_lt in HB.
    pose proof (rank_less (fun v => P (a :: v)) u ltac:(auto) HP).
    pose proof (counts_le P (length u) (S a) b ltac:(lia)) as C. rewrite counts_next in C. rewrite <- L. lia.
  - apply andb_true_iff in HB as [E HB]. apply Nat.eqb_eq in E. subst b.
    specialize (IH (fun v => P (a :: v)) w L ltac:(auto) ltac:(auto) HP HB). rewrite <- L. lia.
Qed.

Lemma find_digit (f : nat -> nat) n : forall a, n < list_sum (map f (seq 0 a)) ->
  exists b, b < a /\ list_sum (map f (seq 0 b)) <= n < list_sum (map f (seq 0 b)) + f b.
Proof.
  induction a as [|a IH]; intros H. { simpl in H. lia. }
  destruct (le_lt_dec (list_sum (map f (seq 0 a))) n) as [G|G].
  - exists a. rewrite seq_S, map_app, list_sum_app in H. simpl in H. lia.
  - destruct (IH G) as (b & ? & ?). exists b. lia.
Qed.

Lemma rank_onto n : forall P k, k < count P n ->
  exists w, length w = n /\ Forall (fun d => d < D) w /\ P w = true /\ rank P w = k.
Proof.
  induction n as [|n IH]; intros P k H.
  - exists []. unfold rank, count in *. simpl in *. destruct (P []) eqn:E; simpl in *; try lia.
    repeat split; auto. lia.
  - rewrite count_S in H. apply find_digit in H as (a & Ha & H).
    destruct (IH (fun u => P (a :: u)) (k - counts P n (seq 0 a))) as (w & L & F & HP & R).
    { unfold counts. lia. }
    exists (a :: w). repeat split; simpl; auto. rewrite rank_cons by auto. rewrite R, L. unfold counts in *. lia.
Qed.

Lemma total u w : length u = length w -> u = w \/ before u w = true \/ before w u = true.
Proof.
  revert w. induction u as [|a u IH]; intros [|b w] L; try discriminate; auto.
  injection L as L. simpl. destruct (lt_eq_lt_dec a b) as [[H|H]|H].
  - right; left. apply Nat.ltb_lt in H. now rewrite H.
  - subst. destruct (IH w L) as [|[H|H]]; subst; auto.
    + right; left. rewrite Nat.eqb_refl, H. apply orb_true_r.
    + right; right. rewrite Nat.eqb_refl, H. apply orb_true_r.
  - right; right. apply Nat.ltb_lt in H. now rewrite H.
Qed.

Lemma rank_zero P w : 0 < D -> (forall u, P (0 :: u) = P u) -> rank P (0 :: w) = rank P w.
Proof.
  intros H E. rewrite rank_cons by auto. unfold counts. simpl. unfold rank. apply count_ext. intros. now rewrite E.
Qed.

End Language.

(** * Automata that have a loop at the letter of zeros *)

Definition zero_loop (a : automaton) (tracks : nat) : bool :=
  match step a (Some 1%positive) (repeat 0 tracks) with Some q => Pos.eqb q 1 | None => false end.

Lemma zero_loop_step a k : zero_loop a k = true -> step a (Some 1%positive) (repeat 0 k) = Some 1%positive.
Proof.
  unfold zero_loop. destruct (step _ _ _); try discriminate. intros H. apply Pos.eqb_eq in H. now subst.
Qed.

Lemma run_zero a k ls : zero_loop a k = true -> run a (repeat 0 k :: ls) = run a ls.
Proof. intros H. unfold run. cbn [fold_left]. now rewrite (zero_loop_step _ _ H). Qed.

Lemma run_app a l m : run a (l ++ m) = fold_left (step a) m (run a l).
Proof. unfold run. apply fold_left_app. Qed.

(** * Systems *)

Definition unary (w : word) : list letter := map (fun d => [d]) w.

(** u v^k z is a word of the system, for all k, and u does not begin with 0: so there are infinitely many numbers. *)
Record pump := { start : word; turn : word; rest : word }.

Definition well_formed (s : system) (p : pump) : bool :=
  (0 <? digits s) && zero_loop (numbers s) 1
  && forallb (fun o => match snd (snd o) with
                       | Branch children => forallb (fun t => fst t <? digits s) children
                       | Arrive _ => true
                       end) (PositiveMap.elements (numbers s))
  && match start p, turn p with
     | a :: _, _ :: _ => negb (a =? 0)
     | _, _ => false
     end
  && forallb (fun d => d <? digits s) (start p ++ turn p ++ rest p)
  && match run (numbers s) (unary (start p)) with
     | Some q =>
         match fold_left (step (numbers s)) (unary (turn p)) (Some q) with
         | Some q' => Pos.eqb q q'
         | None => false
         end
         && accepting (numbers s) (fold_left (step (numbers s)) (unary (rest p)) (Some q))
     | None => false
     end.

Lemma digits_forall D w : forallb (fun d => d <? D) w = true <-> Forall (fun d => d < D) w.
Proof. rewrite forallb_forall, Forall_forall. split; intros H x Hx; apply Nat.ltb_lt; auto. Qed.

Section System.
Variables (s : system) (p : pump).
Hypothesis good : well_formed s p = true.

Lemma digits_positive : 0 < digits s.
Proof. unfold well_formed in good. rewrite !andb_true_iff in good. apply Nat.ltb_lt. tauto. Qed.

Lemma system_loop : zero_loop (numbers s) 1 = true.
Proof. unfold well_formed in good. rewrite !andb_true_iff in good. tauto. Qed.

Lemma numbers_step q d t : step (numbers s) (Some q) [d] = Some t -> d < digits s.
Proof.
  unfold well_formed in good. rewrite !andb_true_iff in good. destruct good as [[[[_ F] _] _] _].
  unfold step. destruct (PositiveMap.find q (numbers s)) as [[z r]|] eqn:E; try discriminate.
  apply PositiveMap.elements_correct in E. rewrite forallb_forall in F. apply F in E. simpl in E.
  destruct r as [q'|children]; try discriminate. simpl. destruct (assoc d children) as [r|] eqn:A; try discriminate.
  intros _. rewrite forallb_forall in E. apply Nat.ltb_lt. clear F. induction children as [|[e r'] l IH]; try discriminate.
  simpl in A. destruct (Nat.eqb_spec e d) as [->|].
  - apply (E (d, r')). now left.
  - apply IH; auto. intros x X. apply E. now right.
Qed.

Lemma accepts_in_system w : accepts (numbers s) (unary w) = true -> in_system s w = true.
Proof.
  intros A. unfold in_system. fold (unary w). rewrite A, andb_true_r. apply digits_forall. unfold accepts, run in A.
  revert A. generalize (Some 1%positive). induction w as [|b w IH]; intros q A; auto.
  change (unary (b :: w)) with ([b] :: unary w) in A. cbn [fold_left] in A. constructor; [|eapply IH; eauto].
  destruct q as [q|].
  - destruct (step (numbers s) (Some q) [b]) eqn:E; [eapply numbers_step; eauto|].
    exfalso. clear - A. induction (unary w); auto. discriminate.
  - exfalso. clear - A. simpl in A. induction (unary w); auto. discriminate.
Qed.

Lemma in_system_zero w : in_system s (0 :: w) = in_system s w.
Proof.
  unfold in_system, accepts. simpl. pose proof digits_positive. destruct (Nat.ltb_spec 0 (digits s)); try lia. simpl.
  f_equal. f_equal. apply (run_zero _ 1). apply system_loop.
Qed.

Lemma place_rank w : place s w = rank (digits s) (in_system s) w.
Proof. reflexivity. Qed.

Lemma place_zero w : place s (0 :: w) = place s w.
Proof. rewrite !place_rank. apply rank_zero; [apply digits_positive | apply in_system_zero]. Qed.

Lemma in_system_zeros k w : in_system s (repeat 0 k ++ w) = in_system s w.
Proof. induction k; simpl; auto. now rewrite in_system_zero. Qed.

Lemma place_zeros k w : place s (repeat 0 k ++ w) = place s w.
Proof. induction k; simpl; auto. now rewrite place_zero. Qed.

Lemma represents_zeros k w n : represents s w n -> represents s (repeat 0 k ++ w) n.
Proof. unfold represents. now rewrite in_system_zeros, place_zeros. Qed.

Lemma represents_zeros_inv k w n : represents s (repeat 0 k ++ w) n -> represents s w n.
Proof. unfold represents. now rewrite in_system_zeros, place_zeros. Qed.

Lemma in_system_digits w : in_system s w = true -> Forall (fun d => d < digits s) w.
Proof. unfold in_system. rewrite andb_true_iff, digits_forall. tauto. Qed.

Lemma place_before u w : length u = length w -> in_system s u = true -> in_system s w = true ->
  before u w = true -> place s u < place s w.
Proof. intros. rewrite !place_rank. apply rank_before; auto using in_system_digits. Qed.

Lemma place_order u w : length u = length w -> in_system s u = true -> in_system s w = true ->
  (before u w = true <-> place s u < place s w).
Proof.
  intros L Hu Hw. split. { apply place_before; auto. }
  intros H. destruct (total u w L) as [|[|B]]; subst; auto; try lia.
  apply place_before in B; auto. lia.
Qed.

Lemma place_injective u w : length u = length w -> in_system s u = true -> in_system s w = true ->
  place s u = place s w -> u = w.
Proof.
  intros L Hu Hw E. destruct (total u w L) as [|[B|B]]; auto; apply place_before in B; auto; lia.
Qed.

Lemma represents_unique u w n m : length u = length w -> represents s u n -> represents s w m -> n = m <-> u = w.
Proof.
  intros L [A B] [C E]. split; intros H.
  - apply place_injective; auto. congruence.
  - congruence.
Qed.

Lemma place_onto w n : in_system s w = true -> n <= place s w -> exists u, length u = length w /\ represents s u n.
Proof.
  intros H L. pose proof (rank_less (digits s) _ _ (in_system_digits _ H) H). rewrite place_rank in L.
  destruct (rank_onto (digits s) (length w) (in_system s) n) as (u & ? & ? & ? & ?); try lia.
  exists u. split; auto. split; auto.
Qed.

(** ** Infinitely many numbers *)

Fixpoint turns (k : nat) : word := match k with 0 => [] | S k => turn p ++ turns k end.
Definition long (k : nat) : word := start p ++ turns k ++ rest p.

Lemma unary_app u w : unary (u ++ w) = unary u ++ unary w.
Proof. apply map_app. Qed.

Lemma long_in_system k : in_system s (long k) = true.
Proof.
  unfold well_formed in good. rewrite !andb_true_iff in good. destruct good as [[_ F] R].
  rewrite digits_forall, !Forall_app in F. unfold in_system. apply andb_true_iff. split.
  - apply digits_forall. unfold long. rewrite !Forall_app. repeat split; try tauto.
    induction k; simpl; auto. apply Forall_app. tauto.
  - unfold accepts, long. fold unary. change (map (fun d => [d])) with unary. rewrite !unary_app, run_app.
    destruct (run _ _) as [q|]; try discriminate. apply andb_true_iff in R as [T A].
    rewrite fold_left_app.
    assert (E : fold_left (step (numbers s)) (unary (turns k)) (Some q) = Some q).
    { induction k; auto. simpl turns. rewrite unary_app, fold_left_app.
      destruct (fold_left (step (numbers s)) (unary (turn p)) (Some q)) as [q'|]; try discriminate.
      apply Pos.eqb_eq in T. now subst. }
    rewrite E. exact A.
Qed.

Lemma long_place k : k <= place s (long k).
Proof.
  induction k as [|k IH]; [lia|].
  pose proof good as G. unfold well_formed in G. rewrite !andb_true_iff in G. destruct G as [[[_ N] _] _].
  destruct (start p) as [|a u] eqn:ES; try discriminate. destruct (turn p) as [|b v] eqn:ET; try discriminate.
  set (z := repeat 0 (length (turn p))).
  assert (B : place s (z ++ long k) < place s (long (S k))).
  { apply place_before; auto using long_in_system.
    - unfold z, long. simpl turns. rewrite !app_length, repeat_length. lia.
    - unfold z. rewrite in_system_zeros. apply long_in_system.
    - unfold z. rewrite ET. simpl. unfold long. rewrite ES. simpl. apply negb_true_iff, Nat.eqb_neq in N.
      apply orb_true_iff. left. apply Nat.ltb_lt. lia. }
  unfold z in B. rewrite place_zeros in B. lia.
Qed.

Theorem represented n : exists length, forall l, length <= l -> exists w, List.length w = l /\ represents s w n.
Proof.
  destruct (place_onto (long n) n (long_in_system n) (long_place n)) as (u & L & R).
  exists (length u). intros l Hl. exists (repeat 0 (l - length u) ++ u). split.
  - rewrite app_length, repeat_length. lia.
  - now apply represents_zeros.
Qed.

(** What [represents] means with words that do not begin with 0. *)
Theorem each_number_has_one_word n :
  exists! w, (forall a u, w = a :: u -> a <> 0) /\ represents s w n.
Proof.
  destruct (represented n) as (l & H). destruct (H l (le_n l)) as (w & _ & R). clear H.
  assert (E : exists u, (forall a v, u = a :: v -> a <> 0) /\ represents s u n).
  { induction w as [|a w IH].
    - exists []. split; auto. discriminate.
    - destruct (Nat.eq_dec a 0) as [->|N].
      + apply IH. now apply (represents_zeros_inv 1).
      + exists (a :: w). split; auto. intros b v [= <- _]. auto. }
  destruct E as (u & N & U). exists u. split; auto. intros v [Nv V].
  assert (C : forall u v, length u <= length v -> (forall a x, v = a :: x -> a <> 0) -> represents s u n ->
              represents s v n -> u = v).
  { clear - good. intros u v L Nv U V.
    assert (E : repeat 0 (length v - length u) ++ u = v).
    { apply (represents_unique _ _ n n); auto using represents_zeros. rewrite app_length, repeat_length. lia. }
    destruct (length v - length u); auto. simpl in E. exfalso. symmetry in E. apply (Nv _ _ E). reflexivity. }
  destruct (le_ge_dec (length u) (length v)); [|symmetry]; apply C; auto.
Qed.

End System.
