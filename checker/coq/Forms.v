(** Formulas in normal form: [|], [=>] and [A] are written by [~], [&] and [E], [E] is lifted out of conjunctions, and
    conjunctions are sorted.  Each function here makes a form that is true exactly if what it stands for is. *)

From Coq Require Import List Bool Arith NArith ZArith PArith Lia.
From Fibcheck Require Import Statements.
Import ListNotations.

Inductive form :=
| Lin (ts : list (name * Z)) (strict : bool) (c : Z) (* the sum of variable * coefficient is c, or less *)
| Letter (w : name) (xs : list name) (a : Z)
| Pred (p : name) (xs : list name)
| Block (bound : list name) (parts : list form) (* E bound . & parts *)
| Neg (f : form)
| Same (f g : form)
| Count (k : N) (bound : list name) (f : form).

(** * Equality and order *)

Section Lists.
Context {A : Type} (compare : A -> A -> Datatypes.comparison).

Fixpoint list_compare (l m : list A) : Datatypes.comparison :=
  match l, m with
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  | a :: l, b :: m => match compare a b with Eq => list_compare l m | c => c end
  end.

(** Into a sorted list, unless it is there. *)
Fixpoint insert (a : A) (l : list A) : list A :=
  match l with
  | [] => [a]
  | b :: m => match compare a b with Eq => l | Lt => a :: l | Gt => b :: insert a m end
  end.

Definition union (l m : list A) : list A := fold_left (fun l a => insert a l) m l.

Definition member (a : A) (l : list A) : bool := existsb (fun b => match compare a b with Eq => true | _ => false end) l.

Hypothesis compare_eq : forall a b, compare a b = Eq -> a = b.

Lemma list_compare_eq l : forall m, list_compare l m = Eq -> l = m.
Proof.
  induction l as [|a l IH]; intros [|b m] H; simpl in H; try discriminate; auto.
  destruct (compare a b) eqn:E; try discriminate. apply compare_eq in E. f_equal; auto.
Qed.

Lemma insert_in a l x : In x (insert a l) <-> x = a \/ In x l.
Proof.
  induction l as [|b m IH]; simpl. { intuition. }
  destruct (compare a b) eqn:E; simpl.
  - apply compare_eq in E. subst. intuition.
  - intuition.
  - rewrite IH. intuition.
Qed.

Lemma union_in m : forall l x, In x (union l m) <-> In x l \/ In x m.
Proof.
  unfold union. induction m as [|a m IH]; intros l x; simpl. { intuition. }
  rewrite IH, insert_in. intuition.
Qed.

Lemma member_in a l : member a l = true -> In a l.
Proof.
  unfold member. rewrite existsb_exists. intros (b & I & H). destruct (compare a b) eqn:E; try discriminate.
  apply compare_eq in E. now subst.
Qed.
End Lists.

Definition pair_compare (a b : name * Z) : Datatypes.comparison :=
  match Pos.compare (fst a) (fst b) with Eq => Z.compare (snd a) (snd b) | c => c end.

Definition bool_compare (a b : bool) : Datatypes.comparison :=
  match a, b with true, false => Gt | false, true => Lt | _, _ => Eq end.

Definition kind (f : form) : nat :=
  match f with
  | Lin _ _ _ => 0 | Letter _ _ _ => 1 | Pred _ _ => 2 | Block _ _ => 3 | Neg _ => 4 | Same _ _ => 5 | Count _ _ _ => 6
  end.

Definition and_then (c d : Datatypes.comparison) : Datatypes.comparison := match c with Eq => d | c => c end.

Fixpoint form_compare (f g : form) {struct f} : Datatypes.comparison :=
  match f, g with
  | Lin ts s c, Lin us t d => and_then (list_compare pair_compare ts us) (and_then (bool_compare s t) (Z.compare c d))
  | Letter w xs a, Letter u ys b => and_then (Pos.compare w u) (and_then (list_compare Pos.compare xs ys) (Z.compare a b))
  | Pred p xs, Pred q ys => and_then (Pos.compare p q) (list_compare Pos.compare xs ys)
  | Block b ps, Block c qs => and_then (list_compare Pos.compare b c) (list_compare form_compare ps qs)
  | Neg f, Neg g => form_compare f g
  | Same f f', Same g g' => and_then (form_compare f g) (form_compare f' g')
  | Count k b f, Count l c g => and_then (N.compare k l) (and_then (list_compare Pos.compare b c) (form_compare f g))
  | _, _ => match Nat.compare (kind f) (kind g) with Eq => Lt | c => c end
  end.

Section Induction.
Variable P : form -> Prop.
Hypotheses (lin : forall ts s c, P (Lin ts s c)) (letter : forall w xs a, P (Letter w xs a))
  (pred : forall p xs, P (Pred p xs)) (block : forall b ps, (forall f, In f ps -> P f) -> P (Block b ps))
  (neg : forall f, P f -> P (Neg f)) (same : forall f g, P f -> P g -> P (Same f g))
  (count : forall k b f, P f -> P (Count k b f)).

Fixpoint form_induction (f : form) : P f :=
  match f with
  | Lin ts s c => lin ts s c
  | Letter w xs a => letter w xs a
  | Pred p xs => pred p xs
  | Block b ps => block b ps ((fix all l : forall f, In f l -> P f :=
      match l with
      | [] => fun f H => match H with end
      | g :: l => fun f H => match H with or_introl E => eq_ind g P (form_induction g) f E | or_intror H => all l f H end
      end) ps)
  | Neg f => neg f (form_induction f)
  | Same f g => same f g (form_induction f) (form_induction g)
  | Count k b f => count k b f (form_induction f)
  end.
End Induction.

Lemma pair_compare_eq a b : pair_compare a b = Eq -> a = b.
Proof.
  destruct a, b. unfold pair_compare. simpl. destruct (Pos.compare p p0) eqn:E; try discriminate.
  apply Pos.compare_eq in E. intros H. apply Z.compare_eq in H. now subst.
Qed.

Lemma and_then_eq c d : and_then c d = Eq -> c = Eq /\ d = Eq.
Proof. destruct c; simpl; auto; discriminate. Qed.

Lemma names_eq (l m : list name) : list_compare Pos.compare l m = Eq -> l = m.
Proof. apply list_compare_eq. apply Pos.compare_eq. Qed.

Lemma form_compare_eq f : forall g, form_compare f g = Eq -> f = g.
Proof.
  induction f using form_induction; intros [] E; simpl in E; try discriminate;
    repeat match goal with H : and_then _ _ = Eq |- _ => apply and_then_eq in H as [? ?] end;
    repeat match goal with
      | H : list_compare Pos.compare _ _ = Eq |- _ => apply names_eq in H
      | H : list_compare pair_compare _ _ = Eq |- _ => apply (list_compare_eq _ pair_compare_eq) in H
      | H : Pos.compare _ _ = Eq |- _ => apply Pos.compare_eq in H
      | H : Z.compare _ _ = Eq |- _ => apply Z.compare_eq in H
      | H : N.compare _ _ = Eq |- _ => apply N.compare_eq in H
      | H : bool_compare ?s ?t = Eq |- _ => destruct s, t; try discriminate; clear H
      end; subst; try (f_equal; auto; fail).
  f_equal. match goal with H : forall f, In f _ -> _ |- _ => rename H into IH end.
  match goal with H : list_compare _ _ _ = Eq |- _ => rename H into L end.
  revert parts L. induction ps as [|f ps IHps]; intros [|g qs] L; simpl in L; try discriminate; auto.
  destruct (form_compare f g) eqn:E; try discriminate.
  apply IH in E; [|now left]. f_equal; auto. apply IHps; auto. intros h Hh. apply IH. now right.
Qed.

Definition form_eqb (f g : form) : bool := match form_compare f g with Eq => true | _ => false end.

Lemma form_eqb_eq f g : form_eqb f g = true -> f = g.
Proof. unfold form_eqb. destruct (form_compare f g) eqn:E; try discriminate. intros _. now apply form_compare_eq. Qed.

(** * Free variables *)

Definition mem (x : name) (l : list name) : bool := existsb (Pos.eqb x) l.
Definition without (bound l : list name) : list name := filter (fun x => negb (mem x bound)) l.
Definition disjoint (l m : list name) : bool := forallb (fun x => negb (mem x m)) l.
Definition subset (l m : list name) : bool := forallb (fun x => mem x m) l.

Lemma mem_in x l : mem x l = true <-> In x l.
Proof.
  unfold mem. rewrite existsb_exists. split; [intros (y & I & E); apply Pos.eqb_eq in E; now subst|].
  intros I. exists x. split; auto. apply Pos.eqb_refl.
Qed.

Lemma mem_not x l : mem x l = false <-> ~ In x l.
Proof. rewrite <- mem_in. destruct (mem x l); intuition congruence. Qed.

Lemma without_in x bound l : In x (without bound l) <-> In x l /\ ~ In x bound.
Proof. unfold without. rewrite filter_In, negb_true_iff, mem_not. tauto. Qed.

Lemma disjoint_not l m x : disjoint l m = true -> In x l -> ~ In x m.
Proof. unfold disjoint. rewrite forallb_forall. intros H I. apply H in I. now apply negb_true_iff, mem_not in I. Qed.

Lemma subset_in l m x : subset l m = true -> In x l -> In x m.
Proof. unfold subset. rewrite forallb_forall. intros H I. now apply mem_in, H. Qed.

Fixpoint free (f : form) : list name :=
  match f with
  | Lin ts _ _ => map fst ts
  | Letter _ xs _ => xs
  | Pred _ xs => xs
  | Block bound parts => without bound (flat_map free parts)
  | Neg f => free f
  | Same f g => free f ++ free g
  | Count _ bound f => without bound (free f)
  end.

(** * Truth *)

Definition excluded_middle := forall P : Prop, P \/ ~ P.

Section Truth.
Variable letters : name -> list nat -> Z -> Prop.
Variable calls : name -> list nat -> Prop.

Definition lin_value (ts : list (name * Z)) (v : values) : Z :=
  fold_right (fun t s => (snd t * Z.of_nat (v (fst t)) + s)%Z) 0%Z ts.

Fixpoint true_of (f : form) (v : values) : Prop :=
  match f with
  | Lin ts strict c => if strict then (lin_value ts v < c)%Z else lin_value ts v = c
  | Letter w xs a => letters w (map v xs) a
  | Pred p xs => calls p (map v xs)
  | Block bound parts => exists v', same_but bound v v' /\ fold_right (fun f P => true_of f v' /\ P) True parts
  | Neg f => ~ true_of f v
  | Same f g => true_of f v <-> true_of g v
  | Count k bound f => exists found : list values,
      length found = N.to_nat k
      /\ pairwise (fun v1 v2 => exists x, In x bound /\ v1 x <> v2 x) found
      /\ forall v', In v' found -> same_but bound v v' /\ true_of f v'
  end.

Definition all_true (fs : list form) (v : values) : Prop := forall f, In f fs -> true_of f v.

Lemma fold_all fs v : fold_right (fun f P => true_of f v /\ P) True fs <-> all_true fs v.
Proof.
  unfold all_true. induction fs as [|f fs IH]; simpl. { intuition. }
  rewrite IH. split; [intros [A B] g [<-|I]; auto | intros H; split; auto].
Qed.

Lemma block_true bound parts v :
  true_of (Block bound parts) v <-> exists v', same_but bound v v' /\ all_true parts v'.
Proof. simpl. split; intros (v' & S & T); exists v'; split; auto; now apply fold_all. Qed.

(** The values v at some variables, and v' at the others. *)
Definition choose (bound : list name) (v v' : values) : values := fun x => if mem x bound then v x else v' x.

Lemma choose_in bound v v' x : In x bound -> choose bound v v' x = v x.
Proof. intros I. unfold choose. apply mem_in in I. now rewrite I. Qed.

Lemma choose_out bound v v' x : ~ In x bound -> choose bound v v' x = v' x.
Proof. intros I. unfold choose. apply mem_not in I. now rewrite I. Qed.

Lemma choose_same bound v v' : same_but bound v' (choose bound v v').
Proof. intros x N. now apply choose_out. Qed.

Lemma in_dec (x : name) l : In x l \/ ~ In x l.
Proof. destruct (mem x l) eqn:E; [left; now apply mem_in | right; now apply mem_not]. Qed.

Lemma lin_value_same ts v v' : (forall x, In x (map fst ts) -> v x = v' x) -> lin_value ts v = lin_value ts v'.
Proof. induction ts as [|t ts IH]; simpl; auto. intros H. rewrite IH, H; auto. Qed.

Lemma pairwise_map {A B} (R : A -> A -> Prop) (S : B -> B -> Prop) (h : A -> B) l :
  (forall a b, In a l -> In b l -> R a b -> S (h a) (h b)) -> pairwise R l -> pairwise S (map h l).
Proof.
  induction l as [|a l IH]; simpl; auto. intros H [P Q]. split.
  - intros b I. apply in_map_iff in I as (c & <- & I). auto.
  - apply IH; auto.
Qed.

Lemma true_same f : forall v v', (forall x, In x (free f) -> v x = v' x) -> true_of f v -> true_of f v'.
Proof.
  induction f using form_induction; intros v v' E T.
  - simpl in *. rewrite <- (lin_value_same ts v v'); auto.
  - simpl in *. rewrite <- (map_ext_in v v'); auto.
  - simpl in *. rewrite <- (map_ext_in v v'); auto.
  - apply block_true in T as (w & S & T). apply block_true. exists (choose b w v').
    split; [apply choose_same|]. intros f I. apply H with (v := w); auto. intros x X.
    destruct (in_dec x b) as [B|B]; [now rewrite choose_in|]. rewrite choose_out, S by auto. apply E.
    simpl. apply without_in. split; auto. apply in_flat_map. eauto.
  - simpl in *. intros N. apply T. apply IHf with (v := v'); auto. intros. symmetry. auto.
  - simpl in *. destruct T as [T U].
    assert (A : forall x, In x (free f1) -> v x = v' x) by (intros; apply E, in_app_iff; auto).
    assert (B : forall x, In x (free f2) -> v x = v' x) by (intros; apply E, in_app_iff; auto).
    split; intros X.
    + apply (IHf2 v); auto. apply T. apply (IHf1 v'); auto. intros. symmetry. auto.
    + apply (IHf1 v); auto. apply U. apply (IHf2 v'); auto. intros. symmetry. auto.
  - simpl in *. destruct T as (found & L & D & T). exists (map (fun w => choose b w v') found).
    split; [now rewrite map_length|]. split.
    + apply (pairwise_map (fun v1 v2 => exists x, In x b /\ v1 x <> v2 x)); auto.
      intros v1 v2 _ _ (x & I & N). exists x. split; auto. now rewrite !choose_in.
    + intros w I. apply in_map_iff in I as (u & <- & I). split; [apply choose_same|].
      destruct (T u I) as [S U]. apply IHf with (v := u); auto. intros x X.
      destruct (in_dec x b) as [B|B]; [now rewrite choose_in|]. rewrite choose_out, S by auto. apply E.
      apply without_in. auto.
Qed.

Lemma true_iff f v v' : (forall x, In x (free f) -> v x = v' x) -> true_of f v <-> true_of f v'.
Proof. split; apply true_same; auto. intros. symmetry. auto. Qed.

(** * Making forms *)

Definition TRUE : form := Block [] [].

Lemma TRUE_true v : true_of TRUE v.
Proof. exists v. split; simpl; auto. intros x. auto. Qed.

Definition parts_of (f : form) : list name * list form :=
  match f with Block bound parts => (bound, parts) | f => ([], [f]) end.

Lemma parts_true f v : true_of f v <-> true_of (Block (fst (parts_of f)) (snd (parts_of f))) v.
Proof.
  assert (A : forall f, true_of f v <-> true_of (Block [] [f]) v).
  { intros g. rewrite block_true. split.
    - intros T. exists v. split; [intros x; auto|]. intros h [<-|[]]. auto.
    - intros (w & S & T). apply true_same with (v := w); [|apply T; now left]. intros x _. apply S. auto. }
  destruct f; simpl fst; simpl snd; try apply A. reflexivity.
Qed.

Lemma parts_free f x : In x (free f) <-> In x (free (Block (fst (parts_of f)) (snd (parts_of f)))).
Proof.
  assert (A : forall f, In x (free f) <-> In x (free (Block [] [f]))).
  { intros g. simpl. rewrite without_in, app_nil_r. simpl. tauto. }
  destruct f; simpl fst; simpl snd; try apply A. reflexivity.
Qed.

Notation block := (list name * list form)%type.

Definition conjoin (b : block) (f : form) : option block :=
  let (bound, parts) := b in
  let (own, ps) := parts_of f in
  if disjoint bound (free f)
  then if forallb (fun p => member form_compare p parts) ps && subset own bound
       then Some b
       else if disjoint own bound && disjoint own (free (Block bound parts))
            then Some (union Pos.compare bound own, union form_compare parts ps)
            else None
  else None.

Lemma names_union l m x : In x (union Pos.compare l m) <-> In x l \/ In x m.
Proof. apply union_in. apply Pos.compare_eq. Qed.

Lemma forms_union l m f : In f (union form_compare l m) <-> In f l \/ In f m.
Proof. apply union_in. apply form_compare_eq. Qed.

Lemma in_block_free bound parts f x : In f parts -> In x (free f) -> ~ In x bound -> In x (free (Block bound parts)).
Proof. intros. simpl. apply without_in. split; auto. apply in_flat_map. eauto. Qed.

Lemma conjoin_true bound parts f b v : conjoin (bound, parts) f = Some b ->
  true_of (Block (fst b) (snd b)) v <-> true_of (Block bound parts) v /\ true_of f v.
Proof.
  unfold conjoin. rewrite (parts_true f).
  pose proof (parts_free f) as PF. destruct (parts_of f) as [own ps]. simpl fst in *. simpl snd in *.
  destruct (disjoint bound (free f)) eqn:D; try discriminate.
  assert (F : forall p x, In p ps -> In x (free p) -> ~ In x own -> ~ In x bound).
  { intros p x P X O B. apply (disjoint_not _ _ _ D B). apply PF. eapply in_block_free; eauto. }
  destruct (forallb _ ps && _) eqn:C.
  - intros [= <-]. simpl fst. simpl snd. split; [|tauto]. intros T. split; auto.
    apply andb_true_iff in C as [C S]. rewrite forallb_forall in C.
    apply block_true in T as (w & B & T). apply block_true. exists (choose own w v).
    split; [apply choose_same|]. intros p P. apply true_same with (v := w).
    + intros x X. destruct (in_dec x own) as [O|O]; [now rewrite choose_in|]. rewrite choose_out by auto.
      apply B. eauto.
    + apply T. apply (member_in form_compare); auto using form_compare_eq.
  - destruct (disjoint own bound && _) eqn:E; try discriminate. intros [= <-]. simpl fst. simpl snd.
    apply andb_true_iff in E as [E G]. rewrite !block_true. split.
    + intros (w & S & T). split.
      * exists (choose bound w v). split; [apply choose_same|]. intros p P. apply true_same with (v := w).
        -- intros x X. destruct (in_dec x bound) as [B|B]; [now rewrite choose_in|]. rewrite choose_out by auto.
           apply S. rewrite names_union. intros [|O]; auto. apply (disjoint_not _ _ _ G O).
           eapply in_block_free; eauto.
        -- apply T. apply forms_union. auto.
      * exists (choose own w v). split; [apply choose_same|]. intros p P. apply true_same with (v := w).
        -- intros x X. destruct (in_dec x own) as [O|O]; [now rewrite choose_in|]. rewrite choose_out by auto.
           apply S. rewrite names_union. intros [|]; eauto. eapply F; eauto.
        -- apply T. apply forms_union. auto.
    + intros [(v1 & S1 & T1) (v2 & S2 & T2)]. exists (choose own v2 (choose bound v1 v)). split.
      * intros x N. rewrite names_union in N. rewrite !choose_out; auto.
      * intros p P. apply forms_union in P as [P|P].
        -- apply true_same with (v := v1); auto. intros x X. destruct (in_dec x bound) as [B|B].
           ++ rewrite choose_out, choose_in; auto. intros O. exact (disjoint_not _ _ _ E O B).
           ++ rewrite !choose_out; auto. intros O. apply (disjoint_not _ _ _ G O). eapply in_block_free; eauto.
        -- apply true_same with (v := v2); auto. intros x X. destruct (in_dec x own) as [O|O].
           ++ now rewrite choose_in.
           ++ rewrite !choose_out; eauto.
Qed.

Definition finish (b : block) : form :=
  match b with
  | ([], [f]) => f
  | (bound, parts) => Block bound parts
  end.

Lemma finish_true b v : true_of (finish b) v <-> true_of (Block (fst b) (snd b)) v.
Proof.
  destruct b as [[|x bound] [|f [|g parts]]]; simpl finish; simpl fst; simpl snd; try reflexivity.
  rewrite block_true. split.
  - intros T. exists v. split; [intros x; auto|]. intros h [<-|[]]. auto.
  - intros (w & S & T). apply true_same with (v := w); [|apply T; now left]. intros x _. apply S. auto.
Qed.

Fixpoint conjoin_all (b : block) (fs : list form) : option block :=
  match fs with
  | [] => Some b
  | f :: fs => match conjoin b f with Some b => conjoin_all b fs | None => None end
  end.

Definition conjunction (fs : list form) : option form := option_map finish (conjoin_all ([], []) fs).

Lemma conjoin_all_true fs : forall b c v, conjoin_all b fs = Some c ->
  true_of (Block (fst c) (snd c)) v <-> true_of (Block (fst b) (snd b)) v /\ all_true fs v.
Proof.
  unfold all_true. induction fs as [|f fs IH]; intros [bound parts] c v H.
  - injection H as <-. simpl In. intuition.
  - cbn [conjoin_all] in H. destruct (conjoin (bound, parts) f) as [d|] eqn:E; try discriminate.
    rewrite (IH _ _ v H), (conjoin_true _ _ _ _ v E). simpl fst. simpl snd. split.
    + intros [[A B] C]. split; auto. intros g [<-|I]; auto.
    + intros [A B]. repeat split; auto; intros; apply B; [now left | now right].
Qed.

Lemma conjunction_true fs f v : conjunction fs = Some f -> true_of f v <-> all_true fs v.
Proof.
  unfold conjunction. destruct (conjoin_all _ fs) as [b|] eqn:E; try discriminate. intros [= <-].
  rewrite finish_true, (conjoin_all_true _ _ _ v E). simpl fst. simpl snd.
  pose proof (TRUE_true v). unfold TRUE in *. tauto.
Qed.

Definition exists_form (bound : list name) (f : form) : form :=
  let fr := free f in
  match union Pos.compare [] (filter (fun x => mem x fr) bound) with
  | [] => f
  | own => let (inner, parts) := parts_of f in Block (union Pos.compare own inner) parts
  end.

Lemma exists_true bound f v : true_of (exists_form bound f) v <-> exists v', same_but bound v v' /\ true_of f v'.
Proof.
  unfold exists_form.
  assert (O : forall x, In x (union Pos.compare [] (filter (fun x => mem x (free f)) bound)) <-> In x bound /\ In x (free f)).
  { intros x. rewrite names_union, filter_In, mem_in. simpl. tauto. }
  destruct (union Pos.compare [] _) as [|y ys] eqn:E.
  - split.
    + intros T. exists v. split; auto. intros x; auto.
    + intros (w & S & T). apply true_same with (v := w); auto. intros x X. apply S. intros B. apply (proj2 (O x)). auto.
  - set (own := y :: ys) in *. clearbody own. clear E y ys.
    setoid_rewrite (parts_true f). pose proof (parts_free f) as PF. destruct (parts_of f) as [inner parts].
    simpl fst in *. simpl snd in *. split.
    + intros T. apply block_true in T as (w & S & T). exists (choose own w v). split.
      * intros x N. apply choose_out. intros X. apply O in X. tauto.
      * apply block_true. exists (choose inner w (choose own w v)). split; [apply choose_same|].
        intros p P. apply true_same with (v := w); auto. intros x X.
        destruct (in_dec x inner) as [I|I]; [now rewrite choose_in|]. rewrite choose_out by auto.
        destruct (in_dec x own) as [J|J]; [now rewrite choose_in|]. rewrite choose_out by auto.
        apply S. rewrite names_union. tauto.
    + intros (w & S & T). apply block_true in T as (u & R & T). apply block_true.
      exists (choose (union Pos.compare own inner) u v). split; [apply choose_same|].
      intros p P. apply true_same with (v := u); auto. intros x X.
      destruct (in_dec x (union Pos.compare own inner)) as [I|I]; [now rewrite choose_in|]. rewrite choose_out by auto.
      rewrite names_union in I. rewrite R by tauto. apply S. intros B. apply I. left. apply O. split; auto.
      apply PF. eapply in_block_free; eauto.
Qed.

(** Sums of variables, by the order of the variables. *)
Fixpoint add_term (x : name) (k : Z) (ts : list (name * Z)) : list (name * Z) :=
  match ts with
  | [] => if (k =? 0)%Z then [] else [(x, k)]
  | (y, l) :: us =>
      match Pos.compare x y with
      | Eq => if (k + l =? 0)%Z then us else (x, (k + l)%Z) :: us
      | Lt => if (k =? 0)%Z then ts else (x, k) :: ts
      | Gt => (y, l) :: add_term x k us
      end
  end.

Lemma add_term_value x k ts v : lin_value (add_term x k ts) v = (k * Z.of_nat (v x) + lin_value ts v)%Z.
Proof.
  induction ts as [|[y l] us IH]; simpl.
  - destruct (Z.eqb_spec k 0); subst; simpl; lia.
  - destruct (Pos.compare x y) eqn:E; simpl.
    + apply Pos.compare_eq in E. subst. destruct (Z.eqb_spec (k + l) 0) as [Z0|]; simpl; nia.
    + destruct (Z.eqb_spec k 0); subst; simpl; lia.
    + rewrite IH. lia.
Qed.

Definition collect (ts : list (name * Z)) : list (name * Z) := fold_right (fun t us => add_term (fst t) (snd t) us) [] ts.

Lemma collect_value ts v : lin_value (collect ts) v = lin_value ts v.
Proof. induction ts as [|t ts IH]; simpl; auto. rewrite add_term_value, IH. reflexivity. Qed.

Definition times (k : Z) (ts : list (name * Z)) : list (name * Z) := map (fun t => (fst t, (k * snd t)%Z)) ts.

Lemma times_value k ts v : lin_value (times k ts) v = (k * lin_value ts v)%Z.
Proof. induction ts as [|t ts IH]; simpl; lia. Qed.

Lemma app_value ts us v : lin_value (ts ++ us) v = (lin_value ts v + lin_value us v)%Z.
Proof. induction ts as [|t ts IH]; simpl; auto. rewrite IH. lia. Qed.

Definition sat (ts : list (name * Z)) (strict : bool) (c : Z) (v : values) : Prop :=
  if strict then (lin_value ts v < c)%Z else lin_value ts v = c.

Definition linear (ts : list (name * Z)) (strict : bool) (c : Z) : form :=
  match collect ts with
  | [] => if (if strict then 0 <? c else c =? 0)%Z then TRUE else Neg TRUE
  | (x, k) :: us => if negb strict && (k <? 0)%Z then Lin (times (-1) ((x, k) :: us)) strict (- c)
                    else Lin ((x, k) :: us) strict c
  end.

Lemma linear_true ts strict c v : true_of (linear ts strict c) v <-> sat ts strict c v.
Proof.
  unfold linear, sat. rewrite <- collect_value. destruct (collect ts) as [|[x k] us].
  - pose proof (TRUE_true v) as T. simpl lin_value. destruct strict.
    + destruct (Z.ltb_spec 0 c); [tauto|]. simpl true_of at 1. split; [intros N; destruct (N T) | lia].
    + destruct (Z.eqb_spec c 0); [subst; tauto|]. simpl true_of at 1. split; [intros N; destruct (N T) | lia].
  - destruct (negb strict && _) eqn:E; [|reflexivity].
    apply andb_true_iff in E as [E _]. destruct strict; try discriminate. cbn [true_of].
    rewrite times_value. lia.
Qed.

Definition negation (f : form) : form :=
  match f with
  | Lin ts true c => linear (times (-1) ts) true (1 - c)
  | Neg f => f
  | f => Neg f
  end.

Hypothesis classic : excluded_middle.

Lemma negation_true f v : true_of (negation f) v <-> ~ true_of f v.
Proof.
  destruct f as [ts [] c| | | | f | |]; try reflexivity.
  - cbn [negation true_of]. rewrite linear_true. unfold sat. rewrite times_value. lia.
  - simpl. destruct (classic (true_of f v)); tauto.
Qed.

Definition strip (f : form) : bool * form := match f with Neg f => (true, f) | f => (false, f) end.

Definition equivalence (f g : form) : form :=
  let (a, f) := strip f in
  let (b, g) := strip g in
  let same := match form_compare f g with Eq => TRUE | Lt => Same f g | Gt => Same g f end in
  if xorb a b then negation same else same.

Lemma strip_true f v : true_of f v <-> if fst (strip f) then ~ true_of (snd (strip f)) v else true_of (snd (strip f)) v.
Proof. destruct f; reflexivity. Qed.

Lemma equivalence_true f g v : true_of (equivalence f g) v <-> (true_of f v <-> true_of g v).
Proof.
  unfold equivalence. rewrite (strip_true f), (strip_true g).
  destruct (strip f) as [a f'], (strip g) as [b g']. cbn [fst snd].
  assert (E : true_of (match form_compare f' g' with Eq => TRUE | Lt => Same f' g' | Gt => Same g' f' end) v
              <-> (true_of f' v <-> true_of g' v)).
  { destruct (form_compare f' g') eqn:E.
    - apply form_compare_eq in E. subst. pose proof (TRUE_true v). tauto.
    - reflexivity.
    - simpl. tauto. }
  destruct (classic (true_of f' v)), (classic (true_of g' v));
    destruct a, b; simpl xorb; cbv iota; rewrite ?negation_true, E; tauto.
Qed.

Definition disjunction (f g : form) : option form :=
  option_map negation (conjunction [negation f; negation g]).

Lemma disjunction_true f g h v : disjunction f g = Some h -> true_of h v <-> true_of f v \/ true_of g v.
Proof.
  unfold disjunction. destruct (conjunction _) as [c|] eqn:E; try discriminate. intros [= <-].
  rewrite negation_true, (conjunction_true _ _ v E). unfold all_true. simpl.
  split.
  - intros A. destruct (classic (true_of f v)), (classic (true_of g v)); auto.
    exfalso. apply A. intros k [<-|[<-|[]]]; now apply negation_true.
  - intros A B. pose proof (B (negation f) (or_introl eq_refl)) as C.
    pose proof (B (negation g) (or_intror (or_introl eq_refl))) as D.
    apply negation_true in C, D. tauto.
Qed.

(** * The normal form of a formula *)

Definition signed (s : sum) : list (name * Z) := map (fun t => (snd t, Z.of_N (fst t))) (terms s).

Definition compare_form (l : sum) (sign : comparison) (r : sum) : form :=
  let ts := signed l ++ times (-1) (signed r) in
  let c := (Z.of_N (constant r) - Z.of_N (constant l))%Z in
  match sign with
  | Less => linear ts true c
  | AtMost => linear ts true (c + 1)
  | Equal => linear ts false c
  | Different => negation (linear ts false c)
  end.

Lemma signed_value s v : Z.of_nat (value s v) = (Z.of_N (constant s) + lin_value (signed s) v)%Z.
Proof.
  unfold value, signed. rewrite Nat2Z.inj_add, N_nat_Z. f_equal. induction (terms s) as [|t ts IH]; simpl; auto.
  rewrite Nat2Z.inj_add, Nat2Z.inj_mul, N_nat_Z, IH. reflexivity.
Qed.

Lemma compare_true l sign r v : true_of (compare_form l sign r) v <-> means letters calls (Compare l sign r) v.
Proof.
  pose proof (signed_value l v). pose proof (signed_value r v).
  unfold compare_form. destruct sign; simpl means; rewrite ?negation_true, linear_true; unfold sat;
    rewrite app_value, times_value; lia.
Qed.

Fixpoint norm (f : formula) : option form :=
  match f with
  | Truth b => Some (if b then TRUE else Neg TRUE)
  | Compare l sign r => Some (compare_form l sign r)
  | LetterAt w xs a => Some (Letter w xs a)
  | Call p xs => Some (Pred p xs)
  | Not f => option_map negation (norm f)
  | And f g => match norm f, norm g with Some f, Some g => conjunction [f; g] | _, _ => None end
  | Or f g => match norm f, norm g with Some f, Some g => disjunction f g | _, _ => None end
  | Implies f g => match norm f, norm g with Some f, Some g => disjunction (negation f) g | _, _ => None end
  | Iff f g => match norm f, norm g with Some f, Some g => Some (equivalence f g) | _, _ => None end
  | Exists bound f => option_map (exists_form bound) (norm f)
  | All bound f => option_map (fun f => negation (exists_form bound (negation f))) (norm f)
  | AtLeast k bound f =>
      match norm f with
      | Some f => if subset bound (free f) && (2 <=? k)%N then Some (Count k (union Pos.compare [] bound) f) else None
      | None => None
      end
  end.

Theorem norm_true f : forall g v, norm f = Some g -> true_of g v <-> means letters calls f v.
Proof.
  induction f; intros h v H; cbn [norm] in H;
    repeat match goal with
      | H : context [norm ?f] |- _ => destruct (norm f); simpl in H; try discriminate
      end.
  - injection H as <-. pose proof (TRUE_true v) as T. simpl means.
    match goal with |- context [if ?b then _ else _] => destruct b end; [tauto|]. simpl true_of.
    split; [intros N; destruct (N T) | discriminate].
  - injection H as <-. apply compare_true.
  - injection H as <-. reflexivity.
  - injection H as <-. reflexivity.
  - injection H as <-. rewrite negation_true. simpl. now rewrite IHf.
  - rewrite (conjunction_true _ _ v H). simpl. rewrite <- (IHf1 _ v eq_refl), <- (IHf2 _ v eq_refl).
    unfold all_true. simpl. split; [intros A; split; apply A; auto | intros [A B] g [<-|[<-|[]]]; auto].
  - rewrite (disjunction_true _ _ _ v H). simpl. now rewrite (IHf1 _ v eq_refl), (IHf2 _ v eq_refl).
  - rewrite (disjunction_true _ _ _ v H). simpl. rewrite negation_true, (IHf1 _ v eq_refl), (IHf2 _ v eq_refl).
    destruct (classic (means letters calls f1 v)); tauto.
  - injection H as <-. rewrite equivalence_true. simpl. now rewrite (IHf1 _ v eq_refl), (IHf2 _ v eq_refl).
  - injection H as <-. rewrite exists_true. simpl. split; intros (w & S & T); exists w; split; auto; eapply IHf; eauto.
  - injection H as <-. rewrite negation_true, exists_true. simpl. split.
    + intros N w S. apply (IHf _ w eq_refl). destruct (classic (true_of f0 w)) as [|X]; auto.
      exfalso. apply N. exists w. split; auto. now apply negation_true.
    + intros A (w & S & T). apply negation_true in T. apply T. apply (IHf _ w eq_refl). auto.
  - destruct (subset _ _ && _); try discriminate. injection H as <-. simpl.
    assert (U : forall x, In x (union Pos.compare [] bound) <-> In x bound).
    { intros x. rewrite names_union. simpl. tauto. }
    assert (PW : forall (R S : values -> values -> Prop) l, (forall a b, R a b -> S a b) -> pairwise R l -> pairwise S l).
    { clear. intros R S l H. induction l; simpl; auto. intros [A B]. split; auto. }
    split; intros (found & L & D & T); exists found; (split; [auto|]); split.
    + revert D. apply PW. intros a b (x & I & N). exists x. split; auto. now apply U.
    + intros w I. destruct (T w I) as [S X]. split; [|now apply (IHf _ w eq_refl)]. intros x N. apply S. now rewrite U.
    + revert D. apply PW. intros a b (x & I & N). exists x. split; auto. now apply U.
    + intros w I. destruct (T w I) as [S X]. split; [|now apply (IHf _ w eq_refl)]. intros x N. apply S. now rewrite <- U.
Qed.

End Truth.
