(** Statements about integers are statements about the numbers that stand for them: each integer is that of one number, and
    a comparison of sums of integers is one of sums of numbers. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements Forms Definitions.
Import ListNotations.

(** * Each integer is that of one number *)

Lemma integer_of_0 k l : integer_of k l 0 = 0%Z.
Proof.
  induction l as [|l I]; [reflexivity|]. cbn [integer_of].
  destruct k; [simpl; lia|]. rewrite Nat.mod_0_l, Nat.div_0_l, I by lia. lia.
Qed.

Lemma integer_of_more k : 2 <= k -> forall n l m, n <= l -> n <= m -> integer_of k l n = integer_of k m n.
Proof.
  intros K n. induction n as [n IH] using lt_wf_ind. intros l m L M.
  destruct (Nat.eq_dec n 0) as [->|N]. { now rewrite !integer_of_0. }
  destruct l as [|l]; [lia|]. destruct m as [|m]; [lia|]. cbn [integer_of].
  assert (D : n / k < n) by (apply Nat.div_lt; lia). rewrite (IH (n / k) D l m); lia.
Qed.

Lemma integer_0 k : integer k 0 = 0%Z.
Proof. reflexivity. Qed.

Lemma integer_step k n : 2 <= k -> integer k n = (Z.of_nat (n mod k) - Z.of_nat k * integer k (n / k))%Z.
Proof.
  intros K. unfold integer at 1. destruct n as [|n].
  - rewrite Nat.mod_0_l, Nat.div_0_l by lia. rewrite integer_0. simpl. lia.
  - cbn [integer_of]. unfold integer. assert (D : S n / k < S n) by (apply Nat.div_lt; lia).
    now rewrite (integer_of_more k K (S n / k) n (S n / k)) by lia.
Qed.

Lemma integer_digit k n : 2 <= k -> Z.of_nat (n mod k) = (integer k n mod Z.of_nat k)%Z
  /\ integer k (n / k) = (- (integer k n / Z.of_nat k))%Z.
Proof.
  intros K. pose proof (integer_step k n K) as E. pose proof (Nat.mod_upper_bound n k ltac:(lia)) as B.
  destruct (Z.div_mod_unique (Z.of_nat k) (integer k n / Z.of_nat k) (- integer k (n / k))
              (integer k n mod Z.of_nat k) (Z.of_nat (n mod k))) as [Q R].
  - left. apply Z.mod_pos_bound. lia.
  - left. lia.
  - rewrite <- Z.div_mod by lia. rewrite E. lia.
  - lia.
Qed.

Lemma integer_zero k : 2 <= k -> forall n, integer k n = 0%Z -> n = 0.
Proof.
  intros K n. induction n as [n IH] using lt_wf_ind. intros E. destruct (Nat.eq_dec n 0) as [|N]; auto.
  destruct (integer_digit k n K) as [D Q]. rewrite E in D, Q.
  rewrite Z.mod_0_l in D by lia. rewrite Z.div_0_l in Q by lia.
  assert (L : n / k < n) by (apply Nat.div_lt; lia).
  apply (IH _ L) in Q. pose proof (Nat.div_mod n k ltac:(lia)). lia.
Qed.

Lemma integer_one k : 2 <= k -> forall n m, integer k n = integer k m -> n = m.
Proof.
  intros K n. induction n as [n IH] using lt_wf_ind. intros m E.
  destruct (Nat.eq_dec n 0) as [->|N]. { symmetry. apply (integer_zero k K). now rewrite <- E. }
  destruct (integer_digit k n K) as [D Q], (integer_digit k m K) as [D' Q']. rewrite E in D, Q. rewrite <- D' in D. rewrite <- Q' in Q.
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

Lemma integer_all k : 2 <= k -> forall z, exists n, integer k n = z.
Proof.
  intros K z. remember (Z.to_nat (size z)) as steps eqn:S. revert z S.
  induction steps as [steps IH] using lt_wf_ind. intros z ->.
  destruct (Z.eq_dec z 0) as [->|N]. { now exists 0. }
  pose proof (Z.div_mod z (Z.of_nat k) ltac:(lia)) as D. pose proof (Z.mod_pos_bound z (Z.of_nat k) ltac:(lia)) as B.
  set (q := (z / Z.of_nat k)%Z) in *. set (d := (z mod Z.of_nat k)%Z) in *.
  pose proof (size_less (Z.of_nat k) z q d ltac:(lia) D B N) as L.
  destruct (IH (Z.to_nat (size (- q))) ltac:(apply Z2Nat.inj_lt; lia) (- q)%Z eq_refl) as [m M].
  exists (k * m + Z.to_nat d). rewrite integer_step by lia.
  replace ((k * m + Z.to_nat d) / k) with m by (apply (Nat.div_unique _ k m (Z.to_nat d)); lia).
  replace ((k * m + Z.to_nat d) mod k) with (Z.to_nat d) by (apply (Nat.mod_unique _ k m (Z.to_nat d)); lia).
  rewrite M, Z2Nat.id by lia. lia.
Qed.

Theorem each_integer_has_one_number k : 2 <= k -> forall z, exists n, integer k n = z /\ forall m, integer k m = z -> m = n.
Proof. intros K z. destruct (integer_all k K z) as [n N]. exists n. split; auto. intros m M. apply (integer_one k K). congruence. Qed.

(** * What a predicate says of the digits at even places

    [integers] are a base k, a predicate P, and four variables of the formulas that say what P is: each n has a p with
    P(n,p), and if P(n,p), P(m,r) and m = n/k then p + k r = n. *)

Definition formula_eq_dec : forall f g : formula, {f = g} + {f <> g}.
Proof. repeat decide equality. Defined.

Definition formula_eqb (f g : formula) : bool := if formula_eq_dec f g then true else false.

Lemma formula_eqb_eq f g : formula_eqb f g = true -> f = g.
Proof. unfold formula_eqb. destruct (formula_eq_dec f g); congruence. Qed.

Record integers := { radix : nat; even : name; of_n : name; of_p : name; of_m : name; of_r : name }.

Definition just (c : nat) (x : name) : sum := {| terms := [(N.of_nat c, x)]; constant := 0 |}.
Definition plus (s t : sum) : sum := {| terms := terms s ++ terms t; constant := constant s + constant t |}.
Definition number (c : nat) : sum := {| terms := []; constant := N.of_nat c |}.

Definition has_even (z : integers) : formula := All [of_n z] (Exists [of_p z] (Call (even z) [of_n z; of_p z])).

Definition divides (z : integers) : formula :=
  All [of_n z; of_p z; of_m z; of_r z]
    (Implies (And (And (Call (even z) [of_n z; of_p z]) (Call (even z) [of_m z; of_r z]))
                  (And (Compare (just (radix z) (of_m z)) AtMost (just 1 (of_n z)))
                       (Compare (just 1 (of_n z)) Less (plus (just (radix z) (of_m z)) (number (radix z))))))
             (Compare (plus (just 1 (of_p z)) (just (radix z) (of_r z))) Equal (just 1 (of_n z)))).

Fixpoint different (l : list name) : bool := match l with [] => true | x :: l => negb (mem x l) && different l end.

Lemma different_app l m : different (l ++ m) = true -> different l = true /\ different m = true /\ forall x, In x l -> ~ In x m.
Proof.
  induction l as [|a l IH]; cbn [app different]; [repeat split; auto|]. rewrite !andb_true_iff, negb_true_iff, mem_not, in_app_iff.
  intros [N D]. destruct (IH D) as (A & B & C). repeat split; auto.
  - apply negb_true_iff, mem_not. tauto.
  - intros x [<-|I] J; [tauto|]. now apply (C x).
Qed.

Definition integers_good (facts : list formula) (z : integers) : bool :=
  (2 <=? radix z) && different [of_n z; of_p z; of_m z; of_r z]
  && existsb (formula_eqb (has_even z)) facts && existsb (formula_eqb (divides z)) facts.

Lemma value_just c x v : value (just c x) v = c * v x.
Proof. unfold value, just. simpl. rewrite Nat2N.id. lia. Qed.

Lemma value_plus s t v : value (plus s t) v = value s v + value t v.
Proof. unfold value, plus. simpl. rewrite map_app, list_sum_app. lia. Qed.

Lemma value_number c v : value (number c) v = c.
Proof. unfold value, number. simpl. rewrite Nat2N.id. lia. Qed.

Definition at_ (l : list (name * nat)) (v : values) : values :=
  fun x => match find (fun t => Pos.eqb (fst t) x) l with Some t => snd t | None => v x end.

Section Translation.
Variable letters : name -> list nat -> Z -> Prop.
Variable calls : name -> list nat -> Prop.
Notation is_true := (means letters calls).

Lemma even_means z facts : integers_good facts z = true -> (forall f, In f facts -> forall v, is_true f v) ->
  (forall n p, calls (even z) [n; p] <-> (2 * Z.of_nat p = Z.of_nat n + integer (radix z) n)%Z)
  /\ forall n, exists p, calls (even z) [n; p].
Proof.
  unfold integers_good. rewrite !andb_true_iff, Nat.leb_le. intros [[[K D] E] S] T.
  apply existsb_exists in E as (f & E & F). apply existsb_exists in S as (g & S & G).
  apply formula_eqb_eq in F as <-. apply formula_eqb_eq in G as <-. pose proof (T _ E) as A. pose proof (T _ S) as B. clear T E S.
  cbn [different] in D. rewrite !andb_true_iff, !negb_true_iff, !mem_not in D. simpl in D.
  destruct D as (D1 & D2 & D3 & _). set (v0 := fun _ : name => 0) in *.
  assert (Has : forall n, exists p, calls (even z) [n; p]).
  { intros n. unfold has_even in A. specialize (A v0). cbn [means] in A.
    destruct (A (at_ [(of_n z, n)] v0)) as (v' & S & C).
    - intros x N. unfold at_. simpl. destruct (Pos.eqb_spec (of_n z) x); auto. subst. simpl in N. tauto.
    - exists (v' (of_p z)). cbn [map] in C. rewrite (S (of_n z)) in C by (simpl; intuition congruence).
      unfold at_ in C. simpl in C. now rewrite Pos.eqb_refl in C. }
  assert (Div : forall n p m r, calls (even z) [n; p] -> calls (even z) [m; r] -> radix z * m <= n -> n < radix z * m + radix z ->
            p + radix z * r = n).
  { intros n p m r P R L M. unfold divides in B.
    set (v := at_ [(of_n z, n); (of_p z, p); (of_m z, m); (of_r z, r)] v0).
    assert (Vn : v (of_n z) = n) by (unfold v, at_; simpl; now rewrite Pos.eqb_refl).
    assert (Vp : v (of_p z) = p).
    { unfold v, at_; simpl. destruct (Pos.eqb_spec (of_n z) (of_p z)); [intuition congruence|]. now rewrite Pos.eqb_refl. }
    assert (Vm : v (of_m z) = m).
    { unfold v, at_; simpl. destruct (Pos.eqb_spec (of_n z) (of_m z)); [intuition congruence|].
      destruct (Pos.eqb_spec (of_p z) (of_m z)); [intuition congruence|]. now rewrite Pos.eqb_refl. }
    assert (Vr : v (of_r z) = r).
    { unfold v, at_; simpl. destruct (Pos.eqb_spec (of_n z) (of_r z)); [intuition congruence|].
      destruct (Pos.eqb_spec (of_p z) (of_r z)); [intuition congruence|]. destruct (Pos.eqb_spec (of_m z) (of_r z)); [intuition congruence|].
      now rewrite Pos.eqb_refl. }
    specialize (B v0). cbn [means map] in B. specialize (B v).
    rewrite !value_plus, !value_just, value_number, Vn, Vp, Vm, Vr in B.
    rewrite !Nat.mul_1_l in B. apply B; auto.
    intros x N. unfold v, at_. simpl in *. destruct (Pos.eqb_spec (of_n z) x); [tauto|]. destruct (Pos.eqb_spec (of_p z) x); [tauto|].
    destruct (Pos.eqb_spec (of_m z) x); [tauto|]. destruct (Pos.eqb_spec (of_r z) x); tauto. }
  assert (Only : forall n p, calls (even z) [n; p] -> (2 * Z.of_nat p = Z.of_nat n + integer (radix z) n)%Z).
  { intros n. induction n as [n IH] using lt_wf_ind. intros p P.
    pose proof (Nat.div_mod n (radix z) ltac:(lia)) as E. pose proof (Nat.mod_upper_bound n (radix z) ltac:(lia)) as M.
    pose proof (integer_step (radix z) n K) as I.
    destruct (Nat.eq_dec n 0) as [->|N].
    - assert (p + radix z * p = 0) by (apply (Div 0 p 0 p); auto; lia). rewrite integer_0. assert (p = 0) by lia. subst. reflexivity.
    - destruct (Has (n / radix z)) as [r R].
      assert (L : n / radix z < n) by (apply Nat.div_lt; lia). pose proof (IH _ L r R) as H.
      assert (X : p + radix z * r = n) by (apply (Div n p (n / radix z) r); auto; lia).
      apply (f_equal Z.of_nat) in X, E. rewrite Nat2Z.inj_add, Nat2Z.inj_mul in X, E. nia. }
  split; auto. intros n p. split; [apply Only|]. intros E. destruct (Has n) as [q Q]. pose proof (Only n q Q). assert (p = q) as -> by lia. auto.
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

Definition side (pairs : list (name * name)) (own other : sum) : sum :=
  {| terms := map (fun t => ((2 * fst t)%N, half pairs (snd t))) (terms own) ++ terms other; constant := constant own |}.

Definition comparison_body (p : name) (pairs : list (name * name)) (l : sum) (s : comparison) (r : sum) : formula :=
  Exists (map snd pairs)
    (fold_right (fun t f => And (Call p [fst t; snd t]) f) (Compare (side pairs l r) s (side pairs r l)) pairs).

Lemma side_total pairs own other v :
  total (side pairs own other) (fun x => Z.of_nat (v x))
  = (total own (fun x => 2 * Z.of_nat (v (half pairs x))) + total other (fun x => Z.of_nat (v x)))%Z.
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

Lemma body_means k p pairs l s r w :
  (forall n q, calls p [n; q] <-> (2 * Z.of_nat q = Z.of_nat n + integer k n)%Z) -> (forall n, exists q, calls p [n; q]) ->
  different (map fst pairs ++ map snd pairs) = true ->
  (forall x, in_terms l x \/ in_terms r x -> In x (map fst pairs)) ->
  is_true (comparison_body p pairs l s r) w <->
  zcompare s (Z.of_N (constant l) + total l (fun x => integer k (w x))) (Z.of_N (constant r) + total r (fun x => integer k (w x))).
Proof.
  intros E H D V. apply different_app in D as (_ & D & N). unfold comparison_body. cbn [means].
  assert (X : forall w', same_but (map snd pairs) w w' -> (forall t, In t pairs -> calls p [w' (fst t); w' (snd t)]) ->
            is_true (Compare (side pairs l r) s (side pairs r l)) w' <->
            zcompare s (Z.of_N (constant l) + total l (fun x => integer k (w x))) (Z.of_N (constant r) + total r (fun x => integer k (w x)))).
  { intros w' S C. rewrite compare_values, !value_total, !side_total. cbn [constant side].
    assert (Same : forall x, In x (map fst pairs) -> w' x = w x) by (intros x I; apply S; auto).
    assert (Own : forall t, in_terms t = in_terms l \/ in_terms t = in_terms r ->
              total t (fun x => 2 * Z.of_nat (w' (half pairs x)))%Z = (total t (fun x => Z.of_nat (w x)) + total t (fun x => integer k (w x)))%Z
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

Variable bases : name -> option nat.
Notation is_true_of_integers := (means_integers letters calls bases).

Lemma compare_integers l s r v : is_true_of_integers (Compare l s r) v <-> zcompare s (integer_value bases l v) (integer_value bases r v).
Proof. destruct s; reflexivity. Qed.

Record compared := { named : name; integers_in : integers; with_even : list (name * name); lower : sum; sign_of : comparison; upper : sum }.

Definition renamed (names : list (name * name)) (s : sum) : sum :=
  {| terms := map (fun t => (fst t, half names (snd t))) (terms s); constant := constant s |}.

Definition sum_eqb (s t : sum) : bool := formula_eqb (Compare s Equal s) (Compare t Equal t).
Definition sign_eqb (s t : comparison) : bool := formula_eqb (Compare (number 0) s (number 0)) (Compare (number 0) t (number 0)).
Definition has_base (k : nat) (x : name) : bool := match bases x with Some b => b =? k | None => false end.
Definition is_number (x : name) : bool := match bases x with Some _ => false | None => true end.

(** A call of a definition that compares these sums, with the arguments in place of its parameters. *)
Definition compares (l : sum) (s : comparison) (r : sum) (p : name) (xs : list name) (c : compared) : bool :=
  let names := combine (map fst (with_even c)) xs in
  Pos.eqb (named c) p && (length xs =? length (with_even c)) && forallb (has_base (radix (integers_in c))) xs
  && sum_eqb l (renamed names (lower c)) && sign_eqb s (sign_of c) && sum_eqb r (renamed names (upper c)).

Variable comparisons : list compared.

(** Two integers are equal if their numbers are. *)
Definition equates (f : formula) : bool :=
  match f with
  | Compare {| terms := [(_, x)] |} s {| terms := [(_, y)] |} =>
      formula_eqb f (Compare (just 1 x) s (just 1 y)) && (sign_eqb s Equal || sign_eqb s Different)
      && match bases x with Some k => (2 <=? k) && has_base k y | None => false end
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
    zcompare (sign_of c) (Z.of_N (constant (lower c)) + total (lower c) (fun x => integer (radix (integers_in c)) (w x)))
                         (Z.of_N (constant (upper c)) + total (upper c) (fun x => integer (radix (integers_in c)) (w x))).
Hypothesis in_parameters : forall c, In c comparisons -> different (map fst (with_even c)) = true /\
  forall x, in_terms (lower c) x \/ in_terms (upper c) x -> In x (map fst (with_even c)).

Lemma integer_value_total s v : integer_value bases s v =
  (Z.of_N (constant s) + total s (fun x => match bases x with Some k => integer k (v x) | None => Z.of_nat (v x) end))%Z.
Proof. reflexivity. Qed.

Lemma sum_eqb_eq s t : sum_eqb s t = true -> s = t.
Proof. intros H. apply formula_eqb_eq in H. congruence. Qed.

Lemma sign_eqb_eq s t : sign_eqb s t = true -> s = t.
Proof. intros H. apply formula_eqb_eq in H. congruence. Qed.

Lemma has_base_eq k x : has_base k x = true -> bases x = Some k.
Proof. unfold has_base. destruct (bases x); [|discriminate]. intros E. apply Nat.eqb_eq in E. congruence. Qed.

Lemma numbers_value s v : of_numbers s = true -> integer_value bases s v = Z.of_nat (value s v).
Proof.
  intros H. unfold of_numbers in H. rewrite forallb_forall in H. rewrite integer_value_total, value_total. f_equal. apply total_same.
  intros x I. apply H in I. unfold is_number in I. destruct (bases x); [discriminate|reflexivity].
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
  (forall x, In x xs -> bases x = Some k) -> (forall x, in_terms s x -> In x params) ->
  integer_value bases (renamed (combine params xs) s) v = (Z.of_N (constant s) + total s (fun x => integer k (w x)))%Z.
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
  assert (B' : forall x, In x xs -> bases x = Some (radix (integers_in c))) by (intros x J; apply has_base_eq, B, J).
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
  destruct (bases x) as [k|] eqn:X; [|discriminate]. apply andb_true_iff in B as [K Y]. apply Nat.leb_le in K. apply has_base_eq in Y.
  assert (J : forall z, bases z = Some k -> integer_value bases (just 1 z) v = integer k (v z)).
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
