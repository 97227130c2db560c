(** Comparisons of sums: bound variables that equal sums are replaced by them; and addition, by induction. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements Numeration Columns Walks Forms Claims.
Import ListNotations.

Record atom := { sums : list (name * Z); strict : bool; bound_by : Z }.

Definition holds_of (t : atom) (v : values) : Prop := sat (sums t) (strict t) (bound_by t) v.
Definition all_hold (ts : list atom) (v : values) : Prop := forall t, In t ts -> holds_of t v.

Definition coefficient (x : name) (ts : list (name * Z)) : Z :=
  fold_right (fun t s => if Pos.eqb (fst t) x then (snd t + s)%Z else s) 0%Z ts.

Definition others (x : name) (ts : list (name * Z)) : list (name * Z) := filter (fun t => negb (Pos.eqb (fst t) x)) ts.

Lemma value_split x ts v : lin_value ts v = (coefficient x ts * Z.of_nat (v x) + lin_value (others x ts) v)%Z.
Proof.
  induction ts as [|[y k] ts IH]; simpl; auto. destruct (Pos.eqb_spec y x) as [->|N]; simpl; rewrite IH; lia.
Qed.

Lemma others_in x ts y : In y (map fst (others x ts)) -> y <> x.
Proof.
  intros I. apply in_map_iff in I as ([z k] & <- & I). apply filter_In in I as [_ I]. simpl in *.
  apply negb_true_iff, Pos.eqb_neq in I. auto.
Qed.

(** x, times 1 or -1, equals a sum of other variables with natural coefficients. *)
Definition is_sum (x : name) (turn : Z) (t : atom) : bool :=
  negb (strict t) && (coefficient x (sums t) =? turn)%Z && (0 <=? turn * bound_by t)%Z
  && forallb (fun o => turn * snd o <=? 0)%Z (others x (sums t)).

Definition replaced (x : name) (turn : Z) (equation t : atom) : option atom :=
  let k := (- turn * coefficient x (sums t))%Z in
  let ts := collect (sums t ++ times k (sums equation)) in
  if mem x (map fst ts) then None
  else Some {| sums := ts; strict := strict t; bound_by := (bound_by t + k * bound_by equation)%Z |}.

Fixpoint all_some {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | Some a :: l => option_map (cons a) (all_some l)
  | None :: _ => None
  end.

Definition a_sum (bound : list name) (t : atom) : option (name * Z) :=
  match find (fun x => is_sum x 1 t) bound with
  | Some x => Some (x, 1%Z)
  | None => match find (fun x => is_sum x (-1) t) bound with Some x => Some (x, (-1)%Z) | None => None end
  end.

(** The first equation that says what a bound variable is, and the other atoms. *)
Fixpoint pick (bound : list name) (seen ts : list atom) : option (name * Z * atom * list atom) :=
  match ts with
  | [] => None
  | t :: ts => match a_sum bound t with
               | Some (x, turn) => Some (x, turn, t, seen ++ ts)
               | None => pick bound (seen ++ [t]) ts
               end
  end.

Fixpoint eliminate (n : nat) (bound : list name) (ts : list atom) : option (list atom) :=
  match bound, n with
  | [], _ => Some ts
  | _, 0 => None
  | _, S n =>
      match pick bound [] ts with
      | Some (x, turn, t, rest) =>
          match all_some (map (replaced x turn t) rest) with
          | Some rest => eliminate n (without [x] bound) rest
          | None => None
          end
      | None => None
      end
  end.

Lemma all_some_in {A B} (f : A -> option B) l m : all_some (map f l) = Some m ->
  (forall a, In a l -> exists b, f a = Some b /\ In b m) /\ (forall b, In b m -> exists a, In a l /\ f a = Some b).
Proof.
  revert m. induction l as [|a l IH]; intros m H; simpl in H.
  - injection H as <-. split; intros ? [].
  - destruct (f a) as [b|] eqn:F; try discriminate. destruct (all_some _) as [m'|] eqn:M; try discriminate.
    injection H as <-. destruct (IH m' eq_refl) as [X Y]. split.
    + intros c [<-|I]; [exists b; simpl; auto|]. destruct (X c I) as (e & E & J). exists e. simpl. auto.
    + intros c [<-|I]; [exists a; simpl; auto|]. destruct (Y c I) as (e & E & J). exists e. simpl. auto.
Qed.

Lemma pick_sound bound ts : forall seen x turn t rest, pick bound seen ts = Some (x, turn, t, rest) ->
  In x bound /\ (turn = 1%Z \/ turn = (-1)%Z) /\ is_sum x turn t = true
  /\ forall u, In u (seen ++ ts) <-> u = t \/ In u rest.
Proof.
  induction ts as [|a ts IH]; intros seen x turn t rest H; simpl in H; try discriminate.
  destruct (a_sum bound a) as [[y k]|] eqn:E.
  - injection H as -> -> -> <-. unfold a_sum in E. repeat split.
    + destruct (find _ bound) as [z|] eqn:F; [injection E as -> <-; now apply find_some in F|].
      destruct (find (fun x => is_sum x (-1) t) bound) as [z|] eqn:F'; try discriminate.
      injection E as -> <-. now apply find_some in F'.
    + destruct (find _ bound) as [z|]; [injection E as -> <-; auto|].
      destruct (find (fun x => is_sum x (-1) t) bound) as [z|]; try discriminate. injection E as -> <-. auto.
    + destruct (find _ bound) as [z|] eqn:F; [injection E as -> <-; now apply find_some in F|].
      destruct (find (fun x => is_sum x (-1) t) bound) as [z|] eqn:F'; try discriminate.
      injection E as -> <-. now apply find_some in F'.
    + rewrite !in_app_iff. simpl. intuition.
    + rewrite !in_app_iff. simpl. intuition.
  - apply IH in H as (A & B & C & D). repeat split; auto; intros I.
    + apply D. rewrite <- app_assoc. exact I.
    + apply D in I. rewrite <- app_assoc in I. exact I.
Qed.

Lemma replaced_sat x turn e t u v : replaced x turn e t = Some u -> strict e = false -> holds_of e v ->
  holds_of u v <-> holds_of t v.
Proof.
  unfold replaced. destruct (mem x _); try discriminate. intros [= <-] S E. unfold holds_of, sat in *. cbn [sums strict bound_by].
  rewrite S in E. rewrite collect_value, app_value, times_value, E. destruct (strict t); lia.
Qed.

Lemma replaced_without x turn e t u v w : replaced x turn e t = Some u -> (forall y, y <> x -> v y = w y) ->
  holds_of u v <-> holds_of u w.
Proof.
  unfold replaced. destruct (mem x _) eqn:M; try discriminate. intros [= <-] E. unfold holds_of, sat. cbn [sums strict bound_by].
  rewrite (lin_value_same _ v w); [reflexivity|]. intros y I. apply E. intros ->. apply mem_not in M. auto.
Qed.

Lemma lin_negative ts v turn : forallb (fun o => turn * snd o <=? 0)%Z ts = true -> (turn * lin_value ts v <= 0)%Z.
Proof.
  induction ts as [|[y k] ts IH]; simpl; [lia|]. intros H. apply andb_true_iff in H as [H K]. apply Z.leb_le in H.
  specialize (IH K). nia.
Qed.

Definition put (x : name) (n : nat) (v : values) : values := fun y => if Pos.eqb y x then n else v y.

Lemma put_same x n v : put x n v x = n.
Proof. unfold put. now rewrite Pos.eqb_refl. Qed.

Lemma put_other x n v y : y <> x -> put x n v y = v y.
Proof. intros N. unfold put. apply Pos.eqb_neq in N. now rewrite N. Qed.

Lemma eliminate_sound n : forall bound ts us v, eliminate n bound ts = Some us ->
  (exists v', same_but bound v v' /\ all_hold ts v') <-> all_hold us v.
Proof.
  assert (Z : forall ts v, (exists v', same_but [] v v' /\ all_hold ts v') <-> all_hold ts v).
  { intros ts v. split.
    - intros (v' & S & A) t I. specialize (A t I). unfold holds_of, sat in *.
      rewrite (lin_value_same _ v v'); auto. intros x _. symmetry. now apply S.
    - intros A. exists v. split; auto. intros x _. reflexivity. }
  induction n as [|n IH]; intros [|b bound] ts us v H; cbn [eliminate] in H; try discriminate; try (injection H as <-; apply Z).
  remember (b :: bound) as bs. clear Heqbs b bound.
  destruct (pick bs [] ts) as [[[[x turn] e] rest]|] eqn:P; try discriminate.
  destruct (all_some _) as [rest'|] eqn:A; try discriminate. rewrite <- (IH _ _ _ v H). clear IH H.
  apply pick_sound in P as (I & T & S & U). apply all_some_in in A as [A B].
  unfold is_sum in S. rewrite !andb_true_iff in S. destruct S as [[[S C] N] O].
  apply negb_true_iff in S. apply Z.eqb_eq in C. apply Z.leb_le in N.
  simpl in U. split.
  - intros (v' & SB & H). exists (put x (v x) v'). split.
    + intros y Y. destruct (Pos.eq_dec y x) as [->|NE]; [apply put_same|]. rewrite put_other by auto.
      apply SB. intros J. apply Y. apply without_in. split; auto. intros [<-|[]]. auto.
    + intros u J. apply B in J as (t & J & R). apply (replaced_without _ _ _ _ _ _ v' R).
      { intros y NE. now apply put_other. }
      apply (replaced_sat _ _ _ _ _ v' R S); [apply H | apply H]; apply U; auto.
  - intros (w & SB & H).
    pose proof (lin_negative _ w _ O) as L.
    set (m := Z.to_nat (turn * (bound_by e - lin_value (others x (sums e)) w))).
    set (v' := put x m w).
    assert (E : holds_of e v').
    { unfold holds_of, sat. rewrite S, (value_split x), C. unfold v'. rewrite put_same.
      rewrite (lin_value_same _ (put x m w) w). 2:{ intros y Y. apply put_other. eapply others_in; eauto. }
      unfold m. rewrite Z2Nat.id by nia. destruct T as [->| ->]; lia. }
    exists v'. split.
    + intros y Y. unfold v'. rewrite put_other. 2:{ intros ->. auto. }
      apply SB. intros J. apply without_in in J. tauto.
    + intros t J. apply U in J as [->|J]; auto. apply A in J as (u & R & J).
      apply (replaced_sat _ _ _ _ _ v' R S E). apply (replaced_without _ _ _ _ _ v' w R); auto.
      intros y NE. now apply put_other.
Qed.

Section Linear.
Variable here : world.
Variable table : automata.
Variable patience : nat.
Variable letters : name -> list nat -> Z -> Prop.
Variable calls : name -> list nat -> Prop.
Notation tr := (true_of letters calls).

Definition adds (p : name) : Prop := forall a b c, calls p [a; b; c] <-> a + b = c.

Variable additions : list name.
Hypothesis additions_add : forall p, In p additions -> adds p.

Definition atom_of (f : form) : option atom :=
  match f with
  | Lin ts s c => Some {| sums := ts; strict := s; bound_by := c |}
  | Pred p [x; y; z] =>
      if mem p additions then Some {| sums := collect [(x, 1%Z); (y, 1%Z); (z, (-1)%Z)]; strict := false; bound_by := 0%Z |}
      else None
  | _ => None
  end.

Opaque collect.

Lemma atom_of_true f t v : atom_of f = Some t -> tr f v <-> holds_of t v.
Proof.
  destruct f as [ts s c| |p [|x [|y [|z [|]]]]| | | |]; try discriminate; cbn [atom_of].
  - intros [= <-]. reflexivity.
  - destruct (mem p additions) eqn:M; try discriminate. intros [= <-]. apply mem_in in M. cbn [true_of map].
    rewrite (additions_add p M (v x) (v y) (v z)). unfold holds_of, sat. cbn [sums strict bound_by]. rewrite collect_value. cbn [lin_value fold_right fst snd]. lia.
Qed.

Transparent collect.

Definition conclusion (f : form) : option atom :=
  let (bound, parts) := parts_of f in
  match all_some (map atom_of parts) with
  | Some ts => match eliminate (length bound) bound ts with Some [t] => Some t | _ => None end
  | None => None
  end.

Lemma conclusion_true f t v : conclusion f = Some t -> tr f v <-> holds_of t v.
Proof.
  unfold conclusion. rewrite (parts_true letters calls f). destruct (parts_of f) as [bound parts]. cbn [fst snd].
  destruct (all_some _) as [ts|] eqn:A; try discriminate.
  destruct (eliminate _ bound ts) as [[|u [|]]|] eqn:E; try discriminate. intros [= ->].
  rewrite block_true. transitivity (all_hold [t] v).
  - rewrite <- (eliminate_sound _ _ _ _ v E). apply all_some_in in A as [A B].
    split; intros (v' & S & H); exists v'; split; auto.
    + intros u I. apply B in I as (f' & I & F). apply (atom_of_true _ _ _ F). auto.
    + intros f' I. apply A in I as (u & F & I). apply (atom_of_true _ _ _ F). auto.
  - unfold all_hold. simpl. split; [auto | intros H u [<-|[]]; auto].
Qed.

Definition rename_atom (s : list (name * name)) (t : atom) : form :=
  linear (map (fun o => (renamed s (fst o), snd o)) (sums t)) (strict t) (bound_by t).

Lemma rename_atom_true s t v : tr (rename_atom s t) v <-> holds_of t (fun x => v (renamed s x)).
Proof.
  unfold rename_atom, holds_of. rewrite linear_true. unfold sat.
  replace (lin_value (map _ (sums t)) v) with (lin_value (sums t) (fun x => v (renamed s x))); [reflexivity|].
  induction (sums t) as [|o l IH]; simpl; auto. now rewrite IH.
Qed.

Definition check_linear (r : part) (gs : list part) (c : claim) (s : list (name * name)) (wanted : form) : bool :=
  match conclusion (fact c) with
  | Some t =>
      form_eqb (rename_atom s t) wanted
      && match s with
         | [] => guarded here table patience gs c && agree here table patience r gs [rel c] []
         | _ => check_rename here table patience r gs c s
         end
  | None => false
  end.

Lemma check_linear_sound_at r gs c s wanted cs v : numbers_at here table cs -> check_linear r gs c s wanted = true ->
  true_at table letters calls (columns_renamed s cs) (fun x => v (renamed s x)) c ->
  true_at table letters calls cs v {| rel := r; guards := gs; fact := wanted |}.
Proof.
  unfold check_linear. destruct (conclusion (fact c)) as [t|] eqn:C; try discriminate.
  intros W H V G. cbn [rel guards fact] in *. apply andb_true_iff in H as [E H]. apply form_eqb_eq in E. subst wanted.
  rewrite rename_atom_true, <- (conclusion_true _ _ _ C). destruct s as [|p s].
  - apply andb_true_iff in H as [K A].
    rewrite (agree_one_at here table patience _ _ _ _ _ A W G (all_have_nil table cs)).
    change (columns_renamed [] cs) with (map (fun c : column => c) cs) in V. rewrite map_id in V.
    apply V. eapply guarded_sound_at; eauto.
  - eapply check_rename_sound_at; eauto.
Qed.

(** ** Addition, by induction *)

Hypothesis classic : excluded_middle.

(** A claim that says that a formula without free variables is true. *)
Definition says (c : claim) (f : form) : bool :=
  match tracks (rel c), guards c with [], [] => true | _, _ => false end
  && accepting (machine (resolve table (rel c))) (Some 1%positive) && form_eqb (fact c) f.

Definition var (x : name) : sum := {| terms := [(1%N, x)]; constant := 0%N |}.
Definition zero : sum := {| terms := []; constant := 0%N |}.

Lemma value_var x v : value (var x) v = v x.
Proof. unfold value, var. simpl. lia. Qed.

Lemma value_zero v : value zero v = 0.
Proof. reflexivity. Qed.

(** v is y+1: the least greater number. *)
Definition next (y v c : name) : formula :=
  And (Compare (var y) Less (var v)) (Not (Exists [c] (And (Compare (var y) Less (var c)) (Compare (var c) Less (var v))))).

Definition plus_zero (p o x z : name) : formula :=
  All [x; z; o] (Implies (Compare (var o) Equal zero) (Iff (Call p [x; o; z]) (Compare (var x) Equal (var z)))).

Definition plus_next (p x y z v w c e : name) : formula :=
  All [x; y; v; z] (Implies (next y v c)
    (Iff (Call p [x; v; z]) (Exists [w] (And (Call p [x; y; w]) (next w z e))))).

Notation mean := (means letters calls).

Lemma next_means y v c u : c <> y -> c <> v -> mean (next y v c) u <-> u v = S (u y).
Proof.
  intros N M. unfold next. cbn [means]. rewrite !value_var. split.
  - intros [L H]. destruct (Nat.eq_dec (u v) (S (u y))) as [|X]; auto. exfalso. apply H.
    exists (put c (S (u y)) u). rewrite !value_var, put_same, !put_other by auto. split; [|lia].
    intros z Z. apply put_other. intros ->. apply Z. now left.
  - intros E. split; [lia|]. intros (u' & S & L). rewrite !value_var in L.
    rewrite (S y), (S v) in L by (intros [|[]]; auto). lia.
Qed.

Lemma plus_next_means p x y z v w c e u0 u : mean (plus_next p x y z v w c e) u0 -> same_but [x; y; v; z] u0 u ->
  mean (next y v c) u ->
  mean (Call p [x; v; z]) u <-> exists u', same_but [w] u u' /\ mean (Call p [x; y; w]) u' /\ mean (next w z e) u'.
Proof. intros M S N. exact (M u S N). Qed.

Definition apart (l : list (name * name)) : bool := forallb (fun t => negb (Pos.eqb (fst t) (snd t))) l.

Lemma apart_not l x y : apart l = true -> In (x, y) l -> x <> y.
Proof.
  unfold apart. rewrite forallb_forall. intros H I. specialize (H _ I). now apply negb_true_iff, Pos.eqb_neq in H.
Qed.

Definition check_addition (c1 c2 : claim) (p : name) (xs : list name) : bool :=
  match xs with
  | [o; x; y; z; v; w; c; e] =>
      apart [(o, x); (o, z); (x, y); (x, z); (x, v); (x, w); (y, z); (y, v); (y, w); (z, v); (z, w); (v, w); (y, c); (v, c); (w, e); (z, e)]
      && match norm (plus_zero p o x z), norm (plus_next p x y z v w c e) with
         | Some f, Some g => says c1 f && says c2 g
         | _, _ => false
         end
  | _ => false
  end.

Lemma check_addition_sound_by c1 c2 p xs : check_addition c1 c2 p xs = true ->
  (forall f v, says c1 f = true -> tr f v) -> (forall f v, says c2 f = true -> tr f v) -> adds p.
Proof.
  unfold check_addition. destruct xs as [|o [|x [|y [|z [|v [|w [|c [|e [|]]]]]]]]]; try discriminate.
  intros H O1 O2. apply andb_true_iff in H as [D H]. 
  destruct (norm (plus_zero p o x z)) as [f|] eqn:F; try discriminate.
  destruct (norm (plus_next p x y z v w c e)) as [g|] eqn:G; try discriminate.
  apply andb_true_iff in H as [S1 S2].
  assert (M1 : forall u, mean (plus_zero p o x z) u).
  { intros u. apply (norm_true _ _ classic _ _ u F). eauto. }
  assert (M2 : forall u, mean (plus_next p x y z v w c e) u).
  { intros u. apply (norm_true _ _ classic _ _ u G). eauto. }
  clear F G S1 S2 O1 O2.
  pose proof (fun a b => apart_not _ a b D) as NE. clear - NE M1 M2.
  assert (o <> x) by (apply NE; simpl; tauto).
  assert (o <> z) by (apply NE; simpl; tauto).
  assert (x <> y) by (apply NE; simpl; tauto).
  assert (x <> z) by (apply NE; simpl; tauto).
  assert (x <> v) by (apply NE; simpl; tauto).
  assert (x <> w) by (apply NE; simpl; tauto).
  assert (y <> z) by (apply NE; simpl; tauto).
  assert (y <> v) by (apply NE; simpl; tauto).
  assert (y <> w) by (apply NE; simpl; tauto).
  assert (z <> v) by (apply NE; simpl; tauto).
  assert (z <> w) by (apply NE; simpl; tauto).
  assert (v <> w) by (apply NE; simpl; tauto).
  assert (y <> c) by (apply NE; simpl; tauto).
  assert (v <> c) by (apply NE; simpl; tauto).
  assert (w <> e) by (apply NE; simpl; tauto).
  assert (z <> e) by (apply NE; simpl; tauto).
  clear NE.
  assert (P0 : forall a b, calls p [a; 0; b] <-> a = b).
  { intros a b. set (u := put x a (put z b (put o 0 (fun _ => 0)))). specialize (M1 (fun _ => 0) u).
    assert (UX : u x = a) by (unfold u; now rewrite put_same).
    assert (UZ : u z = b) by (unfold u; now rewrite put_other, put_same by auto).
    assert (UO : u o = 0) by (unfold u; now rewrite !put_other, put_same by auto).
    cbn [means map] in M1. rewrite !value_var, value_zero, UX, UZ, UO in M1. apply M1; auto.
    intros q Q. unfold u. simpl in Q. rewrite !put_other; auto; intros ->; tauto. }
  assert (PS : forall a b q, calls p [a; S b; q] <-> exists r, calls p [a; b; r] /\ q = S r).
  { intros a b q. set (u := put x a (put y b (put v (S b) (put z q (fun _ => 0))))). specialize (M2 (fun _ => 0)).
    assert (UX : u x = a) by (unfold u; now rewrite put_same).
    assert (UY : u y = b) by (unfold u; now rewrite put_other, put_same by auto).
    assert (UV : u v = S b) by (unfold u; now rewrite !put_other, put_same by auto).
    assert (UZ : u z = q) by (unfold u; now rewrite !put_other, put_same by auto).
    assert (SB : same_but [x; y; v; z] (fun _ => 0) u).
    { intros t T. unfold u. simpl in T. rewrite !put_other; auto; intros ->; tauto. }
    clearbody u.
    assert (NM : mean (next y v c) u) by (apply next_means; auto; rewrite UV, UY; reflexivity).
    pose proof (plus_next_means _ _ _ _ _ _ _ _ _ u M2 SB NM) as M3. clear M2 NM SB.
    cbn [means map] in M3. rewrite UX, UV, UZ in M3. rewrite M3. clear M3. split.
    - intros (u' & SW & A & B). apply next_means in B; auto.
      rewrite (SW x), (SW y), UX, UY in A by (intros [|[]]; auto). rewrite (SW z), UZ in B by (intros [|[]]; auto).
      exists (u' w). auto.
    - intros (r & A & B). exists (put w r u). split. { intros t T. apply put_other. intros ->. apply T. now left. }
      split.
      + rewrite put_same, !put_other, UX, UY by auto. exact A.
      + apply next_means; auto. rewrite put_same, put_other, UZ by auto. exact B. }
  intros a b q. clear - P0 PS. revert q. induction b as [|b IH]; intros q.
  - rewrite P0, Nat.add_0_r. reflexivity.
  - rewrite PS. split; [intros (r & A & ->); apply IH in A; lia | intros E; exists (a + b); split; [apply IH; auto | lia]].
Qed.
End Linear.

(** ** Of claims about all natural numbers *)

Section All.
Variable d : declarations.
Variable pumps : PositiveMap.t pump.
Variable table : automata.
Variable patience : nat.
Hypothesis good : systems_good d pumps = true.
Hypothesis classic : excluded_middle.
Variable additions : list name.
Hypothesis additions_add : forall p, In p additions -> adds (cf d) p.

Lemma check_linear_sound r gs c s wanted : check_linear d table patience additions r gs c s wanted = true ->
  valid d table c -> follows d table r gs wanted.
Proof.
  intros H V v cs W. eapply check_linear_sound_at; eauto using written_numbers. apply V.
  destruct s as [|p s].
  - change (columns_renamed [] cs) with (map (fun c : column => c) cs). now rewrite map_id.
  - apply written_renamed; auto. unfold check_linear in H. destruct (conclusion _ _) as [t|]; try discriminate.
    apply andb_true_iff in H as [_ H]. eauto using rename_systems.
Qed.

Lemma says_true c f v : says table c f = true -> ok d table c -> true_of (lf d) (cf d) f v.
Proof.
  unfold says. intros H [V S]. rewrite !andb_true_iff in H. destruct H as [[T A] E]. apply form_eqb_eq in E. subst f.
  destruct (tracks (rel c)) eqn:TR; try discriminate. destruct (guards c) eqn:GU; try discriminate.
  destruct (can_write d pumps good v) as (cs & W). apply (V v cs W). { rewrite GU. intros q []. }
  simpl in S. apply andb_true_iff in S as [S _]. unfold sound_part, sound_at in S. apply andb_true_iff in S as [Z _].
  unfold has, accepts_columns, accepts, read_by. rewrite <- A. f_equal. rewrite (tracks_names table) in TR.
  destruct (resolve table (rel c)) as [m ns]. simpl in *. subst ns. clear - Z.
  induction cs as [|c cs IH]; auto. cbn [map]. etransitivity; [exact (run_zero _ 0 _ Z) | exact IH].
Qed.

Lemma check_addition_sound c1 c2 p xs : check_addition table c1 c2 p xs = true -> ok d table c1 -> ok d table c2 ->
  adds (cf d) p.
Proof. intros H O1 O2. eapply check_addition_sound_by; eauto using says_true. Qed.
End All.
