(** Statements about integers are statements about the numbers that stand for them: each integer is that of one number, and
    a comparison of sums of integers is one of sums of numbers. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements Forms Definitions.
Import ListNotations.

(** * Each integer is that of one number *)

Lemma base_0 k l : in_negative_base k l 0 = 0%Z.
Proof.
  induction l as [|l I]; [reflexivity|]. cbn [in_negative_base].
  destruct k; [simpl; lia|]. rewrite Nat.mod_0_l, Nat.div_0_l, I by lia. lia.
Qed.

Lemma base_more k : 2 <= k -> forall n l m, n <= l -> n <= m -> in_negative_base k l n = in_negative_base k m n.
Proof.
  intros K n. induction n as [n IH] using lt_wf_ind. intros l m L M.
  destruct (Nat.eq_dec n 0) as [->|N]. { now rewrite !base_0. }
  destruct l as [|l]; [lia|]. destruct m as [|m]; [lia|]. cbn [in_negative_base].
  assert (D : n / k < n) by (apply Nat.div_lt; lia). rewrite (IH (n / k) D l m); lia.
Qed.

Definition base_value (k n : nat) : Z := in_negative_base k n n.

Lemma base_value_0 k : base_value k 0 = 0%Z.
Proof. reflexivity. Qed.

Lemma base_value_step k n : 2 <= k -> base_value k n = (Z.of_nat (n mod k) - Z.of_nat k * base_value k (n / k))%Z.
Proof.
  intros K. unfold base_value at 1. destruct n as [|n].
  - rewrite Nat.mod_0_l, Nat.div_0_l by lia. rewrite base_value_0. simpl. lia.
  - cbn [in_negative_base]. unfold base_value. assert (D : S n / k < S n) by (apply Nat.div_lt; lia).
    now rewrite (base_more k K (S n / k) n (S n / k)) by lia.
Qed.

Lemma base_value_digit k n : 2 <= k -> Z.of_nat (n mod k) = (base_value k n mod Z.of_nat k)%Z
  /\ base_value k (n / k) = (- (base_value k n / Z.of_nat k))%Z.
Proof.
  intros K. pose proof (base_value_step k n K) as E. pose proof (Nat.mod_upper_bound n k ltac:(lia)) as B.
  destruct (Z.div_mod_unique (Z.of_nat k) (base_value k n / Z.of_nat k) (- base_value k (n / k))
              (base_value k n mod Z.of_nat k) (Z.of_nat (n mod k))) as [Q R].
  - left. apply Z.mod_pos_bound. lia.
  - left. lia.
  - rewrite <- Z.div_mod by lia. rewrite E. lia.
  - lia.
Qed.

Lemma base_value_zero k : 2 <= k -> forall n, base_value k n = 0%Z -> n = 0.
Proof.
  intros K n. induction n as [n IH] using lt_wf_ind. intros E. destruct (Nat.eq_dec n 0) as [|N]; auto.
  destruct (base_value_digit k n K) as [D Q]. rewrite E in D, Q.
  rewrite Z.mod_0_l in D by lia. rewrite Z.div_0_l in Q by lia.
  assert (L : n / k < n) by (apply Nat.div_lt; lia).
  apply (IH _ L) in Q. pose proof (Nat.div_mod n k ltac:(lia)). lia.
Qed.

Lemma base_value_one k : 2 <= k -> forall n m, base_value k n = base_value k m -> n = m.
Proof.
  intros K n. induction n as [n IH] using lt_wf_ind. intros m E.
  destruct (Nat.eq_dec n 0) as [->|N]. { symmetry. apply (base_value_zero k K). now rewrite <- E. }
  destruct (base_value_digit k n K) as [D Q], (base_value_digit k m K) as [D' Q']. rewrite E in D, Q. rewrite <- D' in D. rewrite <- Q' in Q.
  assert (L : n / k < n) by (apply Nat.div_lt; lia). apply (IH _ L) in Q. apply Nat2Z.inj in D.
  rewrite (Nat.div_mod n k), (Nat.div_mod m k) by lia. congruence.
Qed.

(** What is left of an integer without its last digit comes before it. *)
Definition size (z : Z) : Z := (2 * Z.abs z + if z <? 0 then 1 else 0)%Z.

Lemma size_less k z q d : (2 <= k -> z = k * q + d -> 0 <= d < k -> z <> 0 -> 0 <= size (- q) < size z)%Z.
Proof.
  intros K E B N. unfold size. assert (P : (0 < q -> 2 * q <= z)%Z) by nia.
  assert (M : (q < 0 -> z <= q)%Z) by (intros L; assert (k * (q + 1) <= q + 1)%Z by nia; lia).
  assert (O : (q = 0 -> 0 <= z)%Z) by nia.
  destruct (Z.ltb_spec z 0), (Z.ltb_spec (- q) 0); lia.
Qed.

Lemma base_value_all k : 2 <= k -> forall z, exists n, base_value k n = z.
Proof.
  intros K z. remember (Z.to_nat (size z)) as steps eqn:S. revert z S.
  induction steps as [steps IH] using lt_wf_ind. intros z ->.
  destruct (Z.eq_dec z 0) as [->|N]. { now exists 0. }
  pose proof (Z.div_mod z (Z.of_nat k) ltac:(lia)) as D. pose proof (Z.mod_pos_bound z (Z.of_nat k) ltac:(lia)) as B.
  set (q := (z / Z.of_nat k)%Z) in *. set (d := (z mod Z.of_nat k)%Z) in *.
  pose proof (size_less (Z.of_nat k) z q d ltac:(lia) D B N) as L.
  destruct (IH (Z.to_nat (size (- q))) ltac:(apply Z2Nat.inj_lt; lia) (- q)%Z eq_refl) as [m M].
  exists (k * m + Z.to_nat d). rewrite base_value_step by lia.
  replace ((k * m + Z.to_nat d) / k) with m by (apply (Nat.div_unique _ k m (Z.to_nat d)); lia).
  replace ((k * m + Z.to_nat d) mod k) with (Z.to_nat d) by (apply (Nat.mod_unique _ k m (Z.to_nat d)); lia).
  rewrite M, Z2Nat.id by lia. lia.
Qed.

(** ** NegaFibonacci *)

Lemma fibonacci_step i : fibonacci (S (S i)) = fibonacci (S i) + fibonacci i.
Proof. reflexivity. Qed.

Lemma fibonacci_positive i : 1 <= fibonacci i /\ 1 <= fibonacci (S i).
Proof. induction i as [|i [A B]]; [simpl; lia|]. rewrite fibonacci_step. lia. Qed.

Lemma fibonacci_large i : i <= fibonacci i /\ 1 <= fibonacci i /\ fibonacci i <= fibonacci (S i).
Proof.
  induction i as [|i (A & B & C)]; [simpl; lia|]. destruct i as [|i]; [simpl; lia|]. pose proof (fibonacci_positive i).
  rewrite !fibonacci_step in *. lia.
Qed.

Definition weight (i : nat) : Z := if Nat.even i then Z.of_nat (fibonacci i) else (- Z.of_nat (fibonacci i))%Z.

Lemma place_kept i n : fibonacci (S i) <= n ->
  in_negafibonacci (S i) n = (weight i + in_negafibonacci i (n - fibonacci (S i)))%Z.
Proof.
  intros L. cbn [in_negafibonacci]. destruct (Nat.ltb_spec n (fibonacci (S i))); [lia|]. unfold weight. destruct (Nat.even i); lia.
Qed.

Lemma place_zero i n : n < fibonacci (S i) -> in_negafibonacci (S i) n = in_negafibonacci i n.
Proof.
  intros L. cbn [in_negafibonacci]. destruct (Nat.ltb_spec n (fibonacci (S i))); [reflexivity|lia].
Qed.

Definition below (i : nat) : nat := match i with 0 => 0 | S j => fibonacci j end.

(** The integers of words of i digits. *)
Definition in_range (i : nat) (z : Z) : Prop :=
  if Nat.even i then (1 - Z.of_nat (fibonacci i) <= z <= Z.of_nat (below i))%Z
  else (1 - Z.of_nat (below i) <= z <= Z.of_nat (fibonacci i))%Z.

Lemma even_next i : Nat.even (S i) = negb (Nat.even i).
Proof. now rewrite Nat.even_succ, <- Nat.negb_even. Qed.

Lemma range_step i z : in_range i z -> in_range (S i) z.
Proof.
  unfold in_range. rewrite even_next. cbn [below]. pose proof (fibonacci_large i) as (_ & A & B).
  destruct i as [|i]; [cbn [Nat.even negb below fibonacci Nat.add] in *; lia|]. cbn [below]. pose proof (fibonacci_large i) as (_ & C & D). rewrite fibonacci_step in *.
  destruct (Nat.even (S i)); cbn [negb]; lia.
Qed.

Lemma range_digit i z : in_range i z -> in_range (S (S i)) (weight (S i) + z) /\ ~ in_range (S i) (weight (S i) + z).
Proof.
  unfold in_range, weight. rewrite !even_next, negb_involutive. cbn [below]. rewrite !fibonacci_step.
  pose proof (fibonacci_large i) as (_ & A & B). destruct i as [|i]; [cbn [Nat.even negb below fibonacci Nat.add] in *; lia|]. cbn [below].
  rewrite !fibonacci_step in *. pose proof (fibonacci_large i) as (_ & C & D).
  destruct (Nat.even (S i)); cbn [negb]; lia.
Qed.

Lemma range_back i z : in_range (S (S i)) z -> ~ in_range (S i) z -> in_range i (z - weight (S i)).
Proof.
  unfold in_range, weight. rewrite !even_next, negb_involutive. cbn [below]. rewrite !fibonacci_step.
  pose proof (fibonacci_large i) as (_ & A & B). destruct i as [|i]; [cbn [Nat.even negb below fibonacci Nat.add] in *; lia|]. cbn [below].
  rewrite !fibonacci_step in *. pose proof (fibonacci_large i) as (_ & C & D).
  destruct (Nat.even (S i)); cbn [negb]; lia.
Qed.

Lemma value_range i : forall n, n < fibonacci (S i) -> in_range i (in_negafibonacci i n).
Proof.
  induction i as [i IH] using lt_wf_ind. intros n L. destruct i as [|i]; [unfold in_range; cbn; lia|].
  destruct (le_lt_dec (fibonacci (S i)) n) as [K|K].
  - rewrite place_kept by auto. rewrite fibonacci_step in L. destruct i as [|i].
    + cbn [fibonacci Nat.add] in *. assert (n = 1) as -> by lia. cbn. lia.
    + rewrite place_zero by lia. apply range_digit, IH; lia.
  - rewrite place_zero by auto. apply range_step, IH; lia.
Qed.

Lemma value_one i : forall n m, n < fibonacci (S i) -> m < fibonacci (S i) -> in_negafibonacci i n = in_negafibonacci i m -> n = m.
Proof.
  assert (Mixed : forall i n m, n < fibonacci (S (S i)) -> fibonacci (S i) <= n -> m < fibonacci (S i) ->
            in_negafibonacci (S i) n <> in_negafibonacci (S i) m).
  { intros j n m L K M E. rewrite place_kept, (place_zero j m) in E by auto. rewrite fibonacci_step in L. destruct j as [|j].
    - cbn [fibonacci Nat.add Nat.sub in_negafibonacci weight Nat.even] in *. unfold weight in E. cbn in E. lia.
    - rewrite (place_zero j) in E by lia. pose proof (value_range (S j) m M) as R. rewrite <- E in R.
      refine (proj2 (range_digit j _ _) R). apply value_range. lia. }
  induction i as [|i IH]; intros n m L M E; [cbn in *; lia|].
  destruct (le_lt_dec (fibonacci (S i)) n) as [K|K], (le_lt_dec (fibonacci (S i)) m) as [J|J].
  - rewrite !place_kept in E by auto. rewrite fibonacci_step in *. pose proof (fibonacci_large i).
    assert (n - fibonacci (S i) = m - fibonacci (S i)) by (apply IH; lia). lia.
  - exfalso. revert E. now apply Mixed.
  - exfalso. symmetry in E. revert E. now apply Mixed.
  - rewrite !place_zero in E by auto. now apply IH.
Qed.

Lemma value_all i : forall z, in_range i z -> exists n, n < fibonacci (S i) /\ in_negafibonacci i n = z.
Proof.
  induction i as [i IH] using lt_wf_ind. intros z R. destruct i as [|i]. { exists 0. unfold in_range in R. cbn [Nat.even below fibonacci] in R. cbn. lia. }
  destruct i as [|i]. { unfold in_range in R. cbn [Nat.even below fibonacci] in R. exists (Z.to_nat z). 
    assert (X : (z = 0 \/ z = 1)%Z) by (change (Z.of_nat 1) with 1%Z in R; lia). destruct X as [-> | ->]; split; try reflexivity; simpl; lia. }
  assert (D : in_range (S i) z \/ ~ in_range (S i) z) by (unfold in_range; destruct (Nat.even (S i)); lia).
  pose proof (fibonacci_large i) as (_ & A & B). pose proof (fibonacci_large (S i)) as (_ & C & D').
  destruct D as [D|D].
  - destruct (IH (S i) ltac:(lia) z D) as (n & L & <-). exists n. rewrite place_zero by auto. split; auto. rewrite fibonacci_step. lia.
  - destruct (IH i ltac:(lia) _ (range_back i z R D)) as (n & L & E). exists (n + fibonacci (S (S i))).
    rewrite place_kept by lia. replace (n + fibonacci (S (S i)) - fibonacci (S (S i))) with n by lia.
    rewrite place_zero by auto. rewrite E, (fibonacci_step (S i)). lia.
Qed.

Definition proper (i : integers_in) : bool := match i with NegativeBase k => 2 <=? k | NegaFibonacci => true end.

(** Further places have no digits. *)
Lemma more_places i n : n < fibonacci (S i) -> in_negafibonacci i n = in_negafibonacci n n.
Proof.
  assert (More : forall j l m, m < fibonacci (S j) -> in_negafibonacci (l + j) m = in_negafibonacci j m).
  { intros j l m L. induction l as [|l IH]; [reflexivity|]. cbn [Nat.add]. rewrite place_zero; auto.
    clear IH. induction l as [|l IH]; auto. pose proof (fibonacci_large (S (l + j))). cbn [Nat.add]. lia. }
  intros L. pose proof (fibonacci_large (S n)). rewrite <- (More i n n L), Nat.add_comm. apply More. lia.
Qed.

Lemma integer_one i : proper i = true -> forall n m, integer i n = integer i m -> n = m.
Proof.
  destruct i as [k|]; cbn [proper integer]; intros K n m E; [apply Nat.leb_le in K; now apply (base_value_one k K)|].
  pose proof (fibonacci_large (S (n + m))). apply (value_one (n + m)); [lia|lia|]. rewrite (more_places (n + m) n), (more_places (n + m) m) by lia. exact E.
Qed.

Lemma range_all z : exists i, in_range i z.
Proof.
  exists (2 * Z.to_nat (Z.abs z) + 2). unfold in_range. replace (Nat.even _) with true.
  2: { replace (2 * Z.to_nat (Z.abs z) + 2) with (2 * (Z.to_nat (Z.abs z) + 1)) by lia. now rewrite Nat.even_mul. }
  set (m := Z.to_nat (Z.abs z)). replace (2 * m + 2) with (S (2 * m + 1)) by lia. cbn [below].
  pose proof (fibonacci_large (2 * m + 1)). pose proof (fibonacci_large (S (2 * m + 1))). lia.
Qed.

Lemma integer_all i : proper i = true -> forall z, exists n, integer i n = z.
Proof.
  destruct i as [k|]; cbn [proper integer]; intros K z; [apply Nat.leb_le in K; now apply (base_value_all k K)|].
  destruct (range_all z) as [i R]. destruct (value_all i z R) as (n & L & E). exists n. now rewrite <- (more_places i).
Qed.

Theorem each_integer_has_one_number i : proper i = true -> forall z, exists n, integer i n = z /\ forall m, integer i m = z -> m = n.
Proof. intros K z. destruct (integer_all i K z) as [n N]. exists n. split; auto. intros m M. apply (integer_one i K). congruence. Qed.

(** * What a predicate says of a number and its integer

    A predicate P says of n and p that c p = n + z, where n stands for z.  In base -k, c is 2, and p the sum of the digits
    at even places: each n has a p, and if P(n,p), P(m,r) and m = n/k then p + k r = n.  In negaFibonacci c is 1.  Two other
    predicates are true of F(i+2), F(i+1) for even i, and for odd i, and a word is a digit 1 at place i before the word of
    a number n that is less than F(i+1). *)

Definition formula_eq_dec : forall f g : formula, {f = g} + {f <> g}.
Proof. repeat decide equality. Defined.

Definition formula_eqb (f g : formula) : bool := if formula_eq_dec f g then true else false.

Lemma formula_eqb_eq f g : formula_eqb f g = true -> f = g.
Proof. unfold formula_eqb. destruct (formula_eq_dec f g); congruence. Qed.

Record integers := {
  written_in : integers_in; relates : name; at_even : name; at_odd : name;
  of_n : name; of_p : name; of_m : name; of_r : name; of_x : name; of_y : name
}.

Definition factor (z : integers) : N := match written_in z with NegativeBase _ => 2 | NegaFibonacci => 1 end.

Definition just (c : nat) (x : name) : sum := {| terms := [(N.of_nat c, x)]; constant := 0 |}.
Definition plus (s t : sum) : sum := {| terms := terms s ++ terms t; constant := constant s + constant t |}.
Definition number (c : nat) : sum := {| terms := []; constant := N.of_nat c |}.

Definition has_part (z : integers) : formula := All [of_n z] (Exists [of_p z] (Call (relates z) [of_n z; of_p z])).

Definition divides (z : integers) (k : nat) : formula :=
  All [of_n z; of_p z; of_m z; of_r z]
    (Implies (And (And (Call (relates z) [of_n z; of_p z]) (Call (relates z) [of_m z; of_r z]))
                  (And (Compare (just k (of_m z)) AtMost (just 1 (of_n z)))
                       (Compare (just 1 (of_n z)) Less (plus (just k (of_m z)) (number k)))))
             (Compare (plus (just 1 (of_p z)) (just k (of_r z))) Equal (just 1 (of_n z)))).

Definition is_pair (p x : name) (c : nat) : formula :=
  All [x] (Implies (Compare (just 1 x) Equal (number c)) (Call p [x; x])).

Definition next_pair (z : integers) (this next : name) : formula :=
  All [of_n z; of_p z; of_m z]
    (Implies (And (Call this [of_n z; of_p z]) (Compare (plus (just 1 (of_n z)) (just 1 (of_p z))) Equal (just 1 (of_m z))))
             (Call next [of_m z; of_n z])).

Definition with_digit (z : integers) (places : name) (sums : comparison -> formula) : formula :=
  All [of_n z; of_p z; of_m z; of_r z; of_x z; of_y z]
    (Implies (And (And (Call (relates z) [of_n z; of_p z]) (Call places [of_m z; of_r z]))
                  (And (Compare (just 1 (of_n z)) Less (just 1 (of_r z)))
                       (And (Compare (plus (just 1 (of_n z)) (just 1 (of_m z))) Equal (just 1 (of_x z))) (sums Equal))))
             (Call (relates z) [of_x z; of_y z])).

Definition only_part (z : integers) : formula :=
  All [of_n z; of_p z; of_m z]
    (Implies (And (Call (relates z) [of_n z; of_p z]) (Call (relates z) [of_n z; of_m z])) (Compare (just 1 (of_p z)) Equal (just 1 (of_m z)))).

(** The formulas that say what P is. *)
Definition integers_facts (z : integers) : list formula :=
  match written_in z with
  | NegativeBase k => [has_part z; divides z k]
  | NegaFibonacci =>
      let p_and_m := plus (just 1 (of_p z)) (just 1 (of_m z)) in
      [is_pair (at_even z) (of_n z) 1; next_pair z (at_even z) (at_odd z); next_pair z (at_odd z) (at_even z);
       is_pair (relates z) (of_n z) 0;
       with_digit z (at_even z) (fun sign => Compare (plus p_and_m (just 1 (of_r z))) sign (just 1 (of_y z)));
       with_digit z (at_odd z) (fun sign => Compare p_and_m sign (plus (just 1 (of_y z)) (just 1 (of_r z))));
       only_part z]
  end.

Fixpoint different (l : list name) : bool := match l with [] => true | x :: l => negb (mem x l) && different l end.

Lemma different_app l m : different (l ++ m) = true -> different l = true /\ different m = true /\ forall x, In x l -> ~ In x m.
Proof.
  induction l as [|a l IH]; cbn [app different]; [repeat split; auto|]. rewrite !andb_true_iff, negb_true_iff, mem_not, in_app_iff.
  intros [N D]. destruct (IH D) as (A & B & C). repeat split; auto.
  - apply negb_true_iff, mem_not. tauto.
  - intros x [<-|I] J; [tauto|]. now apply (C x).
Qed.

Definition integers_good (facts : list formula) (z : integers) : bool :=
  proper (written_in z) && different [of_n z; of_p z; of_m z; of_r z; of_x z; of_y z]
  && forallb (fun f => existsb (formula_eqb f) facts) (integers_facts z).

Lemma value_just c x v : value (just c x) v = c * v x.
Proof. unfold value, just. simpl. rewrite Nat2N.id. lia. Qed.

Lemma value_plus s t v : value (plus s t) v = value s v + value t v.
Proof. unfold value, plus. simpl. rewrite map_app, list_sum_app. lia. Qed.

Lemma value_number c v : value (number c) v = c.
Proof. unfold value, number. simpl. rewrite Nat2N.id. lia. Qed.

Definition at_ (l : list (name * nat)) (v : values) : values :=
  fun x => match find (fun t => Pos.eqb (fst t) x) l with Some t => snd t | None => v x end.

Lemma at_in l v x n : different (map fst l) = true -> In (x, n) l -> at_ l v x = n.
Proof.
  unfold at_. induction l as [|[y m] l IH]; intros D I; [destruct I|]. cbn [map different find fst snd] in *.
  apply andb_true_iff in D as [N D]. apply negb_true_iff, mem_not in N. destruct (Pos.eqb_spec y x) as [->|E].
  - destruct I as [[= <-]|I]; auto. exfalso. apply N. change x with (fst (x, n)). now apply in_map.
  - apply IH; auto. destruct I as [[= -> _]|I]; [contradiction|auto].
Qed.

Lemma at_same l v : same_but (map fst l) v (at_ l v).
Proof.
  intros x N. unfold at_. destruct (find _ l) as [t|] eqn:F; auto. apply find_some in F as [F E].
  apply Pos.eqb_eq in E as <-. exfalso. apply N. now apply in_map.
Qed.

Section Translation.
Variable letters : name -> list nat -> Z -> Prop.
Variable calls : name -> list nat -> Prop.
Notation is_true := (means letters calls).

Definition adds_up (P : nat -> nat -> Prop) (c : N) (f : nat -> Z) : Prop :=
  (forall n p, P n p <-> (Z.of_N c * Z.of_nat p = Z.of_nat n + f n)%Z) /\ forall n, exists p, P n p.

Lemma in_base (P : nat -> nat -> Prop) k : 2 <= k -> (forall n, exists p, P n p) ->
  (forall n p m r, P n p -> P m r -> k * m <= n -> n < k * m + k -> p + k * r = n) -> adds_up P 2 (base_value k).
Proof.
  intros K Has Div.
  assert (Only : forall n p, P n p -> (2 * Z.of_nat p = Z.of_nat n + base_value k n)%Z).
  { intros n. induction n as [n IH] using lt_wf_ind. intros p Q.
    pose proof (Nat.div_mod n k ltac:(lia)) as E. pose proof (Nat.mod_upper_bound n k ltac:(lia)) as M.
    pose proof (base_value_step k n K) as I.
    destruct (Nat.eq_dec n 0) as [->|N].
    - assert (p + k * p = 0) by (apply (Div 0 p 0 p); auto; lia). rewrite base_value_0. assert (p = 0) by lia. subst. reflexivity.
    - destruct (Has (n / k)) as [r R].
      assert (L : n / k < n) by (apply Nat.div_lt; lia). pose proof (IH _ L r R) as H.
      assert (X : p + k * r = n) by (apply (Div n p (n / k) r); auto; lia).
      apply (f_equal Z.of_nat) in X, E. rewrite Nat2Z.inj_add, Nat2Z.inj_mul in X, E. nia. }
  split; auto. intros n p. split; [apply Only|]. intros E. destruct (Has n) as [q Q]. pose proof (Only n q Q). assert (p = q) as -> by lia. auto.
Qed.

Lemma in_fibonacci (P E O : nat -> nat -> Prop) : E 1 1 -> (forall n p, E n p -> O (n + p) n) -> (forall n p, O n p -> E (n + p) n) ->
  P 0 0 -> (forall n p m r, P n p -> E m r -> n < r -> P (n + m) (p + m + r)) ->
  (forall n p m r y, P n p -> O m r -> n < r -> p + m = y + r -> P (n + m) y) -> (forall n p m, P n p -> P n m -> p = m) ->
  adds_up P 1 (integer NegaFibonacci).
Proof.
  intros One Up Up' Zero Even Odd Only.
  assert (Pair : forall i, if Nat.even i then E (fibonacci (S i)) (fibonacci i) else O (fibonacci (S i)) (fibonacci i)).
  { induction i as [|i IH]; [exact One|]. rewrite even_next, fibonacci_step. destruct (Nat.even i); cbn [negb]; auto. }
  assert (Has : forall i n, n < fibonacci (S i) -> exists p, P n p /\ Z.of_nat p = (Z.of_nat n + in_negafibonacci i n)%Z).
  { induction i as [|i IH]; intros n L. { cbn [fibonacci] in L. assert (n = 0) as -> by lia. now exists 0. }
    destruct (le_lt_dec (fibonacci (S i)) n) as [K|K]; [|rewrite place_zero by auto; auto].
    rewrite place_kept by auto. rewrite fibonacci_step in L. pose proof (fibonacci_large i) as (_ & A & B).
    destruct (IH (n - fibonacci (S i)) ltac:(lia)) as (p & Q & R). specialize (Pair i). unfold weight.
    assert (N : n - fibonacci (S i) + fibonacci (S i) = n) by lia. destruct (Nat.even i).
    - exists (p + fibonacci (S i) + fibonacci i). split; [|lia]. rewrite <- N. apply Even; auto. lia.
    - exists (p + fibonacci (S i) - fibonacci i). split; [|lia]. rewrite <- N. apply (Odd _ p _ (fibonacci i)); auto; lia. }
  assert (All : forall n, exists p, P n p /\ Z.of_nat p = (Z.of_nat n + integer NegaFibonacci n)%Z).
  { intros n. apply Has. pose proof (fibonacci_large (S n)). lia. }
  split; [|intros n; destruct (All n) as (p & Q & _); now exists p].
  intros n p. destruct (All n) as (q & Q & R). split.
  - intros S. rewrite (Only n p q S Q). lia.
  - intros S. assert (p = q) as -> by lia. auto.
Qed.

Lemma even_means z facts : integers_good facts z = true -> (forall f, In f facts -> forall v, is_true f v) ->
  adds_up (fun n p => calls (relates z) [n; p]) (factor z) (integer (written_in z)).
Proof.
  unfold integers_good. rewrite !andb_true_iff, forallb_forall. intros [[K D] F] T.
  assert (H : forall f, In f (integers_facts z) -> forall v, is_true f v).
  { intros f I v. apply F, existsb_exists in I as (g & G & E). apply formula_eqb_eq in E as ->. now apply T. }
  clear F T. set (v0 := fun _ : name => 0).
  assert (At : forall l f, is_true (All (map fst l) f) v0 -> is_true f (at_ l v0)) by (intros l f A; apply A, at_same).
  assert (V : forall n p m r x y, let v := at_ [(of_n z, n); (of_p z, p); (of_m z, m); (of_r z, r); (of_x z, x); (of_y z, y)] v0 in
            v (of_n z) = n /\ v (of_p z) = p /\ v (of_m z) = m /\ v (of_r z) = r /\ v (of_x z) = x /\ v (of_y z) = y).
  { intros. repeat split; apply at_in; try exact D; cbn; tauto. }
  (* a formula about some of the six variables, for their values *)
  assert (Take : forall l f, is_true (All l f) v0 -> forall n p m r x y,
            (forall a, ~ In a l -> at_ [(of_n z, n); (of_p z, p); (of_m z, m); (of_r z, r); (of_x z, x); (of_y z, y)] v0 a = 0) ->
            is_true f (at_ [(of_n z, n); (of_p z, p); (of_m z, m); (of_r z, r); (of_x z, x); (of_y z, y)] v0)).
  { intros l f A n p m r x y S. apply A. exact S. }
  assert (Out : forall n p m r x y a, (a = of_n z -> n = 0) -> (a = of_p z -> p = 0) -> (a = of_m z -> m = 0) -> (a = of_r z -> r = 0) ->
            (a = of_x z -> x = 0) -> (a = of_y z -> y = 0) ->
            at_ [(of_n z, n); (of_p z, p); (of_m z, m); (of_r z, r); (of_x z, x); (of_y z, y)] v0 a = 0).
  { intros n p m r x y a A1 A2 A3 A4 A5 A6. unfold at_. cbn [find fst snd].
    destruct (Pos.eqb_spec (of_n z) a); [auto|]. destruct (Pos.eqb_spec (of_p z) a); [auto|].
    destruct (Pos.eqb_spec (of_m z) a); [auto|]. destruct (Pos.eqb_spec (of_r z) a); [auto|].
    destruct (Pos.eqb_spec (of_x z) a); [auto|]. destruct (Pos.eqb_spec (of_y z) a); auto. }
  assert (Get : forall l f, is_true (All l f) v0 -> forall n p m r x y,
            (In (of_n z) l \/ n = 0) -> (In (of_p z) l \/ p = 0) -> (In (of_m z) l \/ m = 0) -> (In (of_r z) l \/ r = 0) ->
            (In (of_x z) l \/ x = 0) -> (In (of_y z) l \/ y = 0) ->
            is_true f (at_ [(of_n z, n); (of_p z, p); (of_m z, m); (of_r z, r); (of_x z, x); (of_y z, y)] v0)).
  { intros l f A n p m r x y B1 B2 B3 B4 B5 B6. apply (Take l f A). intros a N. apply Out; intros ->; tauto. }
  clear Take Out At.
  unfold integers_facts, factor in *. destruct (written_in z) as [k|]; cbn [proper] in K.
  - apply Nat.leb_le in K. apply in_base; auto.
    + intros n. pose proof (H _ ltac:(left; reflexivity) v0) as A. unfold has_part in A.
      apply (Get _ _) with (n := n) (p := 0) (m := 0) (r := 0) (x := 0) (y := 0) in A; try (cbn; tauto).
      destruct A as (w & S & C). destruct (V n 0 0 0 0 0) as (Vn & _). exists (w (of_p z)). cbn [map means] in C.
      rewrite (S (of_n z)), Vn in C; auto. cbn [different] in D. rewrite !andb_true_iff, !negb_true_iff, !mem_not in D. cbn. cbn in D. intuition congruence.
    + intros n p m r Q R L M. pose proof (H _ ltac:(right; left; reflexivity) v0) as A. unfold divides in A.
      apply (Get _ _) with (n := n) (p := p) (m := m) (r := r) (x := 0) (y := 0) in A; try (cbn; tauto).
      destruct (V n p m r 0 0) as (Vn & Vp & Vm & Vr & _ & _). cbn [means map] in A.
      rewrite !value_plus, !value_just, value_number, Vn, Vp, Vm, Vr, !Nat.mul_1_l in A. apply A; auto.
  - apply (in_fibonacci _ (fun n p => calls (at_even z) [n; p]) (fun n p => calls (at_odd z) [n; p])).
    + pose proof (H _ ltac:(left; reflexivity) v0) as A. unfold is_pair in A.
      apply (Get _ _) with (n := 1) (p := 0) (m := 0) (r := 0) (x := 0) (y := 0) in A; try (cbn; tauto).
      destruct (V 1 0 0 0 0 0) as (Vn & _). cbn [means map] in A. rewrite value_just, value_number, Vn in A. now apply A.
    + intros n p Q. pose proof (H _ ltac:(right; left; reflexivity) v0) as A. unfold next_pair in A.
      apply (Get _ _) with (n := n) (p := p) (m := n + p) (r := 0) (x := 0) (y := 0) in A; try (cbn; tauto).
      destruct (V n p (n + p) 0 0 0) as (Vn & Vp & Vm & _). cbn [means map] in A.
      rewrite value_plus, !value_just, Vn, Vp, Vm, !Nat.mul_1_l in A. apply A; auto.
    + intros n p Q. pose proof (H _ ltac:(do 2 right; left; reflexivity) v0) as A. unfold next_pair in A.
      apply (Get _ _) with (n := n) (p := p) (m := n + p) (r := 0) (x := 0) (y := 0) in A; try (cbn; tauto).
      destruct (V n p (n + p) 0 0 0) as (Vn & Vp & Vm & _). cbn [means map] in A.
      rewrite value_plus, !value_just, Vn, Vp, Vm, !Nat.mul_1_l in A. apply A; auto.
    + pose proof (H _ ltac:(do 3 right; left; reflexivity) v0) as A. unfold is_pair in A.
      apply (Get _ _) with (n := 0) (p := 0) (m := 0) (r := 0) (x := 0) (y := 0) in A; try (cbn; tauto).
      destruct (V 0 0 0 0 0 0) as (Vn & _). cbn [means map] in A. rewrite value_just, value_number, Vn in A. now apply A.
    + intros n p m r Q R L. pose proof (H _ ltac:(do 4 right; left; reflexivity) v0) as A. unfold with_digit in A.
      apply (Get _ _) with (n := n) (p := p) (m := m) (r := r) (x := n + m) (y := p + m + r) in A; try (cbn; tauto).
      destruct (V n p m r (n + m) (p + m + r)) as (Vn & Vp & Vm & Vr & Vx & Vy). cbn [means map] in A.
      rewrite !value_plus, !value_just, Vn, Vp, Vm, Vr, Vx, Vy, !Nat.mul_1_l in A. apply A; auto.
    + intros n p m r y Q R L Y. pose proof (H _ ltac:(do 5 right; left; reflexivity) v0) as A. unfold with_digit in A.
      apply (Get _ _) with (n := n) (p := p) (m := m) (r := r) (x := n + m) (y := y) in A; try (cbn; tauto).
      destruct (V n p m r (n + m) y) as (Vn & Vp & Vm & Vr & Vx & Vy). cbn [means map] in A.
      rewrite !value_plus, !value_just, Vn, Vp, Vm, Vr, Vx, Vy, !Nat.mul_1_l in A. apply A; auto.
    + intros n p m Q R. pose proof (H _ ltac:(do 6 right; left; reflexivity) v0) as A. unfold only_part in A.
      apply (Get _ _) with (n := n) (p := p) (m := m) (r := 0) (x := 0) (y := 0) in A; try (cbn; tauto).
      destruct (V n p m 0 0 0) as (Vn & Vp & Vm & _). cbn [means map] in A.
      rewrite !value_just, Vn, Vp, Vm, !Nat.mul_1_l in A. apply A; auto.
Qed.

(** * Comparisons of sums of integers

    A definition compares sums of its parameters x as integers: for each x there is a p with P(x,p), and with 2 p - x for
    x the sums of positive terms are on both sides. *)

Definition zcompare (s : comparison) (a b : Z) : Prop :=
  match s with Less => a < b | AtMost => a <= b | Equal => a = b | Different => a <> b end%Z.

Definition total (s : sum) (f : name -> Z) : Z := fold_right (fun t z => Z.of_N (fst t) * f (snd t) + z)%Z 0%Z (terms s).
Definition in_terms (s : sum) (x : name) : Prop := In x (map snd (terms s)).

Lemma total_same s f g : (forall x, in_terms s x -> f x = g x) -> total s f = total s g.
Proof.
  unfold total, in_terms. induction (terms s) as [|t l IH]; intros H; cbn [fold_right map] in *; auto.
  rewrite IH by (intros; apply H; simpl; auto). rewrite (H (snd t)) by (simpl; auto). reflexivity.
Qed.

Lemma total_add s f g : total s (fun x => f x + g x)%Z = (total s f + total s g)%Z.
Proof. unfold total. induction (terms s) as [|t l IH]; cbn [fold_right]; [reflexivity|]. rewrite IH. lia. Qed.

Lemma value_total s v : Z.of_nat (value s v) = (Z.of_N (constant s) + total s (fun x => Z.of_nat (v x)))%Z.
Proof.
  unfold value, total. rewrite Nat2Z.inj_add, N_nat_Z. f_equal. induction (terms s) as [|t l IH]; [reflexivity|].
  cbn [map fold_right]. rewrite <- IH. unfold list_sum. cbn [fold_right]. rewrite Nat2Z.inj_add, Nat2Z.inj_mul, N_nat_Z. reflexivity.
Qed.

Lemma compare_values l s r v : is_true (Compare l s r) v <-> zcompare s (Z.of_nat (value l v)) (Z.of_nat (value r v)).
Proof. destruct s; cbn [means zcompare]; lia. Qed.

Definition half (pairs : list (name * name)) (x : name) : name :=
  match find (fun t => Pos.eqb (fst t) x) pairs with Some t => snd t | None => x end.

Definition side (factor : N) (pairs : list (name * name)) (own other : sum) : sum :=
  {| terms := map (fun t => ((factor * fst t)%N, half pairs (snd t))) (terms own) ++ terms other; constant := constant own |}.

Definition comparison_body (factor : N) (p : name) (pairs : list (name * name)) (l : sum) (s : comparison) (r : sum) : formula :=
  Exists (map snd pairs)
    (fold_right (fun t f => And (Call p [fst t; snd t]) f) (Compare (side factor pairs l r) s (side factor pairs r l)) pairs).

Lemma side_total c pairs own other v :
  total (side c pairs own other) (fun x => Z.of_nat (v x))
  = (total own (fun x => Z.of_N c * Z.of_nat (v (half pairs x))) + total other (fun x => Z.of_nat (v x)))%Z.
Proof.
  unfold total, side. cbn [terms]. rewrite fold_right_app. induction (terms own) as [|t l IH]; cbn [map fold_right]; [lia|].
  rewrite IH. cbn [fst snd]. rewrite N2Z.inj_mul. lia.
Qed.

Lemma calls_and p pairs f v : is_true (fold_right (fun t f => And (Call p [fst t; snd t]) f) f pairs) v
  <-> (forall t, In t pairs -> calls p [v (fst t); v (snd t)]) /\ is_true f v.
Proof.
  induction pairs as [|t l IH]; cbn [fold_right means map]; [simpl; intuition contradiction|]. rewrite IH.
  split; [intros (A & B & C)|intros (A & B)]; repeat split; auto; try (apply A; simpl; auto).
  - intros u [<-|I]; auto.
  - intros u I. apply A. simpl; auto.
Qed.

Lemma half_in pairs x : In x (map fst pairs) -> In (x, half pairs x) pairs.
Proof.
  unfold half. intros I. destruct (find _ pairs) as [[a b]|] eqn:F.
  - apply find_some in F as [F E]. simpl in E. apply Pos.eqb_eq in E as ->. auto.
  - apply in_map_iff in I as (t & <- & I). pose proof (find_none _ _ F t I) as N. simpl in N. rewrite Pos.eqb_refl in N. discriminate.
Qed.

Lemma halves (P : nat -> nat -> Prop) w : (forall n, exists p, P n p) -> forall pairs, different (map snd pairs) = true ->
  exists w', same_but (map snd pairs) w w' /\ forall t, In t pairs -> P (w (fst t)) (w' (snd t)).
Proof.
  intros H pairs. induction pairs as [|[x p] l IH]; intros D.
  - exists w. split; [intros y _; reflexivity|intros t []].
  - cbn [map different] in D. apply andb_true_iff in D as [N D]. apply negb_true_iff, mem_not in N.
    destruct (IH D) as (w' & S & T), (H (w x)) as [q Q]. cbn [snd] in N.
    exists (fun y => if Pos.eqb y p then q else w' y). split.
    + intros y M. cbn [map snd] in M. destruct (Pos.eqb_spec y p) as [->|]; [simpl in M; tauto|]. apply S. simpl in M. tauto.
    + intros [y r] [[= <- <-]|I]; cbn [fst snd]; [now rewrite Pos.eqb_refl|].
      destruct (Pos.eqb_spec r p) as [->|]; [|apply (T (y, r) I)]. exfalso. apply N. change p with (snd (y, p)). now apply in_map.
Qed.

Lemma body_means c f p pairs l s r w : adds_up (fun n q => calls p [n; q]) c f ->
  different (map fst pairs ++ map snd pairs) = true ->
  (forall x, in_terms l x \/ in_terms r x -> In x (map fst pairs)) ->
  is_true (comparison_body c p pairs l s r) w <->
  zcompare s (Z.of_N (constant l) + total l (fun x => f (w x))) (Z.of_N (constant r) + total r (fun x => f (w x))).
Proof.
  intros [E H] D V. apply different_app in D as (_ & D & N). unfold comparison_body. cbn [means].
  assert (X : forall w', same_but (map snd pairs) w w' -> (forall t, In t pairs -> calls p [w' (fst t); w' (snd t)]) ->
            is_true (Compare (side c pairs l r) s (side c pairs r l)) w' <->
            zcompare s (Z.of_N (constant l) + total l (fun x => f (w x))) (Z.of_N (constant r) + total r (fun x => f (w x)))).
  { intros w' S C. rewrite compare_values, !value_total, !side_total. cbn [constant side].
    assert (Same : forall x, In x (map fst pairs) -> w' x = w x) by (intros x I; apply S; auto).
    assert (Own : forall t, in_terms t = in_terms l \/ in_terms t = in_terms r ->
              total t (fun x => Z.of_N c * Z.of_nat (w' (half pairs x)))%Z = (total t (fun x => Z.of_nat (w x)) + total t (fun x => f (w x)))%Z
              /\ total t (fun x => Z.of_nat (w' x)) = total t (fun x => Z.of_nat (w x))).
    { intros t T. rewrite <- total_add. split; apply total_same; intros x I.
      - assert (J : In x (map fst pairs)) by (apply V; destruct T as [T|T]; rewrite <- T; auto).
        pose proof (C _ (half_in _ _ J)) as K. cbn [fst snd] in K. apply E in K. rewrite K, Same by auto. reflexivity.
      - rewrite Same; auto. apply V. destruct T as [T|T]; rewrite <- T; auto. }
    destruct (Own l (or_introl eq_refl)) as [-> ->], (Own r (or_intror eq_refl)) as [-> ->].
    destruct s; cbn [zcompare]; lia. }
  split.
  - intros (w' & S & C). apply calls_and in C as [C A]. now apply (X w').
  - intros A. destruct (halves (fun n q => calls p [n; q]) w H pairs D) as (w' & S & T). exists w'. split; auto.
    assert (T' : forall t, In t pairs -> calls p [w' (fst t); w' (snd t)]).
    { intros t I. rewrite (S (fst t)); [now apply T|]. apply N. now apply in_map. }
    apply calls_and. split; auto. now apply (X w').
Qed.

(** * Formulas about integers, and about numbers *)

Variable kinds : name -> option integers_in.
Notation is_true_of_integers := (means_integers letters calls kinds).

Lemma compare_integers l s r v : is_true_of_integers (Compare l s r) v <-> zcompare s (integer_value kinds l v) (integer_value kinds r v).
Proof. destruct s; reflexivity. Qed.

Record compared := { named : name; of_integers : integers; with_even : list (name * name); lower : sum; sign_of : comparison; upper : sum }.

Definition renamed (names : list (name * name)) (s : sum) : sum :=
  {| terms := map (fun t => (fst t, half names (snd t))) (terms s); constant := constant s |}.

Definition sum_eqb (s t : sum) : bool := formula_eqb (Compare s Equal s) (Compare t Equal t).
Definition sign_eqb (s t : comparison) : bool := formula_eqb (Compare (number 0) s (number 0)) (Compare (number 0) t (number 0)).
Definition integers_in_eq_dec : forall i j : integers_in, {i = j} + {i <> j}.
Proof. repeat decide equality. Defined.

Definition has_kind (i : integers_in) (x : name) : bool :=
  match kinds x with Some j => if integers_in_eq_dec i j then true else false | None => false end.
Definition is_number (x : name) : bool := match kinds x with Some _ => false | None => true end.

(** A call of a definition that compares these sums, with the arguments in place of its parameters. *)
Definition compares (l : sum) (s : comparison) (r : sum) (p : name) (xs : list name) (c : compared) : bool :=
  let names := combine (map fst (with_even c)) xs in
  Pos.eqb (named c) p && (length xs =? length (with_even c)) && forallb (has_kind (written_in (of_integers c))) xs
  && sum_eqb l (renamed names (lower c)) && sign_eqb s (sign_of c) && sum_eqb r (renamed names (upper c)).

Variable comparisons : list compared.

(** Two integers are equal if their numbers are. *)
Definition equates (f : formula) : bool :=
  match f with
  | Compare {| terms := [(_, x)] |} s {| terms := [(_, y)] |} =>
      formula_eqb f (Compare (just 1 x) s (just 1 y)) && (sign_eqb s Equal || sign_eqb s Different)
      && match kinds x with Some i => proper i && has_kind i y | None => false end
  | _ => false
  end.

Definition of_numbers (s : sum) : bool := forallb is_number (map snd (terms s)).

(** Whether a formula g says of numbers what f says of the integers that they stand for. *)
Fixpoint corresponds (f g : formula) : bool :=
  match f, g with
  | Compare l s r, Call p xs => existsb (compares l s r p xs) comparisons
  | Compare l s r, _ => formula_eqb f g && (of_numbers l && of_numbers r || equates f)
  | Not f, Not g => corresponds f g
  | And f1 f2, And g1 g2 | Or f1 f2, Or g1 g2 | Implies f1 f2, Implies g1 g2 | Iff f1 f2, Iff g1 g2 =>
      corresponds f1 g1 && corresponds f2 g2
  | Exists bound f, Exists bound' g | All bound f, All bound' g =>
      formula_eqb (Exists bound (Truth true)) (Exists bound' (Truth true)) && corresponds f g
  | AtLeast k bound f, AtLeast k' bound' g =>
      formula_eqb (AtLeast k bound (Truth true)) (AtLeast k' bound' (Truth true)) && corresponds f g
  | Truth _, _ | LetterAt _ _ _, _ | Call _ _, _ => formula_eqb f g
  | _, _ => false
  end.

(** What the definitions that compare integers say. *)
Hypothesis compared_means : forall c, In c comparisons -> forall ns, calls (named c) ns <->
  exists w, map w (map fst (with_even c)) = ns /\
    zcompare (sign_of c) (Z.of_N (constant (lower c)) + total (lower c) (fun x => integer (written_in (of_integers c)) (w x)))
                         (Z.of_N (constant (upper c)) + total (upper c) (fun x => integer (written_in (of_integers c)) (w x))).
Hypothesis in_parameters : forall c, In c comparisons -> different (map fst (with_even c)) = true /\
  forall x, in_terms (lower c) x \/ in_terms (upper c) x -> In x (map fst (with_even c)).

Lemma integer_value_total s v : integer_value kinds s v =
  (Z.of_N (constant s) + total s (fun x => match kinds x with Some i => integer i (v x) | None => Z.of_nat (v x) end))%Z.
Proof. reflexivity. Qed.

Lemma sum_eqb_eq s t : sum_eqb s t = true -> s = t.
Proof. intros H. apply formula_eqb_eq in H. congruence. Qed.

Lemma sign_eqb_eq s t : sign_eqb s t = true -> s = t.
Proof. intros H. apply formula_eqb_eq in H. congruence. Qed.

Lemma has_kind_eq k x : has_kind k x = true -> kinds x = Some k.
Proof. unfold has_kind. destruct (kinds x); [|discriminate]. destruct (integers_in_eq_dec _ _); congruence. Qed.

Lemma numbers_value s v : of_numbers s = true -> integer_value kinds s v = Z.of_nat (value s v).
Proof.
  intros H. unfold of_numbers in H. rewrite forallb_forall in H. rewrite integer_value_total, value_total. f_equal. apply total_same.
  intros x I. apply H in I. unfold is_number in I. destruct (kinds x); [discriminate|reflexivity].
Qed.

Lemma half_argument (params xs : list name) (v w : values) : length params = length xs -> different params = true -> map w params = map v xs ->
  forall x, In x params -> w x = v (half (combine params xs) x) /\ In (half (combine params xs) x) xs.
Proof.
  revert xs. induction params as [|a l IH]; intros [|b xs] L D E x I; try discriminate; [destruct I|].
  cbn [map different] in *. apply andb_true_iff in D as [N D]. apply negb_true_iff, mem_not in N. injection E as E1 E.
  unfold half. cbn [combine find fst]. destruct (Pos.eqb_spec a x) as [<-|A]; [simpl; auto|].
  destruct I as [|I]; [contradiction|]. cbn [length] in L. destruct (IH xs ltac:(lia) D E x I) as [P Q].
  split; [exact P|]. right. exact Q.
Qed.

Lemma renamed_total (params xs : list name) (v w : values) k s : length params = length xs -> different params = true -> map w params = map v xs ->
  (forall x, In x xs -> kinds x = Some k) -> (forall x, in_terms s x -> In x params) ->
  integer_value kinds (renamed (combine params xs) s) v = (Z.of_N (constant s) + total s (fun x => integer k (w x)))%Z.
Proof.
  intros L D E B P. rewrite integer_value_total. cbn [constant renamed]. f_equal. unfold total, in_terms in *. cbn [terms renamed].
  induction (terms s) as [|t l IH]; cbn [map fold_right]; [reflexivity|]. cbn [map] in P.
  rewrite IH by (intros; apply P; simpl; auto). cbn [fst snd].
  destruct (half_argument params xs v w L D E (snd t) ltac:(apply P; simpl; auto)) as [-> I]. now rewrite (B _ I).
Qed.

Lemma arguments (params : list name) : different params = true -> forall ns : list nat, length params = length ns -> exists w, map w params = ns.
Proof.
  induction params as [|a l IH]; intros D [|n ns] L; try discriminate; [exists (fun _ => 0); reflexivity|].
  cbn [different] in D. apply andb_true_iff in D as [N D]. apply negb_true_iff, mem_not in N. cbn [length] in L.
  destruct (IH D ns ltac:(lia)) as [w W]. exists (fun x => if Pos.eqb x a then n else w x). cbn [map]. rewrite Pos.eqb_refl. f_equal.
  rewrite <- W. apply map_ext_in. intros x I. destruct (Pos.eqb_spec x a) as [->|]; [contradiction|reflexivity].
Qed.

Lemma compares_sound l s r p xs v : existsb (compares l s r p xs) comparisons = true ->
  is_true_of_integers (Compare l s r) v <-> is_true (Call p xs) v.
Proof.
  intros H. apply existsb_exists in H as (c & I & H). unfold compares in H. rewrite !andb_true_iff in H.
  destruct H as [[[[[P L] B] EL] ES] ER]. apply Pos.eqb_eq in P as <-. apply Nat.eqb_eq in L.
  apply sum_eqb_eq in EL, ER. apply sign_eqb_eq in ES. subst l s r. rewrite compare_integers. cbn [means].
  destruct (in_parameters c I) as [D V]. rewrite (compared_means c I). rewrite forallb_forall in B.
  assert (L' : length (map fst (with_even c)) = length xs) by (rewrite map_length; auto).
  assert (B' : forall x, In x xs -> kinds x = Some (written_in (of_integers c))) by (intros x J; apply has_kind_eq, B, J).
  assert (Vl : forall x, in_terms (lower c) x -> In x (map fst (with_even c))) by auto.
  assert (Vr : forall x, in_terms (upper c) x -> In x (map fst (with_even c))) by auto.
  split.
  - intros A. destruct (arguments _ D (map v xs)) as [w W]; [rewrite !map_length; auto|]. exists w. split; [exact W|].
    rewrite (renamed_total _ xs v w _ _ L' D W B' Vl), (renamed_total _ xs v w _ _ L' D W B' Vr) in A. exact A.
  - intros (w & W & A). rewrite (renamed_total _ xs v w _ _ L' D W B' Vl), (renamed_total _ xs v w _ _ L' D W B' Vr). exact A.
Qed.

Lemma equates_sound f v : equates f = true -> is_true_of_integers f v <-> is_true f v.
Proof.
  intros H. unfold equates in H.
  destruct f as [|[[|[a x] [|]] c] s [[|[b y] [|]] d]| | | | | | | | | |]; try discriminate.
  rewrite !andb_true_iff, orb_true_iff in H. destruct H as [[E S] B]. apply formula_eqb_eq in E. rewrite E. clear E.
  destruct (kinds x) as [k|] eqn:X; [|discriminate]. apply andb_true_iff in B as [K Y]. apply has_kind_eq in Y.
  assert (J : forall z, kinds z = Some k -> integer_value kinds (just 1 z) v = integer k (v z)).
  { intros z B. unfold integer_value, just. cbn [terms constant fold_right fst snd]. rewrite B. change (Z.of_N (N.of_nat 1)) with 1%Z. lia. }
  assert (V : integer k (v x) = integer k (v y) <-> v x = v y) by (split; [apply (integer_one k K)|congruence]).
  rewrite compare_integers, !J by auto.
  destruct S as [S|S]; apply sign_eqb_eq in S as ->; cbn [zcompare means]; rewrite !value_just, !Nat.mul_1_l; tauto.
Qed.

Theorem corresponds_sound f : forall g v, corresponds f g = true -> is_true_of_integers f v <-> is_true g v.
Proof.
  induction f; intros g v H; cbn [corresponds] in H.
  - apply formula_eqb_eq in H as <-. reflexivity.
  - destruct g; try (apply andb_true_iff in H as [E H]; apply formula_eqb_eq in E; try discriminate E).
    + rewrite <- E. apply orb_true_iff in H as [H|H]; [|now apply equates_sound].
      apply andb_true_iff in H as [L R]. rewrite compare_integers, compare_values, !numbers_value by auto. reflexivity.
    + now apply compares_sound.
  - apply formula_eqb_eq in H as <-. reflexivity.
  - apply formula_eqb_eq in H as <-. reflexivity.
  - destruct g; try discriminate. cbn [means means_integers]. now rewrite IHf.
  - destruct g; try discriminate. apply andb_true_iff in H as [A B]. cbn [means means_integers]. now rewrite IHf1, IHf2.
  - destruct g; try discriminate. apply andb_true_iff in H as [A B]. cbn [means means_integers]. now rewrite IHf1, IHf2.
  - destruct g; try discriminate. apply andb_true_iff in H as [A B]. cbn [means means_integers]. now rewrite IHf1, IHf2.
  - destruct g; try discriminate. apply andb_true_iff in H as [A B]. cbn [means means_integers]. now rewrite IHf1, IHf2.
  - destruct g; try discriminate. apply andb_true_iff in H as [A B]. apply formula_eqb_eq in A. injection A as <-.
    cbn [means means_integers]. split; intros (w & S & T); exists w; split; auto; now apply (IHf g w B).
  - destruct g; try discriminate. apply andb_true_iff in H as [A B]. apply formula_eqb_eq in A. injection A as <-.
    cbn [means means_integers]. split; intros T w S; now apply (IHf g w B), T.
  - destruct g; try discriminate. apply andb_true_iff in H as [A B]. apply formula_eqb_eq in A. injection A as <- <-.
    cbn [means means_integers]. split; intros (found & L & P & T); exists found; repeat split; auto; try (apply T; auto); apply (IHf g v' B), T; auto.
Qed.
End Translation.
