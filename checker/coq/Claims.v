(** Claims about all natural numbers: the rules that hold at each place hold for all values. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements Numeration Columns Walks Forms.
From Fibcheck Require Export Rules Witnesses.
Import ListNotations.

Definition world_of (d : declarations) : world :=
  {| knows := known d;
     number_of x := Own {| machine := match system_of d x with Some (_, s) => numbers s | None => PositiveMap.empty _ end; names := [x] |};
     system_named := variables d |}.

Coercion world_of : declarations >-> world.

Section Claims.
Variable d : declarations.
Variable pumps : PositiveMap.t pump.
Variable table : automata.
Variable patience : nat.
Hypothesis good : systems_good d pumps = true.
Hypothesis classic : excluded_middle.

Notation has := (has table).
Notation all_have := (all_have table).
Notation guarded := (guarded d table patience).
Notation agree := (agree d table patience).
Notation check_rename := (check_rename d table patience).

Definition lf := letters_of d.
Definition cf := calls_of d (accepted d) (definitions d).
Notation true_in := (true_of lf cf).

Definition valid (c : claim) : Prop := forall v cs, written d cs v -> true_at table lf cf cs v c.

Definition sound_part : part -> bool := sound_at d table.

Definition ok (c : claim) : Prop := valid c /\ forallb sound_part (rel c :: guards c) = true.

(** ** Numbers of a variable *)

Definition is_number (x : name) (cs : list column) : Prop :=
  exists i s, system_of d x = Some (i, s) /\ in_system s (track_of x cs) = true.

Lemma number_has x cs : is_number x cs -> has (number_of d x) cs = true.
Proof.
  intros (i & s & E & H). unfold Rules.has, resolve. cbn [number_of world_of]. rewrite E. unfold in_system in H.
  apply andb_true_iff in H as [_ H]. unfold accepts_columns, read_by. simpl. rewrite <- H. f_equal.
  unfold track_of. now rewrite map_map.
Qed.

Lemma written_number cs v x : written d cs v -> known d x = true -> is_number x cs.
Proof.
  unfold known. destruct (system_of d x) as [[i s]|] eqn:E; try discriminate. intros W _.
  exists i, s. split; auto. apply (W x i s E).
Qed.

Lemma written_numbers cs v : written d cs v -> numbers_at d table cs.
Proof. intros W x K. apply number_has. eapply written_number; eauto. Qed.

Lemma number_has_inv x cs : known d x = true -> has (number_of d x) cs = true -> is_number x cs.
Proof.
  unfold known. destruct (system_of d x) as [[i s]|] eqn:E; try discriminate. intros _ H. exists i, s. split; auto.
  destruct (system_of_good _ _ good _ _ _ E) as (p & G). apply (accepts_in_system s p G). rewrite <- H.
  unfold Rules.has, resolve. cbn [number_of world_of]. rewrite E. unfold accepts_columns, read_by. simpl. f_equal.
  unfold unary, track_of. now rewrite map_map.
Qed.

Lemma guarded_sound ps c cs v : guarded ps c = true -> written d cs v -> all_have ps cs -> all_have (guards c) cs.
Proof. eauto using guarded_sound_at, written_numbers. Qed.

Lemma agree_one r gs o nums cs v : agree r gs [o] nums = true -> written d cs v -> all_have gs cs ->
  all_have nums cs -> has r cs = true <-> has o cs = true.
Proof. eauto using agree_one_at, written_numbers. Qed.

(** ** Witnesses *)

Lemma numbers_writing : writing d table [] (written d).
Proof.
  split.
  - apply written_numbers.
  - intros x y [->|[]]. now left.
  - intros n cs v. now apply (written_zeros d pumps).
  - intros x cs cs' v v' K W W' L V. eapply tracks_equal; eauto.
  - intros x cs cs' v v' K _ W W' T. cbn [knows world_of] in K. unfold known in K.
    destruct (system_of d x) as [[i s]|] eqn:E; [|discriminate].
    destruct (W x i s E) as [_ <-], (W' x i s E) as [_ <-]. now rewrite T.
  - intros ws cs cs' v W L O N.
    exists (fun x => if mem x ws then match system_of d x with Some (_, s) => place s (track_of x cs') | None => v x end else v x). split.
    + intros x i s E. rewrite E. destruct (mem x ws) eqn:M.
      * apply mem_in in M. destruct (N x M) as [_ H]. apply number_has_inv in H as (j & t & E' & I); [|unfold known; now rewrite E].
        rewrite E in E'. injection E' as <- <-. now split.
      * apply mem_not in M. rewrite O by auto. eauto.
    + intros x X. apply mem_not in X. now rewrite X.
Qed.

Lemma witness_true gs c ws v v' : valid c -> guarded gs c = true -> witness table (written d) gs c ws v v' -> true_in (fact c) v'.
Proof. intros V Gd (_ & cs & W & R & G). apply (V v' cs W); auto. eapply guarded_sound; eauto. Qed.

Lemma true_witness gs c bound cs v v' : valid c -> guarded gs c = true -> (forall p, In p gs -> disjoint (tracks p) bound = true) ->
  forallb sound_part gs = true -> written d cs v -> all_have gs cs -> same_but bound v v' -> true_in (fact c) v' ->
  witness table (written d) gs c bound v v'.
Proof.
  intros V Gd D S W G B T. split; auto. destruct (can_write d pumps good v') as (cs' & W'). exists cs'. split; auto.
  assert (G' : all_have gs cs').
  { intros p I. rewrite (accepts_unbound d table [] (written d) numbers_writing bound gs p cs cs' v v'); auto. }
  split; auto. apply (V v' cs' W'); auto. eapply guarded_sound; eauto.
Qed.

(** ** The rules *)

(** A new claim has a relation and guards. *)
Definition follows (r : part) (gs : list part) (f : form) : Prop := valid {| rel := r; guards := gs; fact := f |}.

Lemma check_any_sound r gs f : check_any d table patience gs = true -> follows r gs f.
Proof. intros H v cs W. eapply check_any_sound_at; eauto using written_numbers. Qed.

Lemma check_and_sound r gs of f : check_and d table patience r gs of = true -> (forall c, In c of -> valid c) ->
  conjunction (map fact of) = Some f -> follows r gs f.
Proof.
  intros H V F v cs W. eapply check_and_sound_at; eauto using written_numbers. intros c I. now apply V.
Qed.

Lemma check_not_sound r gs c : check_not d table patience r gs c = true -> valid c -> follows r gs (negation (fact c)).
Proof. intros H V v cs W. eapply check_not_sound_at; eauto using written_numbers. Qed.

Lemma check_iff_sound r gs a b : check_iff d table patience r gs a b = true -> valid a -> valid b ->
  follows r gs (equivalence (fact a) (fact b)).
Proof. intros H V U v cs W. eapply check_iff_sound_at; eauto using written_numbers. Qed.

Lemma check_or_sound r gs of whole : check_or d table patience r gs of whole = true -> (forall c, In c of -> valid c) ->
  follows r gs whole.
Proof.
  intros H V v cs W. eapply check_or_sound_at; eauto using written_numbers. intros c I. now apply V.
Qed.

Lemma renamed_system s x : same_systems d s = true -> system_of d (renamed s x) = system_of d x.
Proof.
  unfold same_systems, renamed. rewrite forallb_forall. intros H. destruct (find _ s) as [[y z]|] eqn:F; auto.
  apply find_some in F as [I E]. simpl in E. apply Pos.eqb_eq in E. subst y. specialize (H _ I). simpl in *.
  unfold system_of. destruct (PositiveMap.find x _), (PositiveMap.find z _); try discriminate.
  apply Pos.eqb_eq in H. now subst.
Qed.

Lemma written_renamed s cs v : same_systems d s = true -> written d cs v ->
  written d (columns_renamed s cs) (fun x => v (renamed s x)).
Proof.
  intros H W x i t E. rewrite track_renamed. apply (W _ i). now rewrite renamed_system.
Qed.

Lemma rename_systems r gs c s : check_rename r gs c s = true -> same_systems d s = true.
Proof. unfold Rules.check_rename. rewrite !andb_true_iff. tauto. Qed.

Lemma check_rename_sound r gs c s v cs : check_rename r gs c s = true -> valid c -> written d cs v -> all_have gs cs ->
  has r cs = true <-> true_in (fact c) (fun x => v (renamed s x)).
Proof.
  intros H V W G. eapply check_rename_sound_at; eauto using written_numbers.
  apply V. apply written_renamed; eauto using rename_systems.
Qed.

Lemma check_share_sound r gs body equation old new f : check_share d table patience r gs body equation old new = true ->
  valid body -> valid equation -> conjunction [fact equation; fact body] = Some f -> follows r gs (exists_form [old] f).
Proof.
  intros H VB VE C v cs W.
  assert (S : same_systems d [(old, new)] = true) by (unfold check_share in H; rewrite !andb_true_iff in H; tauto).
  eapply check_share_sound_at; eauto using written_numbers; [apply VB | apply VE]; now apply written_renamed.
Qed.

Lemma check_definition_sound r gs c ps args b p body :
  check_definition d table patience r gs c ps args b = true -> valid c -> norm body = Some b ->
  (forall ns, cf p ns <-> exists v, map v ps = ns /\ means lf cf body v) -> follows r gs (Pred p args).
Proof.
  intros H V N D v cs W. eapply check_definition_sound_at; eauto using written_numbers.
  apply V. apply written_renamed; auto. unfold check_definition in H. rewrite !andb_true_iff in H.
  destruct H as [_ H]. eauto using rename_systems.
Qed.

End Claims.
