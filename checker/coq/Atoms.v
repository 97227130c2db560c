(** Formulas that need no proof: letters, predicates, the order of numbers, and constants. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements Numeration Columns Walks Forms Definitions Claims.
Import ListNotations.

(** * Automata that compare words of one length *)

Definition table_row (D : nat) (f : nat -> nat -> positive) : row :=
  Branch (map (fun a => (a, Branch (map (fun b => (b, Arrive (f a b))) (seq 0 D)))) (seq 0 D)).

Definition compared (a b : nat) : positive := if a =? b then 1%positive else if a <? b then 2%positive else 3%positive.

(** State 1: equal so far; 2: the first word comes before the second one; 3: after it. *)
Definition order (D : nat) (less : bool) : automaton :=
  PositiveMap.add 1%positive (if less then 0%Z else 1%Z, table_row D compared)
    (PositiveMap.add 2%positive (if less then 1%Z else 0%Z, table_row D (fun _ _ => 2%positive))
      (PositiveMap.empty _)).

Lemma assoc_seq {A} (f : nat -> A) a : forall n k, k <= a < k + n -> assoc a (map (fun a => (a, f a)) (seq k n)) = Some (f a).
Proof.
  induction n as [|n IH]; intros k H; [lia|]. simpl. destruct (Nat.eqb_spec k a) as [->|]; auto. apply IH. lia.
Qed.

Lemma table_row_target D f a b : a < D -> b < D -> target (table_row D f) [a; b] = Some (f a b).
Proof.
  intros A B. unfold table_row. destruct D; [lia|]. cbn [target].
  rewrite (assoc_seq (fun a => Branch _)) by lia. cbn [target]. rewrite (assoc_seq (fun b => Arrive _)) by lia. reflexivity.
Qed.

Fixpoint pairs (u w : word) : list letter :=
  match u, w with a :: u, b :: w => [a; b] :: pairs u w | _, _ => [] end.

Section Order.
Variables (D : nat) (less : bool).
Let small (w : word) := Forall (fun d => d < D) w.

Lemma step_two a b : a < D -> b < D -> step (order D less) (Some 2%positive) [a; b] = Some 2%positive.
Proof. intros. unfold step, order. rewrite PositiveMap.gso, PositiveMap.gss by discriminate. now rewrite table_row_target. Qed.

Lemma step_one a b : a < D -> b < D -> step (order D less) (Some 1%positive) [a; b] = Some (compared a b).
Proof. intros. unfold step, order. rewrite PositiveMap.gss. now rewrite table_row_target. Qed.

Lemma order_done u : forall w, length u = length w -> small u -> small w ->
  fold_left (step (order D less)) (pairs u w) (Some 2%positive) = Some 2%positive.
Proof.
  induction u as [|a u IH]; intros [|b w] L U W; try discriminate; auto. inversion U; inversion W; subst.
  cbn [pairs fold_left]. rewrite step_two by auto. auto.
Qed.

Lemma order_lost l : fold_left (step (order D less)) l None = None.
Proof. induction l; auto. Qed.

Lemma order_three l : accepting (order D less) (fold_left (step (order D less)) l (Some 3%positive)) = false.
Proof.
  destruct l as [|x l]; [destruct less; reflexivity|]. cbn [fold_left].
  change (step (order D less) (Some 3%positive) x) with (@None positive). now rewrite order_lost.
Qed.

Lemma order_accepts u : forall w, length u = length w -> small u -> small w ->
  accepts (order D less) (pairs u w) = if less then before u w else if list_eq_dec Nat.eq_dec u w then true else false.
Proof.
  unfold accepts, run. induction u as [|a u IH]; intros [|b w] L U W; try discriminate.
  { simpl. unfold accepting, output, order. rewrite PositiveMap.gss. destruct less; reflexivity. }
  injection L as L. inversion U; inversion W; subst.
  cbn [pairs fold_left]. rewrite step_one by auto. cbn [before]. unfold compared.
  destruct (Nat.eqb_spec a b) as [->|N].
  - rewrite IH by auto. rewrite Nat.ltb_irrefl. destruct less; [reflexivity|].
    destruct (list_eq_dec Nat.eq_dec u w), (list_eq_dec Nat.eq_dec (b :: u) (b :: w)); congruence.
  - destruct (list_eq_dec Nat.eq_dec (a :: u) (b :: w)); [congruence|]. destruct (Nat.ltb_spec a b).
    + rewrite order_done by auto. destruct less; reflexivity.
    + rewrite order_three. destruct less; reflexivity.
Qed.
End Order.

(** * The automaton of one word, with zeros in front *)

Fixpoint word_rows (w : word) (q : positive) : automaton :=
  match w with
  | [] => PositiveMap.add q (1%Z, Branch []) (PositiveMap.empty _)
  | a :: w => PositiveMap.add q (0%Z, Branch [(a, Arrive (Pos.succ q))]) (word_rows w (Pos.succ q))
  end.

Definition word_automaton (w : word) : automaton :=
  match w with
  | [] => PositiveMap.add 1%positive (1%Z, Branch [(0, Arrive 1%positive)]) (PositiveMap.empty _)
  | a :: u => PositiveMap.add 1%positive (0%Z, Branch [(0, Arrive 1%positive); (a, Arrive 2%positive)]) (word_rows u 2%positive)
  end.

(** * Places of words, by counting *)

Section Counting.
Variable s : system.
Notation D := (digits s).
Notation a := (numbers s).

Definition from (q : option positive) (u : word) : bool := accepting a (fold_left (step a) (unary u) q).

Definition get (t : PositiveMap.t N) (q : option positive) : N :=
  match q with Some q => match PositiveMap.find q t with Some n => n | None => 0%N end | None => 0%N end.

Definition sum_of (l : list N) : N := fold_right N.add 0%N l.

Fixpoint counted (n : nat) : PositiveMap.t N :=
  match n with
  | 0 => PositiveMap.map (fun o => if (fst o =? 0)%Z then 0%N else 1%N) a
  | S n => let t := counted n in PositiveMap.map (fun o => sum_of (map (fun b => get t (target (snd o) [b])) (seq 0 D))) a
  end.

Lemma from_none u : from None u = false.
Proof. unfold from. induction (unary u); auto. Qed.

Lemma count_none n : count D (from None) n = 0.
Proof. rewrite (count_ext D _ (fun _ => false)); [apply count_false | intros; apply from_none]. Qed.

Lemma find_map {A B} (f : A -> B) m q : PositiveMap.find q (PositiveMap.map f m) = option_map f (PositiveMap.find q m).
Proof. unfold PositiveMap.map. now rewrite PositiveMap.gmapi. Qed.

Lemma sum_of_counts t n q : (forall q, get t q = N.of_nat (count D (from q) n)) -> forall l,
  sum_of (map (fun b => get t (step a q [b])) l) = N.of_nat (counts D (from q) n l).
Proof.
  intros H. unfold counts. induction l as [|b l IH]; simpl; auto. rewrite IH, H, Nat2N.inj_add. reflexivity.
Qed.

Lemma counted_count n : forall q, get (counted n) q = N.of_nat (count D (from q) n).
Proof.
  induction n as [|n IH]; intros [q|]; try (rewrite count_none; reflexivity); simpl counted; unfold get; rewrite find_map.
  - unfold count, from, accepting, output. simpl.
    destruct (PositiveMap.find q a) as [[z r]|]; simpl; auto. destruct (z =? 0)%Z; reflexivity.
  - rewrite count_S, <- (sum_of_counts (counted n) n (Some q) IH). unfold step.
    destruct (PositiveMap.find q a) as [[z r]|]; simpl; auto. induction (seq 0 D); simpl; auto.
Qed.

(** The tables of lengths less than a number, the longest first. *)
Fixpoint tables (n : nat) : list (PositiveMap.t N) :=
  match n with
  | 0 => []
  | 1 => [counted 0]
  | S n => let ts := tables n in
      match ts with
      | t :: _ => PositiveMap.map (fun o => sum_of (map (fun b => get t (target (snd o) [b])) (seq 0 D))) a :: ts
      | [] => []
      end
  end.

Lemma tables_counted n : tables (S n) = counted n :: tables n.
Proof.
  induction n as [|n IH]; auto. change (tables (S (S n))) with
    (match tables (S n) with
     | t :: _ => PositiveMap.map (fun o => sum_of (map (fun b => get t (target (snd o) [b])) (seq 0 D))) a :: tables (S n)
     | [] => [] end). rewrite IH. reflexivity.
Qed.

Fixpoint place_from (q : option positive) (w : word) (ts : list (PositiveMap.t N)) : N :=
  match w, ts with
  | b :: w, t :: ts => (sum_of (map (fun c => get t (step a q [c])) (seq 0 b)) + place_from (step a q [b]) w ts)%N
  | _, _ => 0%N
  end.

Lemma place_from_rank w : forall q, Forall (fun d => d < D) w ->
  place_from q w (tables (length w)) = N.of_nat (rank D (from q) w).
Proof.
  induction w as [|b w IH]; intros q F. { unfold rank, count. simpl. now rewrite andb_false_r. }
  inversion F; subst. rewrite rank_cons by auto. simpl length. rewrite tables_counted. simpl place_from.
  rewrite (sum_of_counts _ (length w)) by apply counted_count. rewrite IH by auto. rewrite Nat2N.inj_add. reflexivity.
Qed.

Lemma words_small n u : In u (words D n) -> forallb (fun d => d <? D) u = true.
Proof.
  revert u. induction n as [|n IH]; intros u I; simpl in I.
  - destruct I as [<-|[]]. reflexivity.
  - apply in_flat_map in I as (b & B & I). apply in_map_iff in I as (v & <- & I). apply in_seq in B. simpl.
    rewrite IH by auto. destruct (Nat.ltb_spec b D); auto. lia.
Qed.

Definition is_word_of (w : word) (c : Z) : bool :=
  in_system s w && Z.eqb (Z.of_N (place_from (Some 1%positive) w (tables (length w)))) c.

Lemma is_word_of_sound w c : is_word_of w c = true -> exists n, represents s w n /\ Z.of_nat n = c.
Proof.
  unfold is_word_of. intros H. apply andb_true_iff in H as [I H]. apply Z.eqb_eq in H. exists (place s w).
  split; [split; auto|]. rewrite <- H. unfold in_system in I. apply andb_true_iff in I as [I _].
  rewrite place_from_rank by now apply digits_forall. rewrite nat_N_Z. f_equal.
  unfold place, rank, count. f_equal. apply filter_ext_in. intros u U. f_equal. unfold in_system.
  rewrite (words_small _ _ U). reflexivity.
Qed.
End Counting.

(** * The rule *)

Section Atom.
Variable d : declarations.
Variable pumps : PositiveMap.t pump.
Variable table : automata.
Variable patience : nat.
Hypothesis good : systems_good d pumps = true.

(** The word of a constant is a guess of the program that reads certificates. *)
Definition constant_rows (w : word) : automaton := word_automaton w.

Definition no_zero (w : word) : bool := match w with a :: _ => negb (a =? 0) | [] => true end.

Definition same_number (a : automaton) (z : Z) : automaton :=
  PositiveMap.map (fun o => (if (fst o =? z)%Z then 1%Z else 0%Z, snd o)) a.

Definition system_name (x : name) : name := match system_of d x with Some (i, _) => i | None => 1%positive end.

Definition fits (xs : list name) (of : list name) : bool :=
  list_eqb Pos.eqb (map system_name xs) of
  && forallb (known d) xs.

Definition own_automaton (f : form) (w : word) : option relation :=
  match f with
  | Lin [(x, 1%Z); (y, (-1)%Z)] strict 0%Z =>
      match system_of d x, system_of d y with
      | Some (i, s), Some (j, _) =>
          if Pos.eqb i j then Some {| machine := order (digits s) strict; names := [x; y] |} else None
      | _, _ => None
      end
  | Lin [(x, (-1)%Z); (y, 1%Z)] strict 0%Z =>
      match system_of d x, system_of d y with
      | Some (i, s), Some (j, _) =>
          if Pos.eqb i j then Some {| machine := order (digits s) strict; names := [y; x] |} else None
      | _, _ => None
      end
  | Lin [(x, 1%Z)] false c =>
      match system_of d x with
      | Some (_, s) => if is_word_of s w c && no_zero w then Some {| machine := constant_rows w; names := [x] |} else None
      | None => None
      end
  | Letter u xs z =>
      match PositiveMap.find u (word_automata d) with
      | Some (of, a) => if fits xs of && zero_loop a (length xs) then Some {| machine := same_number a z; names := xs |} else None
      | None => None
      end
  | Pred p xs =>
      match PositiveMap.find p (predicates d) with
      | Some (of, a) => if fits xs of && zero_loop a (length xs) && negb (existsb (fun e => Pos.eqb (defined e) p) (definitions d))
                        then Some {| machine := a; names := xs |} else None
      | None => None
      end
  | _ => None
  end.

Lemma order_sound x y i s less cs v : system_of d x = Some (i, s) -> system_of d y = Some (i, s) -> written d cs v ->
  accepts_columns {| machine := order (digits s) less; names := [x; y] |} cs = true
  <-> if less then v x < v y else v x = v y.
Proof.
  intros X Y W. pose proof (W _ _ _ X) as RX. pose proof (W _ _ _ Y) as RY.
  destruct (system_of_good _ _ good _ _ _ X) as (p & G).
  unfold accepts_columns. replace (read_by _ cs) with (pairs (track_of x cs) (track_of y cs)).
  2:{ clear. unfold read_by. simpl. induction cs; simpl; auto. now rewrite IHcs. }
  assert (L : length (track_of x cs) = length (track_of y cs)) by (unfold track_of; now rewrite !map_length).
  cbn [machine]. rewrite order_accepts; auto.
  2:{ apply in_system_digits, RX. } 2:{ apply in_system_digits, RY. }
  destruct less.
  - rewrite (place_order s) by (auto; first [apply RX | apply RY]). destruct RX as [_ ->], RY as [_ ->]. reflexivity.
  - rewrite (represents_unique s _ _ _ _ L RX RY). destruct (list_eq_dec Nat.eq_dec _ _); intuition congruence.
Qed.

Lemma word_rows_gt w : forall q r, (r < q)%positive -> PositiveMap.find r (word_rows w q) = None.
Proof.
  induction w as [|b w IH]; intros q r H; simpl; rewrite PositiveMap.gso by lia; [apply PositiveMap.gempty|].
  apply IH. lia.
Qed.

Lemma fold_none a l : fold_left (step a) l None = None.
Proof. induction l; auto. Qed.

Lemma step_row m q z r a : PositiveMap.find q m = Some (z, r) -> step m (Some q) [a] = target r [a].
Proof. intros E. unfold step. now rewrite E. Qed.

Lemma unary_cons a u : unary (a :: u) = [a] :: unary u.
Proof. reflexivity. Qed.

Lemma word_rows_accepts w : forall q m u, (forall r, (q <= r)%positive -> PositiveMap.find r m = PositiveMap.find r (word_rows w q)) ->
  accepting m (fold_left (step m) (unary u) (Some q)) = if list_eq_dec Nat.eq_dec u w then true else false.
Proof.
  induction w as [|b w IH]; intros q m u H.
  - assert (E : PositiveMap.find q m = Some (1%Z, Branch [])) by (rewrite H by lia; simpl; apply PositiveMap.gss).
    destruct u as [|a u].
    + simpl. unfold accepting, output. now rewrite E.
    + rewrite unary_cons. cbn [fold_left]. rewrite (step_row _ _ _ _ _ E). simpl target. rewrite fold_none. reflexivity.
  - assert (E : PositiveMap.find q m = Some (0%Z, Branch [(b, Arrive (Pos.succ q))])) by (rewrite H by lia; simpl; apply PositiveMap.gss).
    destruct u as [|a u].
    + simpl. unfold accepting, output. now rewrite E.
    + rewrite unary_cons. cbn [fold_left]. rewrite (step_row _ _ _ _ _ E). cbn [target assoc].
      destruct (Nat.eqb_spec b a) as [->|N]; cbn [target].
      * rewrite (IH (Pos.succ q)).
        -- destruct (list_eq_dec Nat.eq_dec u w), (list_eq_dec Nat.eq_dec (a :: u) (a :: w)); congruence.
        -- intros r R. rewrite H by lia. simpl. rewrite PositiveMap.gso by lia. reflexivity.
      * rewrite fold_none. destruct (list_eq_dec Nat.eq_dec (a :: u) (b :: w)); [congruence|reflexivity].
Qed.

(** Zeros in front aside, it accepts one word. *)

Lemma word_automaton_accepts w : no_zero w = true -> forall u, accepts (word_automaton w) (unary u) = true <->
  exists k, u = repeat 0 k ++ w.
Proof.
  intros Z u. unfold accepts, run. destruct w as [|b w]; simpl in Z.
  - set (m := word_automaton []).
    assert (E : PositiveMap.find 1%positive m = Some (1%Z, Branch [(0, Arrive 1%positive)])) by reflexivity.
    induction u as [|a u IH].
    + simpl. split; auto. intros _. exists 0. reflexivity.
    + rewrite unary_cons. cbn [fold_left]. rewrite (step_row _ _ _ _ _ E). cbn [target assoc]. destruct a as [|a]; cbn [Nat.eqb target].
      * rewrite IH. split; intros (k & K); [exists (S k); simpl; congruence|].
        destruct k as [|k]; [discriminate|]. exists k. simpl in K. congruence.
      * rewrite fold_none. split; [discriminate|]. intros ([|k] & K); discriminate.
  - apply negb_true_iff, Nat.eqb_neq in Z. set (m := word_automaton (b :: w)).
    assert (E : PositiveMap.find 1%positive m = Some (0%Z, Branch [(0, Arrive 1%positive); (b, Arrive 2%positive)])) by apply PositiveMap.gss.
    induction u as [|a u IH].
    + simpl. unfold accepting, output. rewrite E. split; [discriminate|]. intros ([|k] & K); discriminate.
    + rewrite unary_cons. cbn [fold_left]. rewrite (step_row _ _ _ _ _ E). cbn [target assoc]. destruct a as [|a]; cbn [Nat.eqb target].
      * rewrite IH. split; intros (k & K); [exists (S k); simpl; congruence|].
        destruct k as [|k]; simpl in K; [injection K; intros; congruence|]. exists k. congruence.
      * destruct (Nat.eqb_spec b (S a)) as [->|N]; cbn [target].
        -- rewrite (word_rows_accepts w).
           2:{ intros r R. unfold m, word_automaton. rewrite PositiveMap.gso by lia. reflexivity. }
           destruct (list_eq_dec Nat.eq_dec u w) as [->|N].
           ++ split; auto. intros _. exists 0. reflexivity.
           ++ split; [discriminate|]. intros ([|k] & K); simpl in K; congruence.
        -- rewrite fold_none. split; [discriminate|]. intros ([|k] & K); simpl in K; congruence.
Qed.

Lemma constant_sound x i s w c cs v : system_of d x = Some (i, s) -> is_word_of s w c = true -> no_zero w = true ->
  written d cs v -> accepts_columns {| machine := constant_rows w; names := [x] |} cs = true <-> Z.of_nat (v x) = c.
Proof.
  intros X H Z W. apply is_word_of_sound in H as (n & R & <-). pose proof (W _ _ _ X) as RX.
  destruct (system_of_good _ _ good _ _ _ X) as (p & G).
  unfold accepts_columns, constant_rows. cbn [machine]. replace (read_by _ cs) with (unary (track_of x cs)).
  2:{ unfold read_by, unary, track_of. rewrite map_map. reflexivity. }
  rewrite word_automaton_accepts by auto. set (u := track_of x cs) in *. clearbody u. split.
  - intros (k & ->). f_equal. apply (represents_zeros_inv s p G) in RX. destruct R as [_ <-], RX as [_ <-]. reflexivity.
  - intros E. apply Nat2Z.inj in E.
    assert (Y : repeat 0 (length w) ++ u = repeat 0 (length u) ++ w).
    { apply (represents_unique s _ _ (v x) n); auto.
      - rewrite !app_length, !repeat_length. lia.
      - now apply (represents_zeros s p G).
      - now apply (represents_zeros s p G). }
    destruct (le_lt_dec (length w) (length u)) as [L|L].
    + exists (length u - length w). replace (length u) with (length w + (length u - length w)) in Y at 1 by lia.
      rewrite repeat_app, <- app_assoc in Y. now apply app_inv_head in Y.
    + exfalso. replace (length w) with (length u + (length w - length u)) in Y by lia.
      rewrite repeat_app, <- app_assoc in Y. apply app_inv_head in Y.
      destruct (length w - length u) as [|m] eqn:K; [lia|]. rewrite <- Y in Z. discriminate.
Qed.

Lemma track_read i xs cs : i < length xs -> track i (map (fun c : column => map c xs) cs) = track_of (nth i xs 1%positive) cs.
Proof.
  intros H. unfold track, track_of. rewrite map_map. apply map_ext. intros c.
  rewrite nth_indep with (d' := c 1%positive) by now rewrite map_length. now rewrite map_nth.
Qed.

Lemma fits_read xs of cs v : fits xs of = true -> written d cs v ->
  read d of (map (fun c : column => map c xs) cs) (map v xs).
Proof.
  unfold fits. intros H W. apply andb_true_iff in H as [H K]. apply list_eqb_eq in H; [|intros; now apply Pos.eqb_eq].
  subst of. split; [now rewrite !map_length|].
  split. { intros l I. apply in_map_iff in I as (c & <- & _). now rewrite !map_length. }
  rewrite map_length. intros i L.
  set (x := nth i xs 1%positive). assert (I : In x xs) by now apply nth_In.
  rewrite forallb_forall in K. apply K in I. unfold known in I. destruct (system_of d x) as [[j s]|] eqn:E; try discriminate.
  exists s. split.
  - rewrite nth_indep with (d' := system_name 1%positive) by now rewrite map_length.
    rewrite map_nth. fold x. unfold system_name. rewrite E. unfold system_of in E.
    destruct (PositiveMap.find x _) as [n|]; try discriminate.
    destruct (PositiveMap.find n _) eqn:F; try discriminate. injection E as <- <-. exact F.
  - rewrite track_read by auto. fold x. rewrite nth_indep with (d' := v 1%positive) by now rewrite map_length.
    rewrite map_nth. fold x. eapply W; eauto.
Qed.

Lemma letters_equal k ls : forall ms, length ls = length ms -> (forall l, In l ls -> length l = k) ->
  (forall l, In l ms -> length l = k) -> (forall i, i < k -> track i ls = track i ms) -> ls = ms.
Proof.
  induction ls as [|l ls IH]; intros [|m ms] L H K T; try discriminate; auto. f_equal.
  - apply (nth_ext _ _ 0 0). { rewrite H, K; simpl; auto. }
    intros i I. rewrite H in I by (now left). specialize (T i I). simpl in T. congruence.
  - apply IH; simpl in *; auto. intros i I. specialize (T i I). simpl in T. congruence.
Qed.

Lemma run_zeros a k n ls : zero_loop a k = true -> run a (repeat (repeat 0 k) n ++ ls) = run a ls.
Proof. intros H. induction n; simpl repeat; auto. cbn [app]. rewrite run_zero; auto. Qed.

Lemma track_repeat i k n ls : track i (repeat (repeat 0 k) n ++ ls) = repeat 0 n ++ track i ls.
Proof.
  unfold track. rewrite map_app. f_equal. induction n; simpl; auto. rewrite IHn. f_equal.
  clear. revert i. induction k; intros [|i]; simpl; auto.
Qed.

(** Two readings of the same numbers are equal, zeros in front aside. *)
Lemma read_unique of ns ls ms a : zero_loop a (length of) = true -> read d of ls ns -> read d of ms ns ->
  run a ls = run a ms.
Proof.
  intros Z (L & A & R) (_ & B & S). set (k := length of) in *.
  rewrite <- (run_zeros a k (length ms) ls Z), <- (run_zeros a k (length ls) ms Z). f_equal.
  apply (letters_equal k).
  - rewrite !app_length, !repeat_length. lia.
  - intros l I. apply in_app_iff in I as [I|I]; auto. apply repeat_spec in I. subst. apply repeat_length.
  - intros l I. apply in_app_iff in I as [I|I]; auto. apply repeat_spec in I. subst. apply repeat_length.
  - intros i I. rewrite !track_repeat. destruct (R i I) as (s & F & RR), (S i I) as (s' & F' & SS).
    assert (s' = s) by congruence. subst s'. destruct (system_good _ _ good _ _ F) as (p & G).
    apply (represents_unique s _ _ (nth i ns 0) (nth i ns 0)); auto.
    + unfold track. rewrite !app_length, !repeat_length, !map_length. lia.
    + now apply (represents_zeros s p G).
    + now apply (represents_zeros s p G).
Qed.

Lemma same_number_step a z q l : step (same_number a z) q l = step a q l.
Proof.
  destruct q as [q|]; auto. unfold step, same_number. rewrite find_map. destruct (PositiveMap.find q a) as [[y r]|]; auto.
Qed.

Lemma same_number_run a z ls : run (same_number a z) ls = run a ls.
Proof.
  unfold run. generalize (Some 1%positive). induction ls as [|l ls IH]; intros q; auto. cbn [fold_left].
  now rewrite same_number_step, IH.
Qed.

Lemma same_number_accepts a z ls : accepts (same_number a z) ls = true <-> output a (run a ls) = Some z.
Proof.
  unfold accepts. rewrite same_number_run. unfold accepting, output. destruct (run a ls) as [q|]; [|split; discriminate].
  unfold same_number. rewrite find_map. destruct (PositiveMap.find q a) as [[y r]|]; simpl; [|split; discriminate].
  destruct (Z.eqb_spec y z) as [->|N]; simpl; split; congruence.
Qed.

Lemma own_sound f w r cs v : own_automaton f w = Some r -> written d cs v ->
  accepts_columns r cs = true <-> true_of (lf d) (cf d) f v.
Proof.
  intros H W. unfold own_automaton in H. destruct f as [ts strict c|u xs z|p xs| | | |]; try discriminate.
  - assert (C : forall x k, ts = [(x, k)] -> k = 1%Z -> strict = false ->
               (match system_of d x with
                | Some (_, s) => if is_word_of s w c && no_zero w then Some {| machine := constant_rows w; names := [x] |} else None
                | None => None
                end) = Some r -> accepts_columns r cs = true <-> true_of (lf d) (cf d) (Lin ts strict c) v).
    { intros x k -> -> -> E. destruct (system_of d x) as [[i s]|] eqn:X; try discriminate.
      destruct (is_word_of s w c && no_zero w) eqn:I; try discriminate. injection E as <-. apply andb_true_iff in I as [I J].
      rewrite (constant_sound _ _ _ _ _ _ _ X I J W). cbn [true_of lin_value fold_right fst snd]. lia. }
    assert (O : forall x y k l, ts = [(x, k); (y, l)] -> c = 0%Z -> forall a b, (k = 1%Z /\ l = (-1)%Z /\ a = x /\ b = y \/ k = (-1)%Z /\ l = 1%Z /\ a = y /\ b = x) ->
               (match system_of d x, system_of d y with
                | Some (i, s), Some (j, _) => if Pos.eqb i j then Some {| machine := order (digits s) strict; names := [a; b] |} else None
                | _, _ => None
                end) = Some r -> accepts_columns r cs = true <-> true_of (lf d) (cf d) (Lin ts strict c) v).
    { intros x y k l -> -> a b K E. destruct (system_of d x) as [[i s]|] eqn:X; try discriminate.
      destruct (system_of d y) as [[j s']|] eqn:Y; try discriminate. destruct (Pos.eqb_spec i j) as [->|]; try discriminate.
      injection E as <-.
      assert (s' = s).
      { unfold system_of in X, Y. destruct (PositiveMap.find x _) as [n|]; try discriminate. destruct (PositiveMap.find y _) as [n0|]; try discriminate.
        destruct (PositiveMap.find n _) eqn:FX; try discriminate. destruct (PositiveMap.find n0 _) eqn:FY; try discriminate. congruence. }
      subst s'. destruct K as [(-> & -> & -> & ->)|(-> & -> & -> & ->)].
      - rewrite (order_sound _ _ _ _ _ _ _ X Y W). cbn [true_of lin_value fold_right fst snd]. destruct strict; lia.
      - rewrite (order_sound _ _ _ _ _ _ _ Y X W). cbn [true_of lin_value fold_right fst snd]. destruct strict; lia. }
    destruct ts as [|[x k] [|[y l] [|]]]; try (destruct k as [|[]|[]]; discriminate); try discriminate.
    + destruct k as [|[]|[]]; try discriminate; destruct strict; try discriminate. eapply C; eauto.
    + destruct k as [|[]|[]]; try discriminate; destruct l as [|[]|[]]; try discriminate; destruct c; try discriminate;
        eapply O; eauto 8.
    + destruct k as [|[]|[]]; try discriminate; destruct l as [|[]|[]]; try discriminate.
  - destruct (PositiveMap.find u _) as [[of a]|] eqn:F; try discriminate.
    destruct (fits xs of && _) eqn:E; try discriminate. injection H as <-. apply andb_true_iff in E as [E Z].
    pose proof (fits_read _ _ _ _ E W) as R. unfold accepts_columns. cbn [machine]. rewrite same_number_accepts.
    cbn [true_of]. unfold lf, letters_of, read_by. cbn [names].
    assert (L : length xs = length of) by (destruct R as [R _]; now rewrite map_length in R).
    split.
    + intros O. exists of, a, (map (fun c => map c xs) cs). auto.
    + intros (of' & a' & ls & F' & R' & O). rewrite F in F'. injection F' as <- <-. rewrite <- O. f_equal.
      apply (read_unique of (map v xs)); auto. now rewrite <- L.
  - destruct (PositiveMap.find p _) as [[of a]|] eqn:F; try discriminate.
    destruct (fits xs of && _ && _) eqn:E; try discriminate. injection H as <-. rewrite !andb_true_iff in E.
    destruct E as [[E Z] N]. apply negb_true_iff in N.
    pose proof (fits_read _ _ _ _ E W) as R. unfold accepts_columns. cbn [machine].
    cbn [true_of]. unfold cf. rewrite calls_of_base by auto. unfold accepted, read_by. cbn [names].
    assert (L : length xs = length of) by (destruct R as [R _]; now rewrite map_length in R).
    split.
    + intros O. exists of, a, (map (fun c => map c xs) cs). auto.
    + intros (of' & a' & ls & F' & R' & O). rewrite F in F'. injection F' as <- <-. rewrite <- O. unfold accepts. f_equal.
      symmetry. apply (read_unique of (map v xs)); auto. now rewrite <- L.
Qed.

Definition check_atom (r : part) (gs : list part) (f : form) (w : word) : bool :=
  match own_automaton f w with
  | Some own => forallb (known d) (names own)
                && agree d table patience r gs [Own own] (map (number_of d) (names own))
  | None => false
  end.

Lemma check_atom_sound r gs f w : check_atom r gs f w = true -> follows d table r gs f.
Proof.
  unfold check_atom. destruct (own_automaton f w) as [own|] eqn:O; try discriminate.
  intros H v cs W G. cbn [rel guards fact] in *. apply andb_true_iff in H as [K H]. rewrite forallb_forall in K.
  rewrite <- (own_sound _ _ _ _ _ O W). change (accepts_columns own cs) with (has table (Own own) cs).
  eapply agree_one; eauto. intros q I. apply in_map_iff in I as (x & <- & I). eapply number_has; eauto.
  eapply written_number; eauto.
Qed.

End Atom.
