(** Claims about a family: what holds beside all beginnings of a sequence but finitely many, by the rules at each place. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements FamilyStatements Numeration Columns Walks Forms Definitions Claims Atoms Linear FamilyNumeration.
Import ListNotations.

Section Claims.
Variables (f : family) (d : declarations).
(** The track of beginnings, which is no variable; and for each system the states after a number of the sequence. *)
Variables (parameter : name) (ends : PositiveMap.t (list positive)).
Variable table : automata.
Variable patience : nat.

Definition family_world : world :=
  {| knows x := Pos.eqb x parameter || known d x;
     number_of x :=
       if Pos.eqb x parameter then Own {| machine := begun f true; names := [parameter] |}
       else Own {| machine := match system_of d x with Some (_, s) => numbers s | None => PositiveMap.empty _ end;
                   names := [x; parameter] |};
     system_named := variables d |}.

Definition family_good : bool :=
  match PositiveMap.find parameter (variables d) with Some _ => false | None => true end
  && forallb (fun '(i, s) => match PositiveMap.find i ends with Some e => system_beside f s e patience | None => false end)
       (PositiveMap.elements (systems d)).

Definition sound_part_beside : part -> bool := sound_at family_world table.

Hypothesis good : family_good = true.

Lemma parameter_not : system_of d parameter = None.
Proof.
  unfold family_good in good. apply andb_true_iff in good as [G _]. unfold system_of.
  destruct (PositiveMap.find parameter (variables d)); [discriminate | reflexivity].
Qed.

Lemma system_not x i s : system_of d x = Some (i, s) -> x <> parameter.
Proof. intros H ->. rewrite parameter_not in H. discriminate. Qed.

Lemma declared_beside i s : PositiveMap.find i (systems d) = Some s -> exists e, system_beside f s e patience = true.
Proof.
  intros H. apply PositiveMap.elements_correct in H. unfold family_good in good. apply andb_true_iff in good as [_ G].
  rewrite forallb_forall in G. apply G in H. destruct (PositiveMap.find i ends) as [e|]; [eauto | discriminate].
Qed.

Lemma system_of_beside x i s : system_of d x = Some (i, s) -> exists e, system_beside f s e patience = true.
Proof.
  unfold system_of. destruct (PositiveMap.find x _) as [n|]; try discriminate.
  destruct (PositiveMap.find n _) eqn:E; try discriminate. intros [= <- <-]. eapply declared_beside; eauto.
Qed.

Section Along.
Variable a : nat -> nat.
Hypothesis here : in_family f a.
Notation b := (beginning f a).

(** Columns of a beginning, with zeros in front, and of the words of all values beside it. *)
Definition written_along (n : nat) (cs : list column) (v : values) : Prop :=
  1 <= n /\ exists k, track_of parameter cs = repeat 0 k ++ b n
  /\ forall x i s, system_of d x = Some (i, s) -> exists w, track_of x cs = repeat 0 k ++ w /\ represents_beside s (b n) w (v x).

Lemma begun_in_front k n : accepts (begun f true) (unary (repeat 0 k ++ b (S n))) = true.
Proof.
  induction k as [|k IH]; [apply (begun_accepts f a here true n)|]. cbn [repeat app]. change (unary (0 :: repeat 0 k ++ b (S n))) with (repeat 0 1 :: unary (repeat 0 k ++ b (S n))).
  unfold accepts in *. rewrite run_zero by apply begun_loop. exact IH.
Qed.

Lemma numbers_along n cs v : written_along n cs v -> numbers_at family_world table cs.
Proof.
  intros (N & k & P & W) x K. cbn [knows family_world] in K. unfold has, accepts_columns. cbn [number_of family_world].
  destruct (Pos.eqb_spec x parameter) as [EP|NE]; cbn [resolve machine].
  - rewrite read_one, P. destruct n as [|n]; [lia|]. apply begun_in_front.
  - cbn [orb] in K. unfold known in K. destruct (system_of d x) as [[i s]|] eqn:E; [|discriminate].
    destruct (W x i s E) as (w & T & R). apply represents_rank in R as [R _]. destruct (number_beside_inv _ _ _ R) as (L & _ & A).
    destruct (system_of_beside _ _ _ E) as (e & G). rewrite read_two, P, T, (accepts_in_front f s e patience G) by auto. exact A.
Qed.

Lemma written_zeros_along j n cs v : written_along n cs v -> written_along n (zeros j ++ cs) v.
Proof.
  intros (N & k & P & W). split; auto. exists (j + k). rewrite repeat_app, <- app_assoc, track_zeros, P. split; auto.
  intros x i s E. destruct (W x i s E) as (w & T & R). exists w. rewrite track_zeros, T, app_assoc. auto.
Qed.

Lemma skipn_zeros k (w : word) : skipn k (repeat 0 k ++ w) = w.
Proof. induction k as [|k IH]; simpl; auto. Qed.

Lemma written_alike n cs cs' v v' : written_along n cs v -> written_along n cs' v' -> length cs = length cs' ->
  exists k, track_of parameter cs = repeat 0 k ++ b n /\ track_of parameter cs' = repeat 0 k ++ b n
  /\ forall x i s, system_of d x = Some (i, s) -> exists w w', track_of x cs = repeat 0 k ++ w /\ track_of x cs' = repeat 0 k ++ w'
       /\ represents_beside s (b n) w (v x) /\ represents_beside s (b n) w' (v' x).
Proof.
  intros (_ & k & P & W) (_ & k' & P' & W') L. assert (k = k').
  { apply (f_equal (@length nat)) in P, P'. unfold track_of in P, P'. rewrite app_length, repeat_length, map_length in P, P'. lia. }
  subst k'. exists k. split; [exact P|]. split; [exact P'|]. intros x i s E.
  destruct (W x i s E) as (w & T & R), (W' x i s E) as (w' & T' & R'). eauto 6.
Qed.

(** The digits of a number beside a beginning that has zeros in front. *)
Lemma number_in_front x i s n k cs : system_of d x = Some (i, s) -> has table (number_of family_world x) cs = true ->
  track_of parameter cs = repeat 0 k ++ b n ->
  exists w, track_of x cs = repeat 0 k ++ w /\ number_beside s (b n) w = true.
Proof.
  intros E H P. cbn [number_of family_world] in H. pose proof (proj2 (Pos.eqb_neq _ _) (system_not _ _ _ E)) as NE. rewrite NE in H.
  unfold has, accepts_columns in H. cbn [resolve machine] in H. rewrite E, read_two, P in H.
  destruct (system_of_beside _ _ _ E) as (e & G). apply (zeros_in_front f s e patience G k _ (b n)); auto.
  apply (f_equal (@length nat)) in P. unfold track_of in *. now rewrite map_length, app_length, repeat_length in *.
Qed.

Lemma writing_along n : writing family_world table [parameter] (written_along n).
Proof.
  split.
  - apply numbers_along.
  - intros x y. cbn [number_of family_world]. destruct (Pos.eqb_spec x parameter); simpl; intuition.
  - intros j cs v. apply written_zeros_along.
  - intros x cs cs' v v' K W W' L V. destruct (written_alike n cs cs' v v' W W' L) as (k & P & P' & A).
    cbn [knows family_world] in K. destruct (Pos.eqb_spec x parameter) as [->|NE]; [congruence|].
    cbn [orb] in K. unfold known in K. destruct (system_of d x) as [[i s]|] eqn:E; [|discriminate].
    destruct (A x i s E) as (w & w' & -> & -> & R & R'). f_equal.
    apply (beside_unique s (b n) _ _ (v x) (v' x)); auto. apply V. intros [|[]]; auto.
  - intros x cs cs' v v' K N W W' T. destruct (written_alike n cs cs' v v' W W') as (k & _ & _ & A).
    { apply (f_equal (@length nat)) in T. unfold track_of in T. now rewrite !map_length in T. }
    cbn [knows family_world] in K. destruct (Pos.eqb_spec x parameter) as [->|NE]; [exfalso; apply N; now left|].
    cbn [orb] in K. unfold known in K. destruct (system_of d x) as [[i s]|] eqn:E; [|discriminate].
    destruct (A x i s E) as (w & w' & T1 & T2 & R & R'). rewrite T1, T2 in T. apply app_inv_head in T.
    apply (beside_unique s (b n) _ _ _ _ R R'). exact T.
  - intros ws cs cs' v (N & k & P & W) L O H.
    assert (NP : ~ In parameter ws) by (intros I; destruct (H _ I) as [F _]; apply F; now left).
    assert (P' : track_of parameter cs' = repeat 0 k ++ b n) by (now rewrite O).
    exists (fun x => if mem x ws then match system_of d x with Some (_, s) => place_beside s (b n) (skipn k (track_of x cs')) | None => v x end else v x).
    split; [|intros x X; apply mem_not in X; now rewrite X].
    split; auto. exists k. split; auto. intros x i s E. destruct (mem x ws) eqn:M.
    + apply mem_in in M. destruct (H x M) as [_ HN]. destruct (number_in_front x i s n k cs' E HN P') as (w & T & B).
      exists w. split; auto. rewrite E, T, skipn_zeros.
      apply represents_rank. auto.
    + apply mem_not in M. rewrite O by auto. eauto.
Qed.

(** What a relation accepts depends on the values of its variables only. *)
Lemma accepts_values_along p n cs cs' v v' : sound_part_beside p = true -> written_along n cs v -> written_along n cs' v' ->
  (forall x, In x (tracks p) -> x <> parameter -> v x = v' x) -> has table p cs = has table p cs'.
Proof.
  intros S W W' V. eapply accepts_at; eauto using writing_along. intros x X N. apply V; auto. intros ->. apply N. now left.
Qed.

Lemma written_same n cs v v' : (forall x, v x = v' x) -> written_along n cs v -> written_along n cs v'.
Proof.
  intros V (N & k & P & W). split; auto. exists k. split; auto. intros x i s E. rewrite <- V. eauto.
Qed.

(** ** All values can be written *)

(** The same without zeros in front. *)
Definition exact_along (n : nat) (cs : list column) (v : values) : Prop :=
  track_of parameter cs = b n /\ forall x i s, system_of d x = Some (i, s) -> represents_beside s (b n) (track_of x cs) (v x).

Lemma exact_written n cs v : 1 <= n -> exact_along n cs v -> written_along n cs v.
Proof.
  intros N [P W]. split; auto. exists 0. split; [exact P|]. intros x i s E. exists (track_of x cs). split; [reflexivity | eauto].
Qed.

Definition put_track (x : name) (w : word) (cs : list column) : list column :=
  map (fun t y => if Pos.eqb y x then snd t else fst t y) (combine cs w).

Lemma put_track_same x w cs : length cs = length w -> track_of x (put_track x w cs) = w.
Proof.
  unfold put_track, track_of. rewrite map_map, Pos.eqb_refl. revert w. induction cs; intros [|e w] L; simpl in *; try discriminate; auto.
  f_equal. auto.
Qed.

Lemma put_track_other x y w cs : y <> x -> length cs = length w -> track_of y (put_track x w cs) = track_of y cs.
Proof.
  intros N. apply Pos.eqb_neq in N. unfold put_track, track_of. rewrite map_map, N.
  revert w. induction cs; intros [|e w] L; simpl in *; try discriminate; auto. f_equal. auto.
Qed.

Lemma put_track_length x w cs : length cs = length w -> length (put_track x w cs) = length w.
Proof. intros L. unfold put_track. rewrite map_length, combine_length. lia. Qed.

Lemma can_write_along v : in_the_limit (fun n => exists cs, exact_along n cs v).
Proof.
  assert (S : forall xs : list name, in_the_limit (fun n => exists cs, length cs = length (b n) /\ track_of parameter cs = b n
            /\ forall x i s, In x xs -> system_of d x = Some (i, s) -> represents_beside s (b n) (track_of x cs) (v x))).
  { induction xs as [|y xs (N & IH)].
    - exists 0. intros n _. exists (put_track parameter (b n) (map (fun _ _ => 0) (b n))). split.
      { apply put_track_length. now rewrite map_length. }
      split; [|intros x i s []]. apply put_track_same. now rewrite map_length.
    - destruct (system_of d y) as [[j t]|] eqn:E.
      + exists (max N (v y + 2)). intros n H. destruct (IH n) as (cs & L & P & W); [lia|].
        destruct (system_of_beside _ _ _ E) as (e & G).
        destruct (represented_beside f t e patience G a here (v y) n) as (w & R); [lia|].
        assert (Lw : length w = length (b n)) by (apply represents_rank in R as [R _]; now apply number_beside_inv in R as (? & _)).
        exists (put_track y w cs). split; [rewrite put_track_length; congruence|]. split.
        { rewrite put_track_other; auto; try congruence. intros <-. now apply system_not in E. }
        intros x i s [<-|I] Ex.
        * rewrite put_track_same by congruence. rewrite E in Ex. injection Ex as <- <-. exact R.
        * destruct (Pos.eq_dec x y) as [->|NE].
          -- rewrite put_track_same by congruence. rewrite E in Ex. injection Ex as <- <-. exact R.
          -- rewrite put_track_other by (auto; congruence). eauto.
      + exists N. intros n H. destruct (IH n H) as (cs & L & P & W). exists cs. split; [auto|]. split; [auto|].
        intros x i s [<-|I] Ex; eauto. congruence. }
  destruct (S (map fst (PositiveMap.elements (variables d)))) as (N & H). exists N. intros n L.
  destruct (H n L) as (cs & _ & P & W). exists cs. split; auto. intros x i s E. eapply W; eauto.
  unfold system_of in E. destruct (PositiveMap.find x _) as [k|] eqn:F; try discriminate.
  apply PositiveMap.elements_correct in F. apply in_map_iff. exists (x, k). auto.
Qed.

(** Columns of one more number of the sequence, beside zeros. *)
Definition fronts (t : word) : list column := map (fun m x => if Pos.eqb x parameter then m else 0) t.

Lemma fronts_parameter t cs : track_of parameter (fronts t ++ cs) = t ++ track_of parameter cs.
Proof.
  unfold track_of, fronts. rewrite map_app, map_map, Pos.eqb_refl. f_equal. apply map_id.
Qed.

Lemma fronts_other x t cs : x <> parameter -> track_of x (fronts t ++ cs) = repeat 0 (length t) ++ track_of x cs.
Proof.
  intros N. apply Pos.eqb_neq in N. unfold track_of, fronts. rewrite map_app, map_map, N. f_equal.
  induction t; simpl; auto. now f_equal.
Qed.

Lemma exact_longer n cs v : 1 <= n -> exact_along n cs v -> exact_along (S n) (fronts (digits_of f (a n)) ++ cs) v.
Proof.
  intros N [P W]. destruct n as [|n]; [lia|]. split.
  - rewrite fronts_parameter, P. reflexivity.
  - intros x i s E. rewrite fronts_other by (eapply system_not; eauto). destruct (system_of_beside _ _ _ E) as (e & G).
    apply (represents_longer f s e patience G a here n). eauto.
Qed.

(** ** Claims *)

Definition letters_here := letters_along f d a.
Definition calls_here := calls_by letters_here (accepted_along f d a) (definitions d).
Notation here_true := (true_of letters_here calls_here).

Definition valid_along (c : claim) : Prop :=
  forall v, in_the_limit (fun n => forall cs, written_along n cs v -> true_at table letters_here calls_here cs v c).

Definition follows_along (r : part) (gs : list part) (g : form) : Prop := valid_along {| rel := r; guards := gs; fact := g |}.

Lemma both_limits (P Q : nat -> Prop) : in_the_limit P -> in_the_limit Q -> in_the_limit (fun n => P n /\ Q n).
Proof. intros (N & A) (M & B). exists (max N M). intros n H. split; [apply A | apply B]; lia. Qed.

Lemma limit_weaker (P Q : nat -> Prop) : in_the_limit P -> (forall n, P n -> Q n) -> in_the_limit Q.
Proof. intros (N & A) H. exists N. auto. Qed.

Lemma all_limits {A} (l : list A) (P : A -> nat -> Prop) : (forall c, In c l -> in_the_limit (P c)) ->
  in_the_limit (fun n => forall c, In c l -> P c n).
Proof.
  induction l as [|c l IH]; intros H. { exists 0. intros n _ c []. }
  apply (limit_weaker (fun n => P c n /\ forall e, In e l -> P e n)).
  - apply both_limits; [apply H; now left | apply IH; intros; apply H; now right].
  - intros n [X Y] e [<-|I]; auto.
Qed.

Hypothesis classic : excluded_middle.

Lemma check_any_along r gs g : check_any family_world table patience gs = true -> follows_along r gs g.
Proof. intros H v. exists 0. intros n _ cs W. eapply check_any_sound_at; eauto using numbers_along. Qed.

Lemma check_and_along r gs of g : check_and family_world table patience r gs of = true ->
  (forall c, In c of -> valid_along c) -> conjunction (map fact of) = Some g -> follows_along r gs g.
Proof.
  intros H V F v. eapply limit_weaker.
  { apply (all_limits of (fun c n => forall cs, written_along n cs v -> true_at table letters_here calls_here cs v c)).
    intros c I. exact (V c I v). }
  intros n A cs W. eapply check_and_sound_at; eauto using numbers_along.
Qed.

Lemma check_not_along r gs c : check_not family_world table patience r gs c = true -> valid_along c ->
  follows_along r gs (negation (fact c)).
Proof.
  intros H V v. eapply limit_weaker. { apply (V v). } intros n A cs W. eapply check_not_sound_at; eauto using numbers_along.
Qed.

Lemma check_iff_along r gs c e : check_iff family_world table patience r gs c e = true -> valid_along c -> valid_along e ->
  follows_along r gs (equivalence (fact c) (fact e)).
Proof.
  intros H V U v. eapply limit_weaker. { exact (both_limits _ _ (V v) (U v)). }
  intros n [A B] cs W. eapply check_iff_sound_at; eauto using numbers_along.
Qed.

Lemma check_or_along r gs of whole : check_or family_world table patience r gs of whole = true ->
  (forall c, In c of -> valid_along c) -> follows_along r gs whole.
Proof.
  intros H V v. eapply limit_weaker.
  { apply (all_limits of (fun c n => forall cs, written_along n cs v -> true_at table letters_here calls_here cs v c)).
    intros c I. exact (V c I v). }
  intros n A cs W. eapply check_or_sound_at; eauto using numbers_along.
Qed.

Lemma written_renamed_along s n cs v : same_systems family_world s = true -> written_along n cs v ->
  written_along n (columns_renamed s cs) (fun x => v (renamed s x)).
Proof.
  intros H (N & k & P & W). split; auto. exists k.
  assert (R : renamed s parameter = parameter).
  { unfold renamed. destruct (find _ s) as [t|] eqn:F; auto. apply find_some in F as [I E]. apply Pos.eqb_eq in E.
    unfold same_systems in H. rewrite forallb_forall in H. apply H in I. destruct t as [y z]. cbn [fst snd] in *. subst y.
    cbn [system_named family_world] in I.
    unfold family_good in good. apply andb_true_iff in good as [G _].
    destruct (PositiveMap.find parameter (variables d)); discriminate. }
  split; [now rewrite track_renamed, R|].
  intros x i t E. rewrite track_renamed. apply (W _ i).
  change (same_systems family_world s) with (same_systems d s) in H. now rewrite renamed_system.
Qed.

Lemma check_share_along r gs body equation old new g : check_share family_world table patience r gs body equation old new = true ->
  valid_along body -> valid_along equation -> conjunction [fact equation; fact body] = Some g ->
  follows_along r gs (exists_form [old] g).
Proof.
  intros H VB VE C v. set (s := [(old, new)]). pose (u := fun x => v (renamed s x)).
  assert (S : same_systems family_world s = true) by (unfold check_share in H; rewrite !andb_true_iff in H; tauto).
  eapply limit_weaker. { exact (both_limits _ _ (VB u) (VE u)). }
  intros n [A B] cs W. eapply check_share_sound_at; eauto using numbers_along; [apply A | apply B]; now apply written_renamed_along.
Qed.

Lemma check_definition_along r gs c ps args form p body :
  check_definition family_world table patience r gs c ps args form = true -> valid_along c -> norm body = Some form ->
  (forall ns, calls_here p ns <-> exists v, map v ps = ns /\ means letters_here calls_here body v) ->
  follows_along r gs (Pred p args).
Proof.
  intros H V N D v. set (s := combine ps args). pose (u := fun x => v (renamed s x)).
  assert (S : same_systems family_world s = true).
  { unfold check_definition, check_rename in H. rewrite !andb_true_iff in H. tauto. }
  eapply limit_weaker. { apply (V u). }
  intros n A cs W. eapply check_definition_sound_at; eauto using numbers_along. apply A. now apply written_renamed_along.
Qed.

Lemma check_linear_along additions r gs c s wanted : (forall p, In p additions -> adds calls_here p) ->
  check_linear family_world table patience additions r gs c s wanted = true -> valid_along c -> follows_along r gs wanted.
Proof.
  intros AD H V v. pose (u := fun x => v (renamed s x)). eapply limit_weaker. { apply (V u). }
  intros n A cs W. eapply check_linear_sound_at; eauto using numbers_along. apply A.
  destruct s as [|p s].
  - change (columns_renamed [] cs) with (map (fun c : column => c) cs). now rewrite map_id.
  - apply written_renamed_along; auto. unfold check_linear in H. destruct (conclusion _ _) as [t|]; try discriminate.
    apply andb_true_iff in H as [_ H]. unfold check_rename in H. rewrite !andb_true_iff in H. tauto.
Qed.

Lemma says_along c g v : says table c g = true -> valid_along c -> forallb sound_part_beside (rel c :: guards c) = true -> here_true g v.
Proof.
  unfold says. intros H V S. rewrite !andb_true_iff in H. destruct H as [[T A] E]. apply form_eqb_eq in E. subst g.
  destruct (tracks (rel c)) eqn:TR; try discriminate. destruct (guards c) eqn:GU; try discriminate.
  destruct (both_limits _ _ (V v) (can_write_along v)) as (N & X).
  destruct (X (max 1 N)) as [Y (cs & W)]; [lia|]. apply exact_written in W; [|lia].
  apply (Y cs W). { rewrite GU. intros q []. }
  simpl in S. apply andb_true_iff in S as [S _]. unfold sound_part_beside in S. apply andb_true_iff in S as [Z _].
  unfold has, accepts_columns, accepts, read_by. rewrite <- A. f_equal. rewrite (tracks_names table) in TR.
  destruct (resolve table (rel c)) as [m ns]. simpl in *. subst ns. clear - Z.
  induction cs as [|c cs IH]; auto. cbn [map]. etransitivity; [exact (run_zero _ 0 _ Z) | exact IH].
Qed.

End Along.
End Claims.
