(** Values of variables, written as columns of digits: relations accept the values, however many zeros are in front. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements Numeration.
Import ListNotations.

(** A digit of each variable. *)
Notation column := (name -> nat).

(** The same digits of some variables. *)
Definition alike (kept : list name) (e c : column) : Prop := forall x, In x kept -> e x = c x.

Definition track_of (x : name) (cs : list column) : word := map (fun c => c x) cs.

(** An automaton whose tracks are named. *)
Record relation := { machine : automaton; names : list name }.

Definition read_by (r : relation) (cs : list column) : list letter := map (fun c => map c (names r)) cs.
Definition accepts_columns (r : relation) (cs : list column) : bool := accepts (machine r) (read_by r cs).

Definition zeros (k : nat) : list column := repeat (fun _ => 0) k.

Lemma track_zeros x k cs : track_of x (zeros k ++ cs) = repeat 0 k ++ track_of x cs.
Proof. unfold track_of, zeros. rewrite map_app. f_equal. induction k; simpl; auto. now rewrite IHk. Qed.

Lemma map_constant {A B} (l : list A) (b : B) : map (fun _ => b) l = repeat b (length l).
Proof. induction l; simpl; auto. now rewrite IHl. Qed.

Lemma accepts_zeros r k cs : zero_loop (machine r) (length (names r)) = true ->
  accepts_columns r (zeros k ++ cs) = accepts_columns r cs.
Proof.
  intros H. unfold accepts_columns, accepts, read_by. f_equal. rewrite map_app.
  induction k as [|k IH]; simpl; auto. rewrite map_constant, run_zero; auto.
Qed.

(** Only the tracks that a relation names matter. *)
Lemma read_same r cs cs' : length cs = length cs' -> (forall x, In x (names r) -> track_of x cs = track_of x cs') ->
  read_by r cs = read_by r cs'.
Proof.
  unfold read_by. revert cs'. induction cs as [|c cs IH]; intros [|c' cs'] L H; try discriminate; auto.
  simpl in *. f_equal.
  - apply map_ext_in. intros x Hx. specialize (H x Hx). simpl in H. congruence.
  - apply IH; auto. intros x Hx. specialize (H x Hx). simpl in H. congruence.
Qed.

Lemma accepts_same r cs cs' : length cs = length cs' -> (forall x, In x (names r) -> track_of x cs = track_of x cs') ->
  accepts_columns r cs = accepts_columns r cs'.
Proof. intros. unfold accepts_columns. erewrite read_same; eauto. Qed.

Section Declared.
Variable d : declarations.
(** Why each system has infinitely many numbers. *)
Variable pumps : PositiveMap.t pump.

Definition system_of (x : name) : option (name * system) :=
  match PositiveMap.find x (variables d) with
  | Some i => match PositiveMap.find i (systems d) with Some s => Some (i, s) | None => None end
  | None => None
  end.

Definition systems_good : bool :=
  forallb (fun '(i, s) => match PositiveMap.find i pumps with Some p => well_formed s p | None => false end)
    (PositiveMap.elements (systems d)).

Hypothesis good : systems_good = true.

Lemma system_good i s : PositiveMap.find i (systems d) = Some s -> exists p, well_formed s p = true.
Proof.
  intros H. apply PositiveMap.elements_correct in H. unfold systems_good in good.
  rewrite forallb_forall in good. apply good in H. simpl in H.
  destruct (PositiveMap.find i pumps) as [p|]; try discriminate. eauto.
Qed.

Lemma system_of_good x i s : system_of x = Some (i, s) -> exists p, well_formed s p = true.
Proof.
  unfold system_of. destruct (PositiveMap.find x _) as [n|]; try discriminate.
  destruct (PositiveMap.find n _) eqn:E; try discriminate. intros [= <- <-]. eapply system_good; eauto.
Qed.

(** The tracks of all variables represent their values. *)
Definition written (cs : list column) (v : values) : Prop :=
  forall x i s, system_of x = Some (i, s) -> represents s (track_of x cs) (v x).

Lemma written_zeros k cs v : written cs v -> written (zeros k ++ cs) v.
Proof.
  intros H x i s E. rewrite track_zeros. destruct (system_of_good _ _ _ E) as (p & G).
  eapply represents_zeros; eauto.
Qed.

Definition known (x : name) : bool := match system_of x with Some _ => true | None => false end.

(** Columns that are as long for both, with zeros in front. *)
Definition padded (l : nat) (cs : list column) := zeros (l - length cs) ++ cs.

Lemma padded_length l cs : length cs <= l -> length (padded l cs) = l.
Proof. intros. unfold padded, zeros. rewrite app_length, repeat_length. lia. Qed.

Lemma tracks_equal x cs cs' v v' : known x = true -> written cs v -> written cs' v' -> length cs = length cs' ->
  v x = v' x -> track_of x cs = track_of x cs'.
Proof.
  unfold known. destruct (system_of x) as [[i s]|] eqn:E; try discriminate. intros _ W W' L V.
  destruct (system_of_good _ _ _ E) as (p & G). specialize (W _ _ _ E). specialize (W' _ _ _ E).
  eapply (represents_unique s _ _ (v x) (v' x)); eauto. unfold track_of. now rewrite !map_length.
Qed.

(** All values can be written. *)
Lemma write_some (vars : list name) (v : values) : exists l, forall l', l <= l' -> exists cs, length cs = l' /\
  forall x i s, In x vars -> system_of x = Some (i, s) -> represents s (track_of x cs) (v x).
Proof.
  induction vars as [|y vars IH].
  - exists 0. intros l _. exists (zeros l). split. { apply repeat_length. } intros x i s [].
  - destruct IH as (l & IH). destruct (system_of y) as [[j t]|] eqn:E.
    + destruct (system_of_good _ _ _ E) as (p & G). destruct (represented t p G (v y)) as (m & R).
      exists (max l m). intros l' H. destruct (IH l') as (cs & L & W). { lia. }
      destruct (R l') as (w & Lw & Rw). { lia. }
      set (put := fun (t : column * nat) => fun x => if Pos.eqb x y then snd t else fst t x).
      exists (map put (combine cs w)). split. { rewrite map_length, combine_length. lia. }
      assert (A : track_of y (map put (combine cs w)) = w).
      { unfold track_of. rewrite map_map. unfold put. rewrite Pos.eqb_refl.
        clear - L Lw. subst l'. revert w Lw. induction cs; intros [|b w] Lw; simpl in *; try discriminate; auto.
        f_equal. auto. }
      assert (B : forall x, x <> y -> track_of x (map put (combine cs w)) = track_of x cs).
      { intros x N. unfold track_of. rewrite map_map. unfold put. apply Pos.eqb_neq in N. rewrite N.
        clear - L Lw. subst l'. revert w Lw. induction cs; intros [|b w] Lw; simpl in *; try discriminate; auto.
        f_equal. auto. }
      intros x i s Hx Es. destruct (Pos.eq_dec x y) as [->|N].
      * rewrite A. rewrite E in Es. injection Es as <- <-. auto.
      * rewrite B by auto. destruct Hx as [->|Hx]; [contradiction|eauto].
    + exists l. intros l' H. destruct (IH l' H) as (cs & L & W). exists cs. split; auto.
      intros x i s [<-|Hx] Es; eauto. congruence.
Qed.

Lemma can_write v : exists cs, written cs v.
Proof.
  destruct (write_some (map fst (PositiveMap.elements (variables d))) v) as (l & H).
  destruct (H l (le_n l)) as (cs & _ & W). exists cs. intros x i s E. eapply W; eauto.
  unfold system_of in E. destruct (PositiveMap.find x _) as [n|] eqn:F; try discriminate.
  apply PositiveMap.elements_correct in F. apply in_map_iff. exists (x, n). auto.
Qed.

End Declared.
