(** Numbers beside the beginnings of a sequence: a longer beginning has the same ones, and more of them. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements FamilyStatements Numeration Columns Walks Forms Claims Atoms.
Import ListNotations.

(** * Numbers beside one beginning *)

Section Beside.
Variables (s : system) (b : word).

Lemma number_beside_inv w : number_beside s b w = true ->
  length w = length b /\ Forall (fun d => d < digits s) w /\ accepts (numbers s) (pairs w b) = true.
Proof.
  unfold number_beside. rewrite !andb_true_iff. intros [[L D] A]. apply Nat.eqb_eq in L. apply digits_forall in D.
  repeat split; auto. rewrite <- A. f_equal. clear. revert b. induction w as [|x w IH]; intros [|y b]; simpl; auto.
  now rewrite IH.
Qed.

Lemma number_beside_intro w : length w = length b -> Forall (fun d => d < digits s) w ->
  number_beside s b w = accepts (numbers s) (pairs w b).
Proof.
  intros L D. unfold number_beside. apply digits_forall in D. rewrite D, L, Nat.eqb_refl. cbn [andb]. f_equal.
  clear. revert b. induction w as [|x w IH]; intros [|y b]; simpl; auto. now rewrite IH.
Qed.

Definition place_beside (w : word) : nat := rank (digits s) (number_beside s b) w.

Lemma represents_rank w n : represents_beside s b w n <-> number_beside s b w = true /\ place_beside w = n.
Proof.
  unfold represents_beside, place_beside, rank, count.
  split; intros [N R]; split; auto; destruct (number_beside_inv _ N) as (L & _); rewrite L in *; exact R.
Qed.

Lemma beside_before u w n m : represents_beside s b u n -> represents_beside s b w m -> before u w = true <-> n < m.
Proof.
  rewrite !represents_rank. intros [U <-] [W <-].
  destruct (number_beside_inv _ U) as (LU & DU & _), (number_beside_inv _ W) as (LW & DW & _).
  assert (B : forall u w, number_beside s b u = true -> number_beside s b w = true -> before u w = true ->
                place_beside u < place_beside w).
  { intros u' w' U' W'. destruct (number_beside_inv _ U') as (LU' & DU' & _), (number_beside_inv _ W') as (LW' & DW' & _).
    apply rank_before; auto. congruence. }
  split; [now apply B|]. intros H. destruct (total u w) as [->|[|C]]; auto; try congruence; try lia.
  apply B in C; auto. lia.
Qed.

Lemma beside_unique u w n m : represents_beside s b u n -> represents_beside s b w m -> n = m <-> u = w.
Proof.
  intros U W. pose proof (beside_before _ _ _ _ U W) as B. pose proof (beside_before _ _ _ _ W U) as C.
  assert (L : length u = length w).
  { apply represents_rank in U as [U _], W as [W _]. apply number_beside_inv in U as (U & _), W as (W & _). congruence. }
  split.
  - intros E. destruct (total u w L) as [|[T|T]]; auto; [apply B in T | apply C in T]; lia.
  - intros <-. apply represents_rank in U as [_ U], W as [_ W]. congruence.
Qed.

Lemma beside_onto w n : number_beside s b w = true -> n <= place_beside w -> exists u, represents_beside s b u n.
Proof.
  intros W L. destruct (number_beside_inv _ W) as (LW & DW & _).
  pose proof (rank_less (digits s) _ _ DW W) as C. rewrite LW in C. unfold place_beside in L.
  destruct (rank_onto (digits s) (length b) (number_beside s b) n) as (u & _ & _ & U & R); [lia|].
  exists u. apply represents_rank. auto.
Qed.
End Beside.

(** Zeros in front: all words before one with zeros in front have them, too. *)
Lemma rank_zeros D k : 0 < D -> forall P w, rank D P (repeat 0 k ++ w) = rank D (fun u => P (repeat 0 k ++ u)) w.
Proof.
  intros H. induction k as [|k IH]; intros P w; auto. cbn [repeat app]. rewrite rank_cons by auto. unfold counts. simpl.
  now rewrite IH.
Qed.

Lemma words_forall D n u : In u (words D n) -> length u = n /\ Forall (fun d => d < D) u.
Proof.
  revert u. induction n as [|n IH]; intros u I; simpl in I.
  - destruct I as [<-|[]]. auto.
  - apply in_flat_map in I as (a & A & I). apply in_map_iff in I as (v & <- & I). apply in_seq in A.
    destruct (IH v I). simpl. split; [auto|]. constructor; auto. lia.
Qed.

Lemma rank_same D P Q w :
  (forall u, length u = length w -> Forall (fun d => d < D) u -> before u w = true -> P u = Q u) -> rank D P w = rank D Q w.
Proof.
  intros H. unfold rank, count. f_equal. apply filter_ext_in. intros u I. apply words_forall in I as [L F].
  destruct (before u w) eqn:B; [|now rewrite !andb_false_r]. now rewrite H.
Qed.

Lemma rank_most D P w : rank D P w <= length (words D (length w)).
Proof.
  unfold rank, count. generalize (words D (length w)). intros l. induction l as [|u l IH]; simpl; auto.
  destruct (P u && before u w); simpl; lia.
Qed.

(** * Beginnings *)

(** The digits with which a number of the sequence begins, and those that may follow. *)
Definition firsts (f : family) : list nat := match f with Choices k => seq 1 k | Slopes => [2] end.
Definition mores (f : family) : list nat := match f with Choices _ => [] | Slopes => [0; 1] end.

Lemma binary_marks fuel : forall n, 1 <= n <= fuel ->
  exists rest, binary fuel n = 2 :: rest /\ Forall (fun m => In m [0; 1]) rest.
Proof.
  induction fuel as [|fuel IH]; intros n H; [lia|]. cbn [binary]. destruct (Nat.ltb_spec n 2) as [L|L].
  - exists []. auto.
  - assert (n / 2 < n) by (apply Nat.div_lt; lia).
    assert (1 <= n / 2) by (change 1 with (2 / 2); apply Nat.div_le_mono; lia).
    destruct (IH (n / 2)) as (rest & -> & F); [lia|]. exists (rest ++ [n mod 2]). split; auto.
    apply Forall_app. split; auto. constructor; auto. pose proof (Nat.mod_upper_bound n 2 ltac:(lia)).
    destruct (n mod 2) as [|[|]]; simpl; auto; lia.
Qed.

Section Sequence.
Variables (f : family) (a : nat -> nat).
Hypothesis here : in_family f a.

Lemma digits_of_marks n : exists m rest, digits_of f (a n) = m :: rest /\ In m (firsts f)
  /\ Forall (fun m => In m (mores f)) rest.
Proof.
  destruct (here n) as [A B]. unfold digits_of, firsts, mores. destruct f as [k|].
  - exists (a n), []. repeat split; auto. apply in_seq. lia.
  - destruct (binary_marks (a n) (a n)) as (rest & E & F); [lia|]. exists 2, rest. simpl. auto.
Qed.

Lemma beginning_first n : exists m rest, beginning f a (S n) = m :: rest /\ In m (firsts f)
  /\ Forall (fun m => In m (firsts f ++ mores f)) rest.
Proof.
  assert (A : forall n, Forall (fun m => In m (firsts f ++ mores f)) (beginning f a n)).
  { clear n. induction n as [|n IH]; simpl; auto. apply Forall_app. split; auto.
    destruct (digits_of_marks n) as (m & rest & -> & M & R). constructor. { apply in_app_iff. auto. }
    eapply Forall_impl; [|exact R]. intros x X. apply in_app_iff. auto. }
  destruct (digits_of_marks n) as (m & rest & E & M & R). exists m, (rest ++ beginning f a n). simpl. rewrite E.
  repeat split; auto. apply Forall_app. split; auto. eapply Forall_impl; [|exact R]. intros x X. apply in_app_iff. auto.
Qed.
End Sequence.

(** * Automata over beginnings *)

Definition to (digits : list nat) (r : row) : list (nat * row) := map (fun m => (m, r)) digits.

Lemma assoc_to digits r d : In d digits -> assoc d (to digits r) = Some r.
Proof.
  unfold to. induction digits as [|e l IH]; simpl; [tauto|]. destruct (Nat.eqb_spec e d); auto. intros [|]; [contradiction|auto].
Qed.

Lemma assoc_app {A} d (l m : list (nat * A)) : assoc d (l ++ m) = match assoc d l with Some a => Some a | None => assoc d m end.
Proof. induction l as [|[e a] l IH]; simpl; auto. destruct (e =? d); auto. Qed.

Lemma assoc_not d digits r : ~ In d digits -> assoc d (to digits r) = None.
Proof.
  unfold to. induction digits as [|e l IH]; simpl; auto. intros N. destruct (Nat.eqb_spec e d); [subst; exfalso; auto|]. auto.
Qed.

(** All beginnings, with zeros in front or without. *)
Definition begun (f : family) (zeros : bool) : automaton :=
  PositiveMap.add 1%positive (0%Z, Branch (to (firsts f) (Arrive 2) ++ (if zeros then [(0, Arrive 1%positive)] else [])))
    (PositiveMap.add 2%positive (1%Z, Branch (to (firsts f ++ mores f) (Arrive 2))) (PositiveMap.empty _)).

(** A digit 1 beside the last digit of the first of two or more numbers of the sequence. *)
Definition one_beside (f : family) : automaton :=
  let zero digits q := (0, Branch (to digits (Arrive q))) in
  let one digits q := (1, Branch (to digits (Arrive q))) in
  PositiveMap.add 1%positive (0%Z, Branch [zero (firsts f) 2%positive; one (firsts f) 3%positive])
    (PositiveMap.add 2%positive (0%Z, Branch [zero (mores f) 2%positive; one (mores f) 3%positive])
      (PositiveMap.add 3%positive (0%Z, Branch [zero (firsts f) 4%positive])
        (PositiveMap.add 4%positive (1%Z, Branch [zero (firsts f ++ mores f) 4%positive]) (PositiveMap.empty _)))).

Lemma firsts_not_zero f m : In m (firsts f) -> m <> 0.
Proof. destruct f; simpl. { rewrite in_seq. lia. } intros [<-|[]]. lia. Qed.

Section Automata.
Variables (f : family) (a : nat -> nat).
Hypothesis here : in_family f a.

Lemma begun_from_two z w : Forall (fun m => In m (firsts f ++ mores f)) w ->
  fold_left (step (begun f z)) (unary w) (Some 2%positive) = Some 2%positive.
Proof.
  induction 1 as [|m w M F IH]; auto. change (unary (m :: w)) with ([m] :: unary w). cbn [fold_left].
  replace (step (begun f z) (Some 2%positive) [m]) with (Some 2%positive); auto.
  unfold step, begun. rewrite PositiveMap.gso, PositiveMap.gss by discriminate. cbn [target]. now rewrite assoc_to.
Qed.

Lemma begun_accepts z n : accepts (begun f z) (unary (beginning f a (S n))) = true.
Proof.
  destruct (beginning_first f a here n) as (m & rest & -> & M & R).
  change (unary (m :: rest)) with ([m] :: unary rest). unfold accepts, run. cbn [fold_left].
  replace (step (begun f z) (Some 1%positive) [m]) with (Some 2%positive).
  - rewrite begun_from_two by auto. reflexivity.
  - unfold step, begun. rewrite PositiveMap.gss. cbn [target]. now rewrite assoc_app, assoc_to.
Qed.

Lemma begun_loop : zero_loop (begun f true) 1 = true.
Proof.
  unfold zero_loop, step, begun. rewrite PositiveMap.gss. cbn [target repeat]. rewrite assoc_app, assoc_not; auto.
  intros I. now apply firsts_not_zero in I.
Qed.

Lemma one_from_four w : Forall (fun m => In m (firsts f ++ mores f)) w ->
  fold_left (step (one_beside f)) (pairs (repeat 0 (length w)) w) (Some 4%positive) = Some 4%positive.
Proof.
  induction 1 as [|m w M F IH]; auto. cbn [length repeat pairs fold_left].
  replace (step (one_beside f) (Some 4%positive) [0; m]) with (Some 4%positive); auto.
  unfold step, one_beside. rewrite !PositiveMap.gso, PositiveMap.gss by discriminate. cbn [target assoc Nat.eqb]. now rewrite assoc_to.
Qed.

Lemma pairs_app u v : forall w x, length u = length w -> pairs (u ++ v) (w ++ x) = pairs u w ++ pairs v x.
Proof.
  induction u as [|c u IH]; intros [|d w] x L; try discriminate; auto. simpl in *. f_equal. apply IH. congruence.
Qed.

(** The word 0...01 beside the digits of one number. *)
Definition one_word (t : word) : word := repeat 0 (length t - 1) ++ [1].

Lemma one_word_length t : t <> [] -> length (one_word t) = length t.
Proof. intros N. unfold one_word. rewrite app_length, repeat_length. destruct t; [congruence|]. simpl. lia. Qed.

Lemma one_from_two rest : Forall (fun m => In m (mores f)) rest -> rest <> [] ->
  fold_left (step (one_beside f)) (pairs (one_word rest) rest) (Some 2%positive) = Some 3%positive.
Proof.
  induction 1 as [|m w M F IH]; [congruence|]. intros _. destruct w as [|m' w].
  - change (pairs (one_word [m]) [m]) with [[1; m]]. cbn [fold_left]. unfold step, one_beside. rewrite PositiveMap.gso, PositiveMap.gss by discriminate. cbn [target assoc Nat.eqb].
    now rewrite assoc_to.
  - unfold one_word in *. cbn [length Nat.sub] in *. rewrite Nat.sub_0_r in *. cbn [repeat app pairs fold_left].
    replace (step (one_beside f) (Some 2%positive) [0; m]) with (Some 2%positive).
    + apply IH. discriminate.
    + unfold step, one_beside. rewrite PositiveMap.gso, PositiveMap.gss by discriminate. cbn [target assoc Nat.eqb].
      now rewrite assoc_to.
Qed.

Lemma one_accepts n : let t := digits_of f (a (S n)) in let b := beginning f a (S n) in
  accepts (one_beside f) (pairs (one_word t ++ repeat 0 (length b)) (t ++ b)) = true.
Proof.
  intros t b. destruct (digits_of_marks f a here (S n)) as (m & rest & E & M & R). fold t in E.
  rewrite pairs_app by (apply one_word_length; rewrite E; discriminate).
  unfold accepts, run. rewrite fold_left_app.
  assert (A : fold_left (step (one_beside f)) (pairs (one_word t) t) (Some 1%positive) = Some 3%positive).
  { rewrite E. destruct rest as [|m' rest].
    - change (pairs (one_word [m]) [m]) with [[1; m]]. cbn [fold_left]. unfold step, one_beside. rewrite PositiveMap.gss. cbn [target assoc Nat.eqb]. now rewrite assoc_to.
    - change (one_word (m :: m' :: rest)) with (0 :: repeat 0 (length rest) ++ [1]). cbn [pairs fold_left].
      replace (step (one_beside f) (Some 1%positive) [0; m]) with (Some 2%positive).
      + pose proof (one_from_two (m' :: rest) R ltac:(discriminate)) as T. unfold one_word in T.
        cbn [length Nat.sub] in T. rewrite Nat.sub_0_r in T. exact T.
      + unfold step, one_beside. rewrite PositiveMap.gss. cbn [target assoc Nat.eqb]. now rewrite assoc_to. }
  rewrite A. unfold b. destruct (beginning_first f a here n) as (c & w & -> & C & W). cbn [length repeat pairs fold_left].
  replace (step (one_beside f) (Some 3%positive) [0; c]) with (Some 4%positive).
  - rewrite one_from_four by auto. reflexivity.
  - unfold step, one_beside. rewrite !PositiveMap.gso, PositiveMap.gss by discriminate. cbn [target assoc Nat.eqb]. now rewrite assoc_to.
Qed.
End Automata.

(** * Systems over a family *)

Lemma read_two m x y cs : read_by {| machine := m; names := [x; y] |} cs = pairs (track_of x cs) (track_of y cs).
Proof. unfold read_by, track_of. simpl. induction cs; simpl; auto. now rewrite IHcs. Qed.

Lemma read_one m x cs : read_by {| machine := m; names := [x] |} cs = unary (track_of x cs).
Proof. unfold read_by, track_of, unary. simpl. now rewrite map_map. Qed.

(** Columns of two words and a beginning. *)
Definition three (u w b : word) : list column :=
  map (fun t n => if Pos.eqb n 1 then fst (fst t) else if Pos.eqb n 2 then snd (fst t) else snd t) (combine (combine u w) b).

Lemma tracks_of_three u w b : length u = length b -> length w = length b ->
  track_of 1 (three u w b) = u /\ track_of 2 (three u w b) = w /\ track_of 3 (three u w b) = b.
Proof.
  unfold three, track_of. revert w b. induction u as [|x u IH]; intros [|y w] [|z b] L M; try discriminate; auto.
  simpl in *. destruct (IH w b ltac:(congruence) ltac:(congruence)) as (A & B & C). rewrite A, B, C. auto.
Qed.

Section Systems.
Variables (f : family) (s : system) (ends : list positive) (patience : nat).
Notation m := (numbers s).

(** [ends]: the states after the digits of one number of the sequence, beside zeros. *)
Definition ends_closed : bool :=
  let leads q d := match step m (Some q) [0; d] with Some t => mem t ends | None => false end in
  forallb (leads 1%positive) (firsts f) && forallb (fun e => forallb (leads e) (mores f)) ends.

Definition front_is_zero : bool :=
  match PositiveMap.find 1%positive m with
  | Some (_, Branch children) =>
      forallb (fun t => (fst t =? 0) || match snd t with Branch inner => forallb (fun u => negb (fst u =? 0)) inner | Arrive _ => true end)
        children
  | _ => true
  end.

Definition digits_small : bool :=
  forallb (fun o => match snd (snd o) with Branch children => forallb (fun t => fst t <? digits s) children | Arrive _ => true end)
    (PositiveMap.elements m).

Definition over (x : name) : relation := {| machine := m; names := [x; 3%positive] |}.
Definition strictly_begun : relation := {| machine := begun f false; names := [3%positive] |}.
Definition equal_two (l : list bool) : bool := match l with [a; b] => eqb a b | _ => false end.

(** Beside longer beginnings numbers are numbers, with zeros in front, and before them are no others; there is a greater
    number beside the second number of the sequence, the third one, and so on. *)
Definition system_beside : bool :=
  zero_loop m 2 && front_is_zero && digits_small && ends_closed
  && walk [{| machine := begun f false; names := [3%positive] |}; {| machine := one_beside f; names := [1%positive; 3%positive] |}]
       [over 1] every patience
  && forallb (fun e =>
       walk_from [strictly_begun; over 2] [over 2] every [Some e] patience
       && walk_from [strictly_begun; over 2; {| machine := order (digits s) true; names := [1%positive; 2%positive] |}]
            [over 1; over 1] equal_two [Some 1%positive; Some e] patience) ends.

Hypothesis good : system_beside = true.

Lemma beside_loop : zero_loop m 2 = true.
Proof. unfold system_beside in good. rewrite !andb_true_iff in good. tauto. Qed.

Lemma beside_step q d c t : step m (Some q) [d; c] = Some t -> d < digits s.
Proof.
  unfold system_beside in good. rewrite !andb_true_iff in good. destruct good as [[[[_ F] _] _] _].
  unfold digits_small in F. unfold step. destruct (PositiveMap.find q m) as [[z r]|] eqn:E; try discriminate.
  apply PositiveMap.elements_correct in E. rewrite forallb_forall in F. apply F in E. simpl in E.
  destruct r as [q'|children]; try discriminate. simpl. destruct (assoc d children) as [r|] eqn:A; try discriminate.
  intros _. rewrite forallb_forall in E. apply Nat.ltb_lt. apply (E (d, r)). now apply assoc_in.
Qed.

Lemma stuck_pairs l : accepting m (fold_left (step m) l None) = false.
Proof. induction l; auto. Qed.

Lemma beside_digits w : forall b q, length w = length b -> accepting m (fold_left (step m) (pairs w b) q) = true ->
  Forall (fun d => d < digits s) w.
Proof.
  induction w as [|d w IH]; intros [|c b] q L A; try discriminate; auto. cbn [pairs fold_left] in A. simpl in L.
  constructor; [|eapply IH; [|exact A]; congruence].
  destruct q as [q|]; [|rewrite stuck_pairs in A; discriminate].
  destruct (step m (Some q) [d; c]) eqn:E; [eapply beside_step; eauto | rewrite stuck_pairs in A; discriminate].
Qed.

Lemma digits_above_zero : 0 < digits s.
Proof.
  pose proof beside_loop as Z. apply zero_loop_step in Z. cbn [repeat] in Z. now apply beside_step in Z.
Qed.

(** In front of a beginning a number has zeros. *)
Lemma zeros_in_front k : forall w b, length w = k + length b -> accepts m (pairs w (repeat 0 k ++ b)) = true ->
  exists u, w = repeat 0 k ++ u /\ number_beside s b u = true.
Proof.
  pose proof (zero_loop_step _ _ beside_loop) as Z. cbn [repeat] in Z.
  induction k as [|k IH]; intros w b L A.
  - exists w. split; auto. rewrite number_beside_intro; auto. eapply beside_digits; eauto.
  - destruct w as [|d w]; try discriminate. cbn [repeat app pairs] in A. unfold accepts, run in A. cbn [fold_left] in A.
    assert (d = 0).
    { destruct (Nat.eq_dec d 0) as [|N]; auto. exfalso.
      unfold system_beside in good. rewrite !andb_true_iff in good. destruct good as [[[[[_ F] _] _] _] _].
      destruct (step m (Some 1%positive) [d; 0]) as [t|] eqn:E; [|rewrite stuck_pairs in A; discriminate].
      unfold front_is_zero in F. unfold step in E. destruct (PositiveMap.find 1%positive m) as [[z [q|children]]|]; try discriminate.
      cbn [target] in E. destruct (assoc d children) as [r|] eqn:AS; try discriminate.
      apply assoc_in in AS. rewrite forallb_forall in F. apply F in AS. cbn [fst snd] in AS. apply Nat.eqb_neq in N. rewrite N in AS.
      destruct r as [q|inner]; try discriminate. cbn [target orb] in *. destruct (assoc 0 inner) as [r|] eqn:AI; try discriminate.
      apply assoc_in in AI. rewrite forallb_forall in AS. apply AS in AI. discriminate. }
    subst d. rewrite Z in A. destruct (IH w b ltac:(simpl in L; lia) A) as (u & -> & U).
    exists u. auto.
Qed.

Lemma accepts_in_front k w b : length w = length b -> accepts m (pairs (repeat 0 k ++ w) (repeat 0 k ++ b)) = accepts m (pairs w b).
Proof.
  intros L. pose proof (zero_loop_step _ _ beside_loop) as Z. cbn [repeat] in Z.
  induction k as [|k IH]; auto. cbn [repeat app pairs]. unfold accepts, run in *. cbn [fold_left]. now rewrite Z.
Qed.

Section Along.
Variable a : nat -> nat.
Hypothesis here : in_family f a.

Lemma ends_reached n : exists e, In e ends
  /\ fold_left (step m) (pairs (repeat 0 (length (digits_of f (a n)))) (digits_of f (a n))) (Some 1%positive) = Some e.
Proof.
  unfold system_beside in good. rewrite !andb_true_iff in good. destruct good as [[[_ C] _] _].
  unfold ends_closed in C. apply andb_true_iff in C as [C D]. rewrite forallb_forall in C, D.
  destruct (digits_of_marks f a here n) as (c & rest & -> & I & F). cbn [length repeat pairs fold_left].
  apply C in I. destruct (step m (Some 1%positive) [0; c]) as [e|]; [|discriminate]. apply mem_in in I. clear C. revert e I.
  induction F as [|d rest R F IH]; intros e I. { exists e. auto. }
  cbn [length repeat pairs fold_left]. specialize (D e I). rewrite forallb_forall in D. specialize (D d R).
  destruct (step m (Some e) [0; d]) as [e'|]; [|discriminate]. apply mem_in in D. now apply IH.
Qed.

(** A beginning, and one that is longer by one number of the sequence. *)
Variable n : nat.
Notation t := (digits_of f (a (S n))).
Notation b := (beginning f a (S n)).

Lemma longer_accepts e w : fold_left (step m) (pairs (repeat 0 (length t)) t) (Some 1%positive) = Some e ->
  length w = length b -> accepts m (pairs (repeat 0 (length t) ++ w) (t ++ b)) = accepting m (fold_left (step m) (pairs w b) (Some e)).
Proof.
  intros E L. rewrite pairs_app by apply repeat_length. unfold accepts, run. now rewrite fold_left_app, E.
Qed.

Lemma longer_number w : number_beside s b w = true -> number_beside s (t ++ b) (repeat 0 (length t) ++ w) = true.
Proof.
  intros N. destruct (number_beside_inv _ _ _ N) as (L & D & A). destruct (ends_reached (S n)) as (e & I & E).
  assert (G := good). unfold system_beside in G. rewrite !andb_true_iff in G. destruct G as [_ G]. rewrite forallb_forall in G.
  apply G in I. apply andb_true_iff in I as [I _].
  assert (X := walk_from_sound _ [over 2] every [Some e] eq_refl _ I (three w w b)). clear I G.
  destruct (tracks_of_three w w b L L) as (T1 & T2 & T3).
  rewrite number_beside_intro.
  - rewrite (longer_accepts e w E L). cbn [combine map fst snd] in X. unfold run_on in X. cbn [machine over] in X.
    unfold over in X. rewrite read_two, T2, T3 in X.
    unfold every in X. cbn [forallb] in X. refine (proj1 (andb_prop _ _ (X _))). unfold accepts_columns, strictly_begun.
    rewrite read_two, read_one, T2, T3. cbn [machine]. rewrite A, begun_accepts by auto. reflexivity.
  - rewrite !app_length, repeat_length. congruence.
  - apply Forall_app. split; auto. apply Forall_forall. intros x X'. apply repeat_spec in X'. subst. apply digits_above_zero.
Qed.

Lemma longer_same u w : number_beside s b w = true -> length u = length w -> Forall (fun d => d < digits s) u -> before u w = true ->
  number_beside s (t ++ b) (repeat 0 (length t) ++ u) = number_beside s b u.
Proof.
  intros N LU DU B. destruct (number_beside_inv _ _ _ N) as (L & D & A). destruct (ends_reached (S n)) as (e & I & E).
  assert (G := good). unfold system_beside in G. rewrite !andb_true_iff in G. destruct G as [_ G]. rewrite forallb_forall in G.
  apply G in I. apply andb_true_iff in I as [_ I].
  assert (X := walk_from_sound _ [over 1; over 1] equal_two [Some 1%positive; Some e] eq_refl _ I (three u w b)). clear I G.
  destruct (tracks_of_three u w b ltac:(congruence) L) as (T1 & T2 & T3).
  rewrite !number_beside_intro; auto; try congruence.
  - rewrite (longer_accepts e u E) by congruence. cbn [combine map fst snd] in X. unfold run_on in X.
    cbn [machine over] in X. unfold over in X. rewrite read_two, T1, T3 in X. unfold equal_two in X. symmetry. apply eqb_prop, X.
    cbn [forallb]. unfold accepts_columns, strictly_begun. rewrite !read_two, read_one, T1, T2, T3. cbn [machine].
    rewrite A, begun_accepts, order_accepts by (auto; congruence). rewrite B. reflexivity.
  - rewrite !app_length, repeat_length. congruence.
  - apply Forall_app. split; auto. apply Forall_forall. intros x X'. apply repeat_spec in X'. subst. apply digits_above_zero.
Qed.

Lemma longer_place w : number_beside s b w = true -> place_beside s (t ++ b) (repeat 0 (length t) ++ w) = place_beside s b w.
Proof.
  intros N. unfold place_beside. rewrite rank_zeros by apply digits_above_zero. apply rank_same.
  intros u L D B. apply (longer_same u w); auto.
Qed.

(** A number is the same one beside longer beginnings. *)
Lemma represents_longer w v : represents_beside s b w v -> represents_beside s (t ++ b) (repeat 0 (length t) ++ w) v.
Proof. rewrite !represents_rank. intros [N <-]. split; [now apply longer_number | now apply longer_place]. Qed.

Lemma one_number : number_beside s (t ++ b) (one_word t ++ repeat 0 (length b)) = true.
Proof.
  set (u := one_word t ++ repeat 0 (length b)).
  assert (T : t <> []). { destruct (digits_of_marks f a here (S n)) as (c & rest & -> & _). discriminate. }
  assert (L : length u = length (t ++ b)).
  { unfold u. rewrite !app_length, one_word_length, repeat_length by auto. reflexivity. }
  assert (G := good). unfold system_beside in G. rewrite !andb_true_iff in G. destruct G as [[_ G] _].
  assert (X := walk_sound _ _ _ _ G (three u u (t ++ b))). clear G.
  destruct (tracks_of_three u u (t ++ b) L L) as (T1 & T2 & T3).
  unfold every in X. cbn [forallb map] in X. unfold accepts_columns, over in X.
  rewrite !read_two, read_one, T1, T3 in X. cbn [machine] in X.
  change (t ++ b) with (beginning f a (S (S n))) in X at 1. rewrite begun_accepts in X by auto.
  pose proof (one_accepts f a here n) as O. cbn zeta in O. fold u in O. rewrite O in X. cbn in X. specialize (X eq_refl).
  rewrite andb_true_r in X. rewrite number_beside_intro; auto. eapply beside_digits; eauto.
Qed.

Lemma greater_number w : number_beside s b w = true ->
  exists u, number_beside s (t ++ b) u = true /\ place_beside s b w < place_beside s (t ++ b) u.
Proof.
  intros N. exists (one_word t ++ repeat 0 (length b)). split; [apply one_number|].
  rewrite <- (longer_place w N).
  assert (B : before (repeat 0 (length t) ++ w) (one_word t ++ repeat 0 (length b)) = true).
  { destruct (digits_of_marks f a here (S n)) as (c & rest & -> & _). unfold one_word.
    cbn [length]. rewrite Nat.sub_succ, Nat.sub_0_r. generalize (length rest). intros k.
    destruct (number_beside_inv _ _ _ N) as (LW & _). clear - LW. induction k as [|k IH]; simpl; auto. }
  eapply beside_before; [| |exact B]; apply represents_rank; split; auto using longer_number, one_number.
Qed.
End Along.

Variable a : nat -> nat.
Hypothesis here : in_family f a.

Lemma many_numbers n : exists w, number_beside s (beginning f a (S (S n))) w = true
  /\ n <= place_beside s (beginning f a (S (S n))) w.
Proof.
  induction n as [|n (w & N & P)].
  - eexists. split; [apply (one_number a here 0) | lia].
  - destruct (greater_number a here (S n) w N) as (u & U & Q). exists u. split; auto. simpl in *. lia.
Qed.

Theorem represented_beside v n : v + 2 <= n -> exists w, represents_beside s (beginning f a n) w v.
Proof.
  intros H. replace n with (S (S (n - 2))) by lia. destruct (many_numbers (n - 2)) as (w & N & P).
  apply (beside_onto s _ w); auto. lia.
Qed.
End Systems.
