(** The rules about values that are written as columns: what follows there, where inclusions of relations are checked. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements Columns Walks Forms.
Import ListNotations.

(** A relation: an automaton of the certificate by its number, or another one. *)
Inductive part := Ref (number : positive) (tracks : list name) | Own (r : relation).

Record claim := { rel : part; guards : list part; fact : form }.

Definition part_eqb (p q : part) : bool :=
  match p, q with Ref i xs, Ref j ys => Pos.eqb i j && list_eqb Pos.eqb xs ys | _, _ => false end.

Lemma part_eqb_eq p q : part_eqb p q = true -> p = q.
Proof.
  destruct p, q; try discriminate. simpl. intros H. apply andb_true_iff in H as [H K]. apply Pos.eqb_eq in H.
  apply list_eqb_eq in K; [|intros; now apply Pos.eqb_eq]. now subst.
Qed.

(** The automata of a certificate, with the systems of their tracks. *)
Notation automata := (PositiveMap.t (list name * automaton)).

(** Variables that have values, with the relation of all values of each, and their systems. *)
Record world := { knows : name -> bool; number_of : name -> part; system_named : PositiveMap.t name }.

Section Rules.
Variable here : world.
Variable table : automata.
(** A walk takes at most 2^patience steps. *)
Variable patience : nat.

Definition resolve (p : part) : relation :=
  match p with
  | Own r => r
  | Ref i xs =>
      {| machine := match PositiveMap.find i table with Some (_, a) => a | None => PositiveMap.empty _ end; names := xs |}
  end.

Definition tracks (p : part) : list name := match p with Own r => names r | Ref _ xs => xs end.

Lemma tracks_names p : tracks p = names (resolve p).
Proof. destruct p; reflexivity. Qed.

Definition has (p : part) (cs : list column) : bool := accepts_columns (resolve p) cs.
Definition all_have (ps : list part) (cs : list column) : Prop := forall p, In p ps -> has p cs = true.

Lemma all_have_app ps qs cs : all_have (ps ++ qs) cs <-> all_have ps cs /\ all_have qs cs.
Proof.
  unfold all_have. setoid_rewrite in_app_iff. split; [intros H; split; auto | intros [H K] p [|]; auto].
Qed.

Lemma all_have_one p cs : all_have [p] cs <-> has p cs = true.
Proof. unfold all_have. simpl. split; [auto | intros H q [<-|[]]; auto]. Qed.

Lemma all_have_nil cs : all_have [] cs.
Proof. intros p []. Qed.

(** The columns have a word of each variable. *)
Definition numbers_at (cs : list column) : Prop := forall x, knows here x = true -> has (number_of here x) cs = true.

Definition fresh (xs there : list name) : list name := union Pos.compare [] (without there xs).

Lemma fresh_in xs there x : In x (fresh xs there) <-> In x xs /\ ~ In x there.
Proof. unfold fresh. rewrite names_union, without_in. simpl. tauto. Qed.

(** All values of the variables of some parts. *)
Definition numbers_over (ps : list part) : list part := map (number_of here) (filter (knows here) (fresh (flat_map tracks ps) [])).

Lemma numbers_over_at ps cs : numbers_at cs -> all_have (numbers_over ps) cs.
Proof.
  intros N p I. unfold numbers_over in I. apply in_map_iff in I as (x & <- & I). apply filter_In in I as [_ K]. now apply N.
Qed.

(** ** Inclusions *)

Fixpoint distinct (ps : list part) : list part :=
  match ps with
  | [] => []
  | p :: ps => if existsb (part_eqb p) ps then distinct ps else p :: distinct ps
  end.

Lemma distinct_in ps p : In p (distinct ps) -> In p ps.
Proof.
  induction ps as [|q ps IH]; simpl; auto. destruct (existsb _ ps); simpl; intuition.
Qed.

Definition refuse_unless (holds : list bool -> bool) (ps os : list part) : bool :=
  let ps := distinct ps in
  let missing := fresh (flat_map tracks os) (flat_map tracks ps) in
  forallb (knows here) missing && walk (map resolve (ps ++ map (number_of here) missing)) (map resolve os) holds patience.

Lemma refuse_general holds ps os cs : refuse_unless holds ps os = true -> all_have ps cs ->
  (forall x, In x (flat_map tracks os) -> knows here x = true -> In x (flat_map tracks ps) \/ has (number_of here x) cs = true) ->
  holds (map (fun o => has o cs) os) = true.
Proof.
  unfold refuse_unless. intros H A N. apply andb_true_iff in H as [K W].
  assert (B : all_have (distinct ps) cs) by (intros p I; apply A; now apply distinct_in).
  apply walk_sound with (cs := cs) in W.
  - now rewrite map_map in W.
  - rewrite map_app, forallb_app. apply andb_true_iff. rewrite !forallb_forall.
    split; intros r I.
    + apply in_map_iff in I as (p & <- & I). now apply B.
    + apply in_map_iff in I as (p & <- & I). apply in_map_iff in I as (x & <- & I).
      rewrite forallb_forall in K. specialize (K x I). apply fresh_in in I as [I J].
      destruct (N x I K) as [M|M]; [|exact M].
      exfalso. apply J. clear -M. revert M. rewrite !in_flat_map. induction ps as [|p ps IH]; simpl.
      { intros (q & [] & _). }
      intros (q & [<-|I] & M).
      * destruct (existsb (part_eqb p) ps) eqn:E.
        -- apply IH. apply existsb_exists in E as (q & I & E). apply part_eqb_eq in E. subst q. eauto.
        -- exists p. simpl. auto.
      * destruct IH as (r & R & S); eauto. exists r. destruct (existsb (part_eqb p) ps); simpl; auto.
Qed.

Lemma refuse_sound_at holds ps os cs : refuse_unless holds ps os = true -> numbers_at cs -> all_have ps cs ->
  holds (map (fun o => has o cs) os) = true.
Proof. intros H W A. apply (refuse_general holds ps); auto. Qed.

Definition any (l : list bool) : bool := existsb (fun b => b) l.
Definition every (l : list bool) : bool := forallb (fun b => b) l.

Definition cover (ps ts : list part) : bool :=
  existsb (fun t => existsb (part_eqb t) ps) ts || refuse_unless any ps ts.

Lemma cover_general ps ts cs : cover ps ts = true -> all_have ps cs ->
  (forall x, In x (flat_map tracks ts) -> knows here x = true -> In x (flat_map tracks ps) \/ has (number_of here x) cs = true) ->
  exists t, In t ts /\ has t cs = true.
Proof.
  unfold cover. intros H A N. apply orb_true_iff in H as [H|H].
  - apply existsb_exists in H as (t & I & H). apply existsb_exists in H as (p & J & E). apply part_eqb_eq in E.
    subst. eauto.
  - apply refuse_general with (cs := cs) in H; auto. unfold any in H. apply existsb_exists in H as (b & I & ->).
    apply in_map_iff in I as (t & E & I). eauto.
Qed.

Lemma cover_sound_at ps ts cs : cover ps ts = true -> numbers_at cs -> all_have ps cs ->
  exists t, In t ts /\ has t cs = true.
Proof. intros H W A. apply (cover_general ps); auto. Qed.

Lemma cover_one_at ps t cs : cover ps [t] = true -> numbers_at cs -> all_have ps cs -> has t cs = true.
Proof. intros H W A. destruct (cover_sound_at _ _ _ H W A) as (u & [<-|[]] & E). auto. Qed.

Definition guarded (ps : list part) (c : claim) : bool := forallb (fun g => cover ps [g]) (guards c).

Lemma guarded_sound_at ps c cs : guarded ps c = true -> numbers_at cs -> all_have ps cs -> all_have (guards c) cs.
Proof. unfold guarded. rewrite forallb_forall. intros H W A g I. eapply cover_one_at; eauto. Qed.

(** Under the guards, a relation accepts what one of the others does. *)
Definition agree (r : part) (gs others nums : list part) : bool :=
  cover (gs ++ [r]) others && forallb (fun o => cover (gs ++ nums ++ [o]) [r]) others.

Lemma agree_sound_at r gs others nums cs : agree r gs others nums = true -> numbers_at cs -> all_have gs cs ->
  all_have nums cs -> has r cs = true <-> exists o, In o others /\ has o cs = true.
Proof.
  unfold agree. intros H W G N. apply andb_true_iff in H as [M L]. rewrite forallb_forall in L. split.
  - intros R. eapply cover_sound_at; eauto. apply all_have_app. split; auto. now apply all_have_one.
  - intros (o & I & O). eapply cover_one_at; [apply L; eauto|eauto|]. rewrite !all_have_app, all_have_one. auto.
Qed.

Lemma agree_one_at r gs o nums cs : agree r gs [o] nums = true -> numbers_at cs -> all_have gs cs ->
  all_have nums cs -> has r cs = true <-> has o cs = true.
Proof.
  intros. rewrite agree_sound_at; eauto. split; [intros (p & [<-|[]] & E); auto | intros E; exists o; simpl; auto].
Qed.

(** * The rules that need no more

    Each is about a new claim, with a relation r and guards gs. *)

Hypothesis classic : excluded_middle.
(** Letters of words, and what is true by name. *)
Variable letters : name -> list nat -> Z -> Prop.
Variable calls : name -> list nat -> Prop.
Notation true_in := (true_of letters calls).

(** What a claim says of some values, which are written as columns. *)
Definition true_at (cs : list column) (v : values) (c : claim) : Prop :=
  all_have (guards c) cs -> (has (rel c) cs = true <-> true_in (fact c) v).

Notation follows cs v r gs f := (true_at cs v {| rel := r; guards := gs; fact := f |}).

Definition check_any (gs : list part) : bool := cover gs [].

Lemma check_any_sound_at r gs f cs v : numbers_at cs -> check_any gs = true -> follows cs v r gs f.
Proof. intros W H G. destruct (cover_sound_at _ _ _ H W G) as (t & [] & _). Qed.

Fixpoint guarded_in_turn (ps : list part) (cs : list claim) : bool :=
  match cs with
  | [] => true
  | c :: cs => guarded ps c && guarded_in_turn (ps ++ [rel c]) cs
  end.

Definition check_and (r : part) (gs : list part) (of : list claim) : bool :=
  guarded_in_turn gs of && cover (gs ++ map rel of) [r]
  && match of with [] => true | _ => refuse_unless every (gs ++ [r]) (map rel of) end.

Lemma in_turn of : forall ps cs v, guarded_in_turn ps of = true -> (forall c, In c of -> true_at cs v c) -> numbers_at cs ->
  all_have ps cs -> (all_have (map rel of) cs <-> all_true letters calls (map fact of) v).
Proof.
  induction of as [|c of IH]; intros ps cs v H V W A; simpl in *.
  - unfold all_have, all_true. simpl. intuition.
  - apply andb_true_iff in H as [H K].
    assert (C : has (rel c) cs = true <-> true_in (fact c) v) by (apply V; auto; eapply guarded_sound_at; eauto).
    assert (R : has (rel c) cs = true -> (all_have (map rel of) cs <-> all_true letters calls (map fact of) v)).
    { intros B. apply (IH (ps ++ [rel c])); auto. apply all_have_app. split; auto. now apply all_have_one. }
    split.
    + intros B f [<-|I]. { apply C. apply B. now left. }
      apply R; auto. { apply B. now left. } intros p P. apply B. now right.
    + intros B p [<-|I]. { apply C. apply B. now left. }
      apply R; auto. { apply C. apply B. now left. } intros f F. apply B. now right.
Qed.

Lemma check_and_sound_at r gs of f cs v : numbers_at cs -> check_and r gs of = true -> (forall c, In c of -> true_at cs v c) ->
  conjunction (map fact of) = Some f -> follows cs v r gs f.
Proof.
  unfold check_and. intros W H V F G. simpl in *. apply andb_true_iff in H as [H M]. apply andb_true_iff in H as [T L].
  rewrite (conjunction_true _ _ _ _ v F), <- (in_turn of gs cs v T V W G). split.
  - intros R. destruct of as [|c of]. { apply all_have_nil. }
    assert (E : every (map (fun o => has o cs) (map rel (c :: of))) = true).
    { eapply refuse_sound_at; eauto. apply all_have_app. split; auto. now apply all_have_one. }
    unfold every in E. rewrite forallb_forall in E. intros p I. apply E. now apply in_map with (f := fun o => has o cs).
  - intros A. eapply cover_one_at; eauto. apply all_have_app. auto.
Qed.

Definition check_not (r : part) (gs : list part) (c : claim) : bool :=
  guarded gs c
  && refuse_unless (fun has => match has with [a; b] => xorb a b | _ => false end) gs [r; rel c].

Lemma check_not_sound_at r gs c cs v : numbers_at cs -> check_not r gs c = true -> true_at cs v c ->
  follows cs v r gs (negation (fact c)).
Proof.
  unfold check_not. intros W H V G. simpl in *. apply andb_true_iff in H as [H R].
  rewrite negation_true by auto. rewrite <- (V (guarded_sound_at _ _ _ H W G)).
  eapply refuse_sound_at in R; eauto. simpl in R. destruct (has r cs), (has (rel c) cs); try discriminate; intuition.
Qed.

Definition check_iff (r : part) (gs : list part) (a b : claim) : bool :=
  guarded gs a && guarded gs b
  && refuse_unless (fun has => match has with [x; y; z] => eqb x (eqb y z) | _ => false end) gs [r; rel a; rel b].

Lemma check_iff_sound_at r gs a b cs v : numbers_at cs -> check_iff r gs a b = true -> true_at cs v a -> true_at cs v b ->
  follows cs v r gs (equivalence (fact a) (fact b)).
Proof.
  unfold check_iff. intros W H V U G. simpl in *. rewrite !andb_true_iff in H. destruct H as [[H K] R].
  rewrite equivalence_true by auto. rewrite <- (V (guarded_sound_at _ _ _ H W G)), <- (U (guarded_sound_at _ _ _ K W G)).
  eapply refuse_sound_at in R; eauto. simpl in R.
  destruct (has r cs), (has (rel a) cs), (has (rel b) cs); try discriminate; intuition.
Qed.

(** ** Disjunctions *)

Definition branches (whole : form) (part : form) : option (list form) :=
  let (bound, parts) := parts_of whole in
  match part with
  | Neg g =>
      match parts_of g with
      | ([], denied) =>
          let rest := filter (fun p => negb (form_eqb p part)) parts in
          fold_right (fun one l => match conjunction (rest ++ [negation one]), l with
                                   | Some f, Some l => Some (exists_form bound f :: l)
                                   | _, _ => None
                                   end) (Some []) denied
      | _ => None
      end
  | _ => None
  end.

Definition same_forms (l m : list form) : bool :=
  forallb (fun f => member form_compare f m) l && forallb (fun f => member form_compare f l) m.

Definition check_or (r : part) (gs : list part) (of : list claim) (whole : form) : bool :=
  existsb (fun p => match branches whole p with Some l => same_forms l (map fact of) | None => false end)
    (snd (parts_of whole))
  && forallb (guarded gs) of && agree r gs (map rel of) [].

Lemma branches_true whole p l v : In p (snd (parts_of whole)) -> branches whole p = Some l ->
  true_in whole v <-> exists f, In f l /\ true_in f v.
Proof.
  unfold branches. rewrite (parts_true letters calls whole). destruct (parts_of whole) as [bound parts]. simpl fst. simpl snd.
  intros I H. destruct p as [| | | | g | |]; try discriminate.
  pose proof (fun v => parts_true letters calls g v) as PG.
  destruct (parts_of g) as [[|] denied]; try discriminate. simpl fst in PG. simpl snd in PG.
  set (rest := filter _ parts) in *.
  assert (PR : forall w, all_true letters calls parts w <-> all_true letters calls rest w /\ exists one, In one denied /\ ~ true_in one w).
  { intros w.
    assert (G : ~ true_in g w <-> exists one, In one denied /\ ~ true_in one w).
    { rewrite PG. rewrite block_true. split.
      - intros N. destruct (classic (exists one, In one denied /\ ~ true_in one w)) as [|M]; auto.
        exfalso. apply N. exists w. split; [intros x; auto|]. intros f F.
        destruct (classic (true_in f w)); auto. exfalso. eauto.
      - intros (one & J & N) (u & S & T). apply N. apply true_same with (v := u); auto. }
    rewrite <- G. unfold rest. split.
    - intros A. split. { intros f F. apply filter_In in F as [F _]. auto. } apply (A (Neg g) I).
    - intros [A N] f F. destruct (form_eqb f (Neg g)) eqn:E. { apply form_eqb_eq in E. subst. exact N. }
      apply A. apply filter_In. now rewrite E. }
  rewrite block_true. setoid_rewrite PR.
  assert (B : forall l, fold_right (fun one l => match conjunction (rest ++ [negation one]), l with
                                   | Some f, Some l => Some (exists_form bound f :: l)
                                   | _, _ => None
                                   end) (Some []) denied = Some l ->
            ((exists f, In f l /\ true_in f v) <->
             exists one w, In one denied /\ same_but bound v w /\ all_true letters calls rest w /\ ~ true_in one w)).
  { clear - classic. induction denied as [|one denied IH]; intros l H; simpl in H.
    - injection H as <-. simpl. firstorder.
    - destruct (conjunction _) as [f|] eqn:C; try discriminate. destruct (fold_right _ _ denied) as [m|]; try discriminate.
      injection H as <-. specialize (IH m eq_refl).
      assert (E : true_in (exists_form bound f) v <-> exists w, same_but bound v w /\ all_true letters calls rest w /\ ~ true_in one w).
      { rewrite exists_true. split; intros (w & S & T); exists w; split; auto.
        - apply (conjunction_true _ _ _ _ w C) in T. split. { intros h X. apply T. apply in_app_iff. auto. }
          apply (negation_true letters calls classic). apply T. apply in_app_iff. right. now left.
        - apply (conjunction_true _ _ _ _ w C). intros h X. apply in_app_iff in X as [X|[<-|[]]]; [apply T; auto|].
          apply (negation_true letters calls classic). apply T. }
      split.
      + intros (h & [<-|X] & T).
        * apply E in T as (w & T). exists one, w. simpl. tauto.
        * destruct (proj1 IH) as (o & w & T'); eauto. exists o, w. simpl. tauto.
      + intros (o & w & [<-|X] & T).
        * exists (exists_form bound f). split; [now left|]. apply E. exists w. tauto.
        * destruct (proj2 IH) as (h & X' & T'). { exists o, w. tauto. } exists h. simpl. auto. }
  rewrite (B l H). split.
  - intros (w & S & A & one & J & N). exists one, w. auto.
  - intros (one & w & J & S & A & N). exists w. eauto 6.
Qed.

Lemma check_or_sound_at r gs of whole cs v : numbers_at cs -> check_or r gs of whole = true ->
  (forall c, In c of -> true_at cs v c) -> follows cs v r gs whole.
Proof.
  unfold check_or. intros W H V G. simpl in *. rewrite !andb_true_iff in H. destruct H as [[H K] A].
  apply existsb_exists in H as (p & I & H). destruct (branches whole p) as [l|] eqn:B; try discriminate.
  rewrite (branches_true _ _ _ v I B), (agree_sound_at _ _ _ _ _ A W G (all_have_nil cs)).
  rewrite forallb_forall in K. apply andb_true_iff in H as [L M]. rewrite forallb_forall in L, M.
  assert (C : forall c, In c of -> (has (rel c) cs = true <-> true_in (fact c) v)).
  { intros c X. apply V; auto. eapply guarded_sound_at; eauto. }
  split.
  - intros (o & X & T). apply in_map_iff in X as (c & <- & X). exists (fact c). split; [|now apply C].
    apply (member_in form_compare); [apply form_compare_eq|]. apply M. now apply in_map.
  - intros (f & X & T). apply L in X. apply (member_in form_compare) in X; [|apply form_compare_eq].
    apply in_map_iff in X as (c & <- & X). exists (rel c). split; [now apply in_map | now apply C].
Qed.

(** ** Other names for variables *)

Notation renaming := (list (name * name)).
Definition renamed (s : renaming) (x : name) : name :=
  match find (fun t => Pos.eqb (fst t) x) s with Some t => snd t | None => x end.

Definition rename_part (s : renaming) (p : part) : part :=
  match p with
  | Ref i xs => Ref i (map (renamed s) xs)
  | Own r => Own {| machine := machine r; names := map (renamed s) (names r) |}
  end.

Definition same_systems (s : renaming) : bool :=
  forallb (fun t => match PositiveMap.find (fst t) (system_named here), PositiveMap.find (snd t) (system_named here) with
                    | Some i, Some j => Pos.eqb i j
                    | _, _ => false
                    end) s.

Definition columns_renamed (s : renaming) (cs : list column) : list column := map (fun c => fun x => c (renamed s x)) cs.

Lemma track_renamed s x cs : track_of x (columns_renamed s cs) = track_of (renamed s x) cs.
Proof. unfold track_of, columns_renamed. now rewrite map_map. Qed.

Lemma has_renamed s p cs : has (rename_part s p) cs = has p (columns_renamed s cs).
Proof.
  unfold has, accepts_columns, columns_renamed. replace (machine (resolve (rename_part s p))) with (machine (resolve p)).
  2:{ destruct p; reflexivity. } f_equal. unfold read_by. rewrite map_map. apply map_ext. intros c.
  rewrite <- !tracks_names. replace (tracks (rename_part s p)) with (map (renamed s) (tracks p)).
  2:{ destruct p; reflexivity. } now rewrite map_map.
Qed.

(** A claim without guards is about all values. *)
Definition check_rename (r : part) (gs : list part) (c : claim) (s : renaming) : bool :=
  match guards c with [] => true | _ => false end
  && same_systems s && agree r gs [rename_part s (rel c)] [].

Lemma check_rename_sound_at r gs c s cs v : numbers_at cs -> check_rename r gs c s = true ->
  true_at (columns_renamed s cs) (fun x => v (renamed s x)) c -> all_have gs cs ->
  has r cs = true <-> true_in (fact c) (fun x => v (renamed s x)).
Proof.
  unfold check_rename. intros W H V G. rewrite !andb_true_iff in H. destruct H as [[N S] A].
  destruct (guards c) eqn:E; try discriminate.
  rewrite (agree_one_at _ _ _ _ _ A W G (all_have_nil cs)), has_renamed. apply V.
  rewrite E. apply all_have_nil.
Qed.

(** ** Sharing: a variable in place of an equal one *)

Definition moved (s : renaming) (c : claim) : claim :=
  {| rel := rename_part s (rel c); guards := map (rename_part s) (guards c); fact := fact c |}.

Definition check_share (r : part) (gs : list part) (body equation : claim) (old new : name) : bool :=
  let s := [(old, new)] in
  match fact equation with
  | Lin ts false _ => match filter (fun t => Pos.eqb (fst t) old) ts with [(_, k)] => negb (k =? 0)%Z | _ => false end
  | _ => false
  end
  && match guards equation with [] => true | _ => false end
  && same_systems s
  && cover gs [rename_part s (rel equation)]
  && guarded gs (moved s body) && agree r gs [rename_part s (rel body)] [].

Lemma lin_value_at ts x k v w : filter (fun t => Pos.eqb (fst t) x) ts = [(x, k)] ->
  (forall y, y <> x -> v y = w y) ->
  (lin_value ts v - lin_value ts w = k * (Z.of_nat (v x) - Z.of_nat (w x)))%Z.
Proof.
  intros F E. enough (G : forall us, filter (fun t => Pos.eqb (fst t) x) ts = us ->
    (lin_value ts v - lin_value ts w = fold_right (fun t s => snd t * (Z.of_nat (v x) - Z.of_nat (w x)) + s) 0 us)%Z).
  { rewrite (G _ F). simpl. lia. }
  clear F k. induction ts as [|[y l] ts IH]; intros us <-; simpl; auto.
  specialize (IH _ eq_refl). destruct (Pos.eqb_spec y x) as [->|N]; simpl.
  - lia.
  - rewrite (E y N). lia.
Qed.

Lemma check_share_sound_at r gs body equation old new f cs v : let s := [(old, new)] in numbers_at cs ->
  check_share r gs body equation old new = true ->
  true_at (columns_renamed s cs) (fun x => v (renamed s x)) body ->
  true_at (columns_renamed s cs) (fun x => v (renamed s x)) equation ->
  conjunction [fact equation; fact body] = Some f -> follows cs v r gs (exists_form [old] f).
Proof.
  unfold check_share. set (s := [(old, new)]). intros W H VB VE C G. cbn [rel guards fact] in *.
  rewrite !andb_true_iff in H. destruct H as [[[[[Q N] S] E] K] A].
  destruct (fact equation) as [ts [] c| | | | | |] eqn:FE; try discriminate.
  destruct (filter _ ts) as [|[y k] [|]] eqn:F; try discriminate.
  assert (y = old); [|subst y].
  { assert (I : In (y, k) [(y, k)]) by now left. rewrite <- F in I. apply filter_In in I as [_ I]. now apply Pos.eqb_eq in I. }
  apply negb_true_iff, Z.eqb_neq in Q. destruct (guards equation) eqn:GE; try discriminate.
  set (u := fun x => v (renamed s x)) in *.
  assert (TE : (lin_value ts u = c)%Z).
  { apply cover_one_at with (cs := cs) in E; auto. rewrite has_renamed in E. apply VE in E.
    - rewrite FE in E. exact E.
    - rewrite GE. apply all_have_nil. }
  assert (U : same_but [old] v u).
  { intros x X. unfold u, s, renamed. simpl. destruct (Pos.eqb_spec old x) as [->|]; auto. exfalso. apply X. now left. }
  rewrite (agree_one_at _ _ _ _ _ A W G (all_have_nil cs)), has_renamed.
  rewrite (VB : _ -> _ <-> _).
  2:{ apply guarded_sound_at with (cs := cs) in K; auto. intros p P. rewrite <- has_renamed. apply K.
      simpl. now apply in_map. }
  rewrite exists_true. split.
  - intros T. exists u. split; auto. apply (conjunction_true _ _ _ _ _ C). intros h [<-|[<-|[]]]; auto.
  - intros (w & SW & T). apply (conjunction_true _ _ _ _ _ C) in T.
    assert (TW : (lin_value ts w = c)%Z) by (apply (T (Lin ts false c)); now left).
    apply true_same with (v := w); [|apply T; right; now left].
    assert (O : forall y, y <> old -> w y = u y).
    { intros y Y. rewrite SW, U; auto; intros [|[]]; congruence. }
    intros x _. destruct (Pos.eq_dec x old) as [->|X]; auto.
    pose proof (lin_value_at ts old k w u F O). nia.
Qed.

(** ** What a definition means *)

Definition check_definition (r : part) (gs : list part) (c : claim) (parameters arguments : list name) (body : form) : bool :=
  form_eqb (fact c) body && Nat.eqb (length parameters) (length arguments)
  && list_eqb Pos.eqb (map (renamed (combine parameters arguments)) parameters) arguments
  && subset (free body) parameters
  && check_rename r gs c (combine parameters arguments).

Lemma check_definition_sound_at r gs c ps args b p body cs v : let s := combine ps args in numbers_at cs ->
  check_definition r gs c ps args b = true -> true_at (columns_renamed s cs) (fun x => v (renamed s x)) c -> norm body = Some b ->
  (forall ns, calls p ns <-> exists v, map v ps = ns /\ means letters calls body v) -> follows cs v r gs (Pred p args).
Proof.
  unfold check_definition. set (s := combine ps args). intros W H V N D G. cbn [rel guards fact] in *. rewrite !andb_true_iff in H.
  destruct H as [[[[E L] M] F] R]. apply form_eqb_eq in E. apply list_eqb_eq in M; [|intros; now apply Pos.eqb_eq].
  rewrite (check_rename_sound_at _ _ _ _ cs v W R V G), E.
  simpl. rewrite D. pose proof (fun w => norm_true letters calls classic _ _ w N) as NT. setoid_rewrite <- NT. split.
  - intros T. exists (fun x => v (renamed s x)). split; auto.
    transitivity (map v (map (renamed s) ps)); [now rewrite map_map | now rewrite M].
  - intros (w & X & T). apply true_same with (v := w); auto. intros x I. apply (subset_in _ _ _ F) in I.
    rewrite <- M, map_map in X. clearbody s. clear - X I. induction ps as [|y ps IH]; simpl in *; [tauto|].
    injection X as X1 X2. destruct I as [<-|I]; auto.
Qed.

End Rules.
