(** Recursions: predicates are the only solution of their equations, by induction on a measure. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements Numeration Columns Walks Forms Definitions Claims Linear.
Import ListNotations.

(** ** Predicates that a form calls *)

Fixpoint called_in (f : form) : list name :=
  match f with
  | Lin _ _ _ | Letter _ _ _ => []
  | Pred p _ => [p]
  | Block _ parts => flat_map called_in parts
  | Neg f | Count _ _ f => called_in f
  | Same f g => called_in f ++ called_in g
  end.

Lemma same_calls lf c1 c2 f : (forall p, In p (called_in f) -> forall ns, c1 p ns <-> c2 p ns) ->
  forall v, true_of lf c1 f v <-> true_of lf c2 f v.
Proof.
  induction f using form_induction; intros C v; cbn [called_in] in C.
  - reflexivity.
  - reflexivity.
  - simpl. apply C. now left.
  - rewrite !block_true. split; intros (w & S & T); exists w; (split; [exact S|]); intros f I;
      apply (H f I); auto; intros p P; apply C; apply in_flat_map; eauto.
  - simpl. now rewrite (IHf C v).
  - simpl. rewrite (IHf1 (fun p I => C p (in_or_app _ _ _ (or_introl I))) v).
    now rewrite (IHf2 (fun p I => C p (in_or_app _ _ _ (or_intror I))) v).
  - simpl. split; intros (found & L & D & T); exists found; (split; [exact L|]); (split; [exact D|]);
      intros w I; split; try apply T; auto; apply (IHf C w); apply T; auto.
Qed.

(** ** Measures *)

(** A predicate of a recursion: its equation is at a place, and its measure is a sum with these weights. *)
Record measured := { about : name; place : nat; weights : list N }.

Definition weigh (ws : list N) (xs : list name) : list (name * Z) := combine xs (map Z.of_N ws).
Definition total (ws : list N) (ns : list nat) : nat := list_sum (map (fun t => N.to_nat (fst t) * snd t) (combine ws ns)).

Lemma weigh_value ws v : forall xs, lin_value (weigh ws xs) v = Z.of_nat (total ws (map v xs)).
Proof.
  unfold weigh, total. induction ws as [|w ws IH]; intros [|x xs]; simpl; auto.
  rewrite IH, Nat2Z.inj_add, Nat2Z.inj_mul, N_nat_Z. reflexivity.
Qed.

Definition bonus (m own : measured) : nat := if place m <? place own then 1 else 0.

(** The measure of a call is less than here, or equal if its predicate has an earlier place. *)
Definition down (m own : measured) (xs here : list name) : form :=
  linear (weigh (weights m) xs ++ times (-1) (weigh (weights own) here)) true (Z.of_nat (bonus m own)).

Lemma down_true lf cf m own xs here v : true_of lf cf (down m own xs here) v <->
  total (weights m) (map v xs) < total (weights own) (map v here) + bonus m own.
Proof. unfold down. rewrite linear_true. unfold sat. rewrite app_value, times_value, !weigh_value. lia. Qed.

(** ** Copies of a form

    In the lower copy a call that does not go down counts as false where it helps, as true where it hinders; in the upper
    copy the other way round. *)

Section Copies.
Variables (ms : list measured) (own : measured) (here : list name).
Notation solved := (map about ms).

Definition measure_of (p : name) : option measured := find (fun m => Pos.eqb (about m) p) ms.

Fixpoint copied (lower : bool) (f : form) {struct f} : option form :=
  if disjoint (called_in f) solved then Some f else
  match f with
  | Pred p xs =>
      match measure_of p with
      | Some m =>
          if length xs =? length (weights m)
          then if lower then conjunction [f; down m own xs here] else disjunction f (negation (down m own xs here))
          else None
      | None => None
      end
  | Block bound parts =>
      if disjoint bound here
      then match all_some (map (copied lower) parts) with
           | Some ps => option_map (exists_form bound) (conjunction ps)
           | None => None
           end
      else None
  | Neg f => option_map negation (copied (negb lower) f)
  | Same f g =>
      match copied lower f, copied (negb lower) f, copied lower g, copied (negb lower) g with
      | Some f1, Some f2, Some g1, Some g2 =>
          match conjunction [f2; negation g1], conjunction [g2; negation f1] with
          | Some a, Some b => conjunction [negation a; negation b]
          | _, _ => None
          end
      | _, _, _, _ => None
      end
  | Count k bound f => if disjoint bound here then option_map (Count k bound) (copied lower f) else None
  | f => Some f
  end.

(** What the predicates are, and what other solutions are. *)
Variable lf : name -> list nat -> Z -> Prop.
Variables c1 c2 : name -> list nat -> Prop.
Hypothesis classic : excluded_middle.
Variable u : values.
Hypothesis below : forall m, In m ms -> forall ns, length ns = length (weights m) ->
  total (weights m) ns < total (weights own) (map u here) + bonus m own -> c1 (about m) ns <-> c2 (about m) ns.

Notation T1 := (true_of lf c1).
Notation T2 := (true_of lf c2).

Lemma conjunction_two c a b f v : conjunction [a; b] = Some f -> true_of lf c f v <-> true_of lf c a v /\ true_of lf c b v.
Proof.
  intros H. rewrite (conjunction_true _ _ _ _ v H). unfold all_true. simpl. split; [intros A; split; apply A; auto|].
  intros [A B] g [<-|[<-|[]]]; auto.
Qed.

Definition bounds (lower : bool) (f g : form) (v : values) : Prop := if lower then T1 g v -> T2 f v else T2 f v -> T1 g v.

Lemma copied_sound f : (forall p, In p (called_in f) -> ~ In p solved -> forall ns, c1 p ns <-> c2 p ns) ->
  forall lower g v, copied lower f = Some g -> (forall x, In x here -> v x = u x) -> bounds lower f g v.
Proof.
  induction f using form_induction; intros O lower g v E0 A; try rename H into IH; rename E0 into H.
  all: cbn [copied] in H; match type of H with (if ?b then _ else _) = _ => destruct b eqn:D end;
    [injection H as <-;
     match goal with |- bounds _ ?f _ _ =>
       assert (E : T1 f v <-> T2 f v) by (apply same_calls; intros q Q; apply O; auto; eapply disjoint_not; eauto)
     end; unfold bounds; destruct lower; apply E |].
  - discriminate.
  - discriminate.
  - clear O D. destruct (measure_of p) as [m|] eqn:M; try discriminate.
    destruct (Nat.eqb_spec (length xs) (length (weights m))) as [L|]; try discriminate.
    unfold measure_of in M. apply find_some in M as [I M]. apply Pos.eqb_eq in M. subst p.
    assert (E : T1 (down m own xs here) v -> c1 (about m) (map v xs) <-> c2 (about m) (map v xs)).
    { intros X. apply down_true in X. apply below; auto. { now rewrite map_length. }
      now rewrite <- (map_ext_in v u here A). }
    destruct lower; unfold bounds.
    + intros X. apply (conjunction_two _ _ _ _ v H) in X as [X Y]. simpl in X. simpl. now apply E.
    + intros X. apply (disjunction_true _ _ classic _ _ _ v H). rewrite negation_true by auto.
      destruct (classic (T1 (down m own xs here) v)) as [Y|]; auto. left. simpl in *. now apply E.
  - destruct (disjoint b here) eqn:B; try discriminate.
    destruct (all_some _) as [gs|] eqn:S; try discriminate. destruct (conjunction gs) as [h|] eqn:C; try discriminate.
    injection H as <-. apply all_some_in in S as [S1 S2].
    assert (W : forall w, same_but b v w -> forall x, In x here -> w x = u x).
    { intros w SB x X. rewrite SB; auto. intros Y. exact (disjoint_not _ _ _ B Y X). }
    assert (OO : forall f, In f ps -> forall p, In p (called_in f) -> ~ In p solved -> forall ns, c1 p ns <-> c2 p ns).
    { intros f F p P. apply O. apply in_flat_map. eauto. }
    destruct lower; unfold bounds.
    + intros X. apply exists_true in X as (w & SB & X). apply (conjunction_true _ _ _ _ w C) in X.
      apply block_true. exists w. split; auto. intros f F. destruct (S1 f F) as (g & E & G).
      apply (IH f F (OO f F) true g w); auto; eapply W; eauto.
    + intros X. apply block_true in X as (w & SB & X). apply exists_true. exists w. split; auto.
      apply (conjunction_true _ _ _ _ w C). intros g G. destruct (S2 g G) as (f & F & E).
      apply (IH f F (OO f F) false g w); auto; eapply W; eauto.
  - destruct (copied (negb lower) f) as [h|] eqn:C; try discriminate. injection H as <-.
    specialize (IHf O _ _ _ C A). destruct lower; unfold bounds in *; simpl negb in *; cbv iota in *;
      rewrite negation_true by auto; simpl; tauto.
  - destruct (copied lower f1) as [g1|] eqn:C1; try discriminate.
    destruct (copied (negb lower) f1) as [g2|] eqn:C2; try discriminate.
    destruct (copied lower f2) as [h1|] eqn:C3; try discriminate.
    destruct (copied (negb lower) f2) as [h2|] eqn:C4; try discriminate.
    destruct (conjunction [g2; _]) as [a|] eqn:E1; try discriminate.
    destruct (conjunction [h2; _]) as [b|] eqn:E2; try discriminate.
    assert (O1 : forall p, In p (called_in f1) -> ~ In p solved -> forall ns, c1 p ns <-> c2 p ns).
    { intros p P. apply O. cbn [called_in]. apply in_app_iff. auto. }
    assert (O2 : forall p, In p (called_in f2) -> ~ In p solved -> forall ns, c1 p ns <-> c2 p ns).
    { intros p P. apply O. cbn [called_in]. apply in_app_iff. auto. }
    pose proof (IHf1 O1 _ _ _ C1 A) as K1. pose proof (IHf1 O1 _ _ _ C2 A) as K2.
    pose proof (IHf2 O2 _ _ _ C3 A) as K3. pose proof (IHf2 O2 _ _ _ C4 A) as K4.
    assert (G : T1 g v <-> ~ (T1 g2 v /\ ~ T1 h1 v) /\ ~ (T1 h2 v /\ ~ T1 g1 v)).
    { rewrite (conjunction_two _ _ _ _ v H), !negation_true by auto.
      rewrite (conjunction_two _ _ _ _ v E1), (conjunction_two _ _ _ _ v E2), !negation_true by auto. reflexivity. }
    destruct (classic (T1 g1 v)), (classic (T1 g2 v)), (classic (T1 h1 v)), (classic (T1 h2 v));
      destruct lower; unfold bounds in *; simpl negb in *; cbv iota in *; rewrite G; cbn [true_of]; tauto.
  - destruct (disjoint b here) eqn:B; try discriminate. destruct (copied lower f) as [h|] eqn:C; try discriminate.
    injection H as <-.
    assert (K : forall w, same_but b v w -> bounds lower f h w).
    { intros w SB. apply IHf; auto. intros x X. rewrite SB; auto. intros Y. exact (disjoint_not _ _ _ B Y X). }
    destruct lower; unfold bounds in *; simpl; intros (found & L & N & T); exists found; (split; [exact L|]);
      (split; [exact N|]); intros w I; destruct (T w I) as [SB X]; split; auto.
Qed.
End Copies.

(** ** The rule *)

(** The places of equations are their numbers. *)
Fixpoint measured_from (n : nat) (es : list definition) (ws : list (list N)) : option (list (definition * measured)) :=
  match es, ws with
  | [], [] => Some []
  | e :: es, w :: ws =>
      option_map (cons (e, {| about := defined e; place := n; weights := w |})) (measured_from (S n) es ws)
  | _, _ => None
  end.

Lemma measured_from_in es : forall n ws l, measured_from n es ws = Some l ->
  map fst l = es /\ map about (map snd l) = map defined es /\ forall e m, In (e, m) l -> about m = defined e.
Proof.
  induction es as [|e es IH]; intros n [|w ws] l H; cbn [measured_from] in H; try discriminate.
  - injection H as <-. repeat split. intros e m [].
  - destruct (measured_from (S n) es ws) as [k|] eqn:E; try discriminate. injection H as <-.
    destruct (IH _ _ _ E) as (A & B & C). cbn [map fst snd about]. repeat split; try congruence.
    intros e' m [[= <- <-]|I]; auto.
Qed.

Fixpoint no_twice (l : list name) : bool := match l with [] => true | x :: l => negb (mem x l) && no_twice l end.

Lemma values_of xs : no_twice xs = true -> forall ns, length ns = length xs -> exists v : values, map v xs = ns.
Proof.
  induction xs as [|x xs IH]; intros N [|n ns] L; try discriminate. { exists (fun _ => 0). reflexivity. }
  cbn [no_twice] in N. apply andb_true_iff in N as [X N]. apply negb_true_iff, mem_not in X.
  destruct (IH N ns) as (v & <-). { simpl in L. lia. }
  exists (put x n v). simpl. rewrite put_same. f_equal. apply map_ext_in. intros y Y. apply put_other. congruence.
Qed.

Section Recursion.
Variable d : declarations.
Variable pumps : PositiveMap.t pump.
Variable table : automata.
Hypothesis good : systems_good d pumps = true.
Hypothesis classic : excluded_middle.
Notation lf := (letters_of d).
Notation cf := (cf d).

(** It is claimed, for all values of these variables, that F implies G. *)
Definition implied (of : list claim) (xs : list name) (f g : form) : bool :=
  match conjunction [f; negation g] with
  | Some h => existsb (fun c => says table c (negation (exists_form xs h))) of
  | None => false
  end.

Lemma implied_true of xs f g v : implied of xs f g = true -> (forall c, In c of -> ok d table c) ->
  true_of lf cf f v -> true_of lf cf g v.
Proof.
  unfold implied. destruct (conjunction _) as [h|] eqn:C; try discriminate. intros H O F.
  apply existsb_exists in H as (c & I & S). apply (says_true d pumps table good c _ v S) in O; auto.
  apply negation_true in O; auto. destruct (classic (true_of lf cf g v)) as [|N]; auto. exfalso. apply O.
  apply exists_true. exists v. split; [intros x; auto|]. apply (conjunction_two lf cf _ _ _ v C). split; auto.
  now apply negation_true.
Qed.

Definition check_equation (l : list (definition * measured)) (of : list claim) (t : definition * measured) : bool :=
  let (e, own) := t in
  let ms := map snd l in
  let solved := map about ms in
  let xs := parameters e in
  (length xs =? length (weights own)) && no_twice xs && negb (existsb (fun f => Pos.eqb (defined f) (defined e)) (definitions d))
  && match norm (body e) with
     | Some b =>
         subset (free b) xs
         && forallb (fun p => mem p solved || negb (mem p (touched solved (definitions d)))) (called_in b)
         && match copied ms own xs true b, copied ms own xs false b with
            | Some lower, Some upper => implied of xs (Pred (defined e) xs) lower && implied of xs upper (Pred (defined e) xs)
            | _, _ => false
            end
     | None => false
     end.

Definition check_recursion (of : list claim) (es : list definition) (ws : list (list N)) : bool :=
  match measured_from 0 es ws with
  | Some l => forallb (check_equation l of) l
  | None => false
  end.

Lemma check_recursion_sound of es ws : check_recursion of es ws = true -> (forall c, In c of -> ok d table c) ->
  only_solution d es.
Proof.
  unfold check_recursion. destruct (measured_from 0 es ws) as [l|] eqn:M; try discriminate. intros H O.
  apply measured_from_in in M as (Mf & Ms & Ma). set (ms := map snd l) in *.
  assert (K : forall e own, In (e, own) l ->
    length (parameters e) = length (weights own) /\ no_twice (parameters e) = true
    /\ (forall base ns, calls_of d base (definitions d) (defined e) ns <-> base (defined e) ns)
    /\ forall others, (forall p, ~ In p (map defined es) -> forall ns, others p ns <-> accepted d p ns) ->
       forall u, (forall m, In m ms -> forall ns, length ns = length (weights m) ->
                  total (weights m) ns < total (weights own) (map u (parameters e)) + bonus m own ->
                  cf (about m) ns <-> calls_of d others (definitions d) (about m) ns) ->
       cf (defined e) (map u (parameters e)) <-> means lf (calls_of d others (definitions d)) (body e) u).
  { intros e own I. rewrite forallb_forall in H. specialize (H _ I). unfold check_equation in H. fold ms in H.
    rewrite !andb_true_iff in H. destruct H as [[[L N] D] H]. apply Nat.eqb_eq in L.
    apply negb_true_iff in D. destruct (norm (body e)) as [b|] eqn:B; try discriminate.
    rewrite !andb_true_iff in H. destruct H as [[_ C] H]. rewrite forallb_forall in C.
    destruct (copied ms own _ true b) as [lower|] eqn:CL; try discriminate.
    destruct (copied ms own _ false b) as [upper|] eqn:CU; try discriminate.
    apply andb_true_iff in H as [IL IU]. repeat split; auto.
    { apply calls_of_base; auto. }
    { apply calls_of_base; auto. }
    { intros X. apply (norm_true lf _ classic _ _ u B).
      apply (implied_true _ _ _ _ u IL O) in X.
      refine (copied_sound ms own (parameters e) lf cf _ classic u _ b _ true lower u CL _ X); auto.
      intros p P NP ns. apply C in P. symmetry. apply (untouched d (map about ms)); [rewrite Ms; auto|].
      apply orb_true_iff in P as [P|P]; [apply mem_in in P; contradiction | now apply negb_true_iff, mem_not in P]. }
    { intros X. apply (norm_true lf _ classic _ _ u B) in X.
      apply (implied_true _ _ _ _ u IU O).
      refine (copied_sound ms own (parameters e) lf cf _ classic u _ b _ false upper u CU _ X); auto.
      intros p P NP ns. apply C in P. symmetry. apply (untouched d (map about ms)); [rewrite Ms; auto|].
      apply orb_true_iff in P as [P|P]; [apply mem_in in P; contradiction | now apply negb_true_iff, mem_not in P]. } }
  clear H O.
  assert (P : forall e, In e es -> exists m, In (e, m) l).
  { intros e I. rewrite <- Mf in I. apply in_map_iff in I as ([e' m] & <- & I). eauto. }
  assert (R : forall m, In m ms -> exists e, In (e, m) l).
  { intros m I. apply in_map_iff in I as ([e m'] & <- & I). eauto. }
  split.
  - intros e I v. destruct (P e I) as (own & J). destruct (K e own J) as (_ & _ & B & S).
    rewrite <- (B (accepted d)). apply S; reflexivity.
  - intros others A S e I v. destruct (P e I) as (own & J).
    enough (G : forall t p e m ns, In (e, m) l -> length ns = length (weights m) -> total (weights m) ns = t -> place m = p ->
              cf (about m) ns <-> calls_of d others (definitions d) (about m) ns).
    { destruct (K e own J) as (L & _ & B & _). rewrite <- (B others), <- (B (accepted d)). symmetry.
      rewrite <- (Ma e own J). apply (G (total (weights own) (map v (parameters e))) (place own) e own); auto.
      now rewrite map_length. }
    clear e I own J v. intros t. induction t as [t IHt] using lt_wf_ind. intros p. induction p as [p IHp] using lt_wf_ind.
    intros e m ns J L T Q. destruct (K e m J) as (L' & N & B & E).
    destruct (values_of _ N ns) as (v & <-). { congruence. }
    assert (I : In e es). { rewrite <- Mf. apply in_map_iff. exists (e, m). auto. }
    rewrite (Ma e m J), (B others), (S e I v). apply E; auto.
    intros m' I' ns' Len D. destruct (R m' I') as (e' & J').
    unfold bonus in D. destruct (Nat.ltb_spec (place m') (place m)).
    + destruct (le_lt_eq_dec (total (weights m') ns') t) as [Z|Z]; [lia| |].
      * apply (IHt _ Z (place m') e'); auto.
      * apply (IHp (place m')) with (e := e'); auto. lia.
    + apply (IHt (total (weights m') ns') ltac:(lia) (place m') e'); auto.
Qed.
End Recursion.
