(** Values as columns, of numbers or beside one beginning of a sequence: what a relation accepts depends on values, and a
    word that it accepts gives values to the variables that are bound, which are witnesses. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements Numeration Columns Walks Forms Rules.
Import ListNotations.

(** Columns e at some variables, and c at the others. *)
Definition mixed (ws : list name) (es cs : list column) : list column :=
  map (fun t => choose ws (fst t) (snd t)) (combine es cs).

Lemma mixed_in ws es cs x : length es = length cs -> In x ws -> track_of x (mixed ws es cs) = track_of x es.
Proof.
  unfold mixed, track_of. rewrite map_map. intros L I. revert cs L.
  induction es as [|e es IH]; intros [|c cs] L; try discriminate; simpl; auto.
  rewrite choose_in by auto. f_equal. auto.
Qed.

Lemma mixed_out ws es cs x : length es = length cs -> ~ In x ws -> track_of x (mixed ws es cs) = track_of x cs.
Proof.
  unfold mixed, track_of. rewrite map_map. intros L I. revert cs L.
  induction es as [|e es IH]; intros [|c cs] L; try discriminate; simpl; auto.
  rewrite choose_out by auto. f_equal. auto.
Qed.

Lemma mixed_length ws es cs : length es = length cs -> length (mixed ws es cs) = length cs.
Proof. unfold mixed. rewrite map_length, combine_length. lia. Qed.

Definition kept_names (c : claim) (bound : list name) : list name := without bound (tracks (rel c)).
Definition witnesses (c : claim) (bound : list name) : list name := filter (fun x => mem x bound) (tracks (rel c)).

Lemma witnesses_in c bound x : In x (witnesses c bound) <-> In x (tracks (rel c)) /\ In x bound.
Proof. unfold witnesses. now rewrite filter_In, mem_in. Qed.

Lemma same_but_more (xs ys : list name) v v' : (forall x, In x xs -> In x ys) -> same_but xs v v' -> same_but ys v v'.
Proof. intros I S x X. apply S. auto. Qed.

Section Writing.
Variable here : world.
Variable table : automata.
Variable patience : nat.

(** A relation and guards for a claim in which some variables of another one are bound. *)
Definition may_bind (r : part) (gs : list part) (c : claim) (bound : list name) : bool :=
  forallb (fun p => disjoint (tracks p) bound) (r :: gs) && guarded here table patience gs c.

Lemma may_bind_disjoint r gs c bound : may_bind r gs c bound = true ->
  (forall p, In p (r :: gs) -> disjoint (tracks p) bound = true) /\ (forall p, In p gs -> disjoint (tracks p) bound = true)
  /\ guarded here table patience gs c = true.
Proof.
  unfold may_bind. rewrite andb_true_iff, forallb_forall. intros [D G]. repeat split; auto. intros p I. apply D. now right.
Qed.

(** Tracks that are no variables. *)
Variable fixed : list name.
Variable written : list column -> values -> Prop.

(** How values are written: one word of each length for a value of a variable, and one value for a word. *)
Record writing : Prop := {
  writing_numbers : forall cs v, written cs v -> numbers_at here table cs;
  writing_number_tracks : forall x y, In y (tracks (number_of here x)) -> y = x \/ In y fixed;
  writing_zeros : forall n cs v, written cs v -> written (zeros n ++ cs) v;
  writing_tracks : forall x cs cs' v v', knows here x = true -> written cs v -> written cs' v' -> length cs = length cs' ->
    (~ In x fixed -> v x = v' x) -> track_of x cs = track_of x cs';
  writing_values : forall x cs cs' v v', knows here x = true -> ~ In x fixed -> written cs v -> written cs' v' ->
    track_of x cs = track_of x cs' -> v x = v' x;
  writing_others : forall ws cs cs' v, written cs v -> length cs' = length cs -> (forall x, ~ In x ws -> track_of x cs' = track_of x cs) ->
    (forall x, In x ws -> ~ In x fixed /\ has table (number_of here x) cs' = true) -> exists v', written cs' v' /\ same_but ws v v'
}.

Definition sound_at (p : part) : bool :=
  let r := resolve table p in zero_loop (machine r) (length (names r)) && forallb (knows here) (names r).

Lemma sound_zeros p n cs : sound_at p = true -> has table p (zeros n ++ cs) = has table p cs.
Proof. intros S. apply andb_true_iff in S as [Z _]. now apply accepts_zeros. Qed.

Lemma all_zeros_in_front ps n cs : forallb sound_at ps = true -> all_have table ps cs -> all_have table ps (zeros n ++ cs).
Proof. rewrite forallb_forall. intros S A p I. rewrite sound_zeros; auto. Qed.

Hypothesis good : writing.

(** What a relation accepts depends on the values of its variables only. *)
Lemma accepts_at p cs cs' v v' : sound_at p = true -> written cs v -> written cs' v' ->
  (forall x, In x (tracks p) -> ~ In x fixed -> v x = v' x) -> has table p cs = has table p cs'.
Proof.
  intros S W W' V. set (l := max (length cs) (length cs')).
  rewrite <- (sound_zeros p (l - length cs) cs), <- (sound_zeros p (l - length cs') cs') by exact S.
  fold (padded l cs). fold (padded l cs'). apply andb_true_iff in S as [_ K]. rewrite forallb_forall in K. apply accepts_same.
  - rewrite !padded_length; lia.
  - intros x X. apply (writing_tracks good) with (v := v) (v' := v'); auto.
    + now apply (writing_zeros good).
    + now apply (writing_zeros good).
    + rewrite !padded_length; lia.
    + apply V. now rewrite (tracks_names table).
Qed.

Lemma accepts_unbound bound ps p cs cs' v v' : (forall q, In q ps -> disjoint (tracks q) bound = true) -> forallb sound_at ps = true ->
  written cs v -> written cs' v' -> same_but bound v v' -> In p ps -> has table p cs' = has table p cs.
Proof.
  rewrite forallb_forall. intros D S W W' B I. apply accepts_at with (v := v') (v' := v); auto.
  intros x X _. apply B. exact (disjoint_not _ _ _ (D p I) X).
Qed.

(** Values that some variables may have where the guards hold and the relation of a claim accepts. *)
Definition witness (gs : list part) (c : claim) (ws : list name) (v v' : values) : Prop :=
  same_but ws v v' /\ exists cs, written cs v' /\ has table (rel c) cs = true /\ all_have table gs cs.

Lemma witness_more gs c bound v v' : witness gs c (witnesses c bound) v v' -> witness gs c bound v v'.
Proof. intros [S W]. split; auto. eapply same_but_more; [|exact S]. intros x X. now apply witnesses_in in X. Qed.

(** A word that the relation accepts, with columns where the guards hold, gives values. *)
Lemma witness_values os gs c bound es cs v : (forall x, In x (witnesses c bound) -> ~ In x fixed) ->
  (forall p, In p gs -> disjoint (tracks p) bound = true) ->
  refuse_unless here table patience every (gs ++ [rel c]) (os ++ map (number_of here) (witnesses c bound)) = true ->
  written cs v -> all_have table gs cs -> Forall2 (alike (kept_names c bound)) es cs ->
  accepts (machine (resolve table (rel c))) (map (fun e => map e (tracks (rel c))) es) = true ->
  exists v' cs', written cs' v' /\ same_but (witnesses c bound) v v' /\ all_have table gs cs'
    /\ read_by (resolve table (rel c)) cs' = map (fun e => map e (tracks (rel c))) es /\ length cs' = length cs.
Proof.
  set (ws := witnesses c bound). intros NF D L W G F A.
  assert (WX : forall x, In x ws <-> In x (tracks (rel c)) /\ In x bound) by (intros x; apply witnesses_in).
  assert (LE : length es = length cs) by (clear - F; induction F; simpl; auto).
  set (cs' := mixed ws es cs). assert (LC : length cs' = length cs) by now apply mixed_length.
  assert (RB : read_by (resolve table (rel c)) cs' = map (fun e => map e (tracks (rel c))) es).
  { unfold read_by. rewrite <- tracks_names.
    unfold cs', mixed. rewrite map_map. clear - F WX. induction F as [|e c0 es0 cs1 E F IH]; simpl; auto. f_equal; auto.
    apply map_ext_in. intros x X. destruct (in_dec x bound) as [B|B].
    - rewrite choose_in; auto. apply WX. auto.
    - rewrite choose_out. { symmetry. apply E. unfold kept_names. apply without_in. auto. }
      intros I. apply WX in I. tauto. }
  assert (OUT : forall p, (forall x, In x (tracks p) -> ~ In x ws) -> has table p cs' = has table p cs).
  { intros p I. unfold has. apply accepts_same; auto. intros x X. apply mixed_out; auto. apply I. now rewrite (tracks_names table). }
  assert (G' : all_have table gs cs').
  { intros p I. rewrite <- (G p I). apply OUT. intros x X J. apply WX in J as [_ J]. exact (disjoint_not _ _ _ (D p I) X J). }
  assert (N : forall x, In x ws -> has table (number_of here x) cs' = true).
  { apply refuse_general with (cs := cs') in L.
    - unfold every in L. rewrite forallb_forall in L. intros x X. apply L.
      apply in_map_iff. exists (number_of here x). split; auto. apply in_app_iff. right. now apply in_map.
    - apply all_have_app. split; auto. apply all_have_one. unfold has, accepts_columns. now rewrite RB.
    - intros x X K. destruct (in_dec x ws) as [I|I].
      + left. rewrite flat_map_app. apply in_app_iff. right. simpl. rewrite app_nil_r. now apply WX in I.
      + right. rewrite <- (writing_numbers good cs v W x K). apply OUT. intros y Y.
        destruct (writing_number_tracks good _ _ Y) as [->|Z]; auto. intros J. now apply NF in J. }
  destruct (writing_others good ws cs cs' v W LC) as (v' & W' & S).
  - intros x X. now apply mixed_out.
  - auto.
  - exists v', cs'. auto.
Qed.
End Writing.
