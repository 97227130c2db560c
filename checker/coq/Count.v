(** Projections with a count: E>=k x,y F, by sets of states with the number of ways to each, as far as k. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Permutation Lia.
From Fibcheck Require Import Statements Numeration Columns Walks Forms Claims Exists.
Import ListNotations.

(** States of an automaton, each with the number of ways to it. *)
Definition several := list (positive * N).

(** The same states, each as often as there are ways to it: proofs are about this list, which is not computed. *)
Definition spread (w : several) : list positive := flat_map (fun p => repeat (fst p) (N.to_nat (snd p))) w.

(** An automaton whose states stand for states of another one with the number of ways to each, k if there are more.
    Those along zeros come first, until they do not change. *)
Record counted := { counting : automaton; ways_of : PositiveMap.t several; along : list several }.

(** * Lists that are the same as far as k *)

Section Capped.
Variable k : nat.
Notation occurrences := (count_occ Pos.eq_dec).

Definition same_capped (l l' : list positive) : Prop := forall q, min k (occurrences l q) = min k (occurrences l' q).

Fixpoint capped (l : list positive) : list positive :=
  match l with
  | [] => []
  | a :: l => if k <=? occurrences l a then capped l else a :: capped l
  end.

Lemma capped_occurrences l q : occurrences (capped l) q = min k (occurrences l q).
Proof.
  induction l as [|a l IH]; cbn [capped]; [simpl; lia|].
  destruct (Nat.leb_spec k (occurrences l a)); cbn [count_occ]; destruct (Pos.eq_dec a q) as [->|]; lia.
Qed.

Lemma occurrences_flat_map (f : positive -> list positive) l a q :
  occurrences l a * occurrences (f a) q <= occurrences (flat_map f l) q.
Proof.
  induction l as [|b l IH]; simpl; auto. rewrite count_occ_app. destruct (Pos.eq_dec b a) as [->|]; simpl; lia.
Qed.

Lemma capped_flat_map (f : positive -> list positive) l : same_capped (flat_map f l) (flat_map f (capped l)).
Proof.
  intros q. induction l as [|a l IH]; auto. cbn [flat_map capped]. destruct (Nat.leb_spec k (occurrences l a)) as [H|H].
  - rewrite count_occ_app. pose proof (occurrences_flat_map f l a q). destruct (occurrences (f a) q); [simpl; auto | nia].
  - cbn [flat_map]. rewrite !count_occ_app. lia.
Qed.

Lemma flat_map_same (f : positive -> list positive) l l' : same_capped l l' -> same_capped (flat_map f l) (flat_map f l').
Proof.
  intros H q. rewrite (capped_flat_map f l q), (capped_flat_map f l' q). f_equal.
  apply Permutation_count_occ, Permutation_flat_map, (Permutation_count_occ Pos.eq_dec).
  intros x. rewrite !capped_occurrences. apply H.
Qed.

Lemma filter_occurrences (f : positive -> bool) l :
  length (filter f l) = occurrences (flat_map (fun q => if f q then [1%positive] else []) l) 1%positive.
Proof. induction l as [|a l IH]; simpl; auto. destruct (f a); simpl; auto. Qed.

Lemma filter_same (f : positive -> bool) l l' : same_capped l l' -> (k <=? length (filter f l)) = (k <=? length (filter f l')).
Proof.
  intros H. rewrite !filter_occurrences.
  pose proof (flat_map_same (fun q => if f q then [1%positive] else []) _ _ H 1%positive).
  match goal with |- (k <=? ?a) = (k <=? ?b) => destruct (Nat.leb_spec k a), (Nat.leb_spec k b); auto; lia end.
Qed.
End Capped.

Lemma occurrences_repeat a n q : count_occ Pos.eq_dec (repeat a n) q = if Pos.eq_dec a q then n else 0.
Proof. induction n; simpl; destruct (Pos.eq_dec a q); auto. Qed.

Definition weight_at (q : positive) (t : PositiveMap.t N) : N := match PositiveMap.find q t with Some n => n | None => 0%N end.
Definition weigh (w : several) : PositiveMap.t N :=
  fold_right (fun p t => PositiveMap.add (fst p) (snd p + weight_at (fst p) t)%N t) (PositiveMap.empty _) w.

Lemma weigh_occurrences w q : N.to_nat (weight_at q (weigh w)) = count_occ Pos.eq_dec (spread w) q.
Proof.
  induction w as [|[a n] w IH]; simpl. { unfold weight_at. now rewrite PositiveMap.gempty. }
  rewrite count_occ_app, occurrences_repeat. unfold weight_at at 1. destruct (Pos.eq_dec a q) as [->|N].
  - rewrite PositiveMap.gss, N2Nat.inj_add. now rewrite IH.
  - rewrite PositiveMap.gso by auto. exact IH.
Qed.

Lemma spread_in w q : In q (spread w) -> exists n, In (q, n) w.
Proof.
  unfold spread. rewrite in_flat_map. intros ([a n] & I & J). apply repeat_spec in J. simpl in J. subst. eauto.
Qed.

Definition same_cappedb (k : N) (w w' : several) : bool :=
  let t := weigh w in
  let t' := weigh w' in
  forallb (fun p => N.eqb (N.min k (weight_at (fst p) t)) (N.min k (weight_at (fst p) t'))) (w ++ w').

Lemma same_cappedb_sound k w w' : same_cappedb k w w' = true -> same_capped (N.to_nat k) (spread w) (spread w').
Proof.
  unfold same_cappedb. cbv zeta. rewrite forallb_forall. intros H q.
  assert (D : (exists n, In (q, n) (w ++ w')) \/ ~ exists n, In (q, n) (w ++ w')).
  { destruct (in_dec q (map fst (w ++ w'))) as [I|I].
    - left. apply in_map_iff in I as ([a n] & <- & I). eauto.
    - right. intros (n & J). apply I, in_map_iff. exists (q, n). auto. }
  destruct D as [(n & I)|O].
  - apply H in I. apply N.eqb_eq in I. simpl in I. apply (f_equal N.to_nat) in I.
    now rewrite !N2Nat.inj_min, !weigh_occurrences in I.
  - rewrite (proj1 (count_occ_not_In Pos.eq_dec (spread w) q)), (proj1 (count_occ_not_In Pos.eq_dec (spread w') q)); auto;
      intros J; apply spread_in in J as (n & J); apply O; exists n; apply in_app_iff; auto.
Qed.

(** * Ways, which are words *)

Lemma distinct_app {A} (l l' : list A) : NoDup l -> NoDup l' -> (forall a, In a l -> ~ In a l') -> NoDup (l ++ l').
Proof.
  intros N N' D. induction N as [|a l I N IH]; simpl; auto. constructor.
  - rewrite in_app_iff. intros [J|J]; auto. apply (D a); auto. now left.
  - apply IH. intros b B. apply D. now right.
Qed.

Lemma expand_knows xs : forall r known more q, In (more, q) (expand r xs known) ->
  (forall x, lookup x known <> None -> lookup x more <> None) /\ (forall x, In x xs -> lookup x more <> None).
Proof.
  induction xs as [|y xs IH]; intros [t|children] known more q I; try contradiction I.
  - destruct I as [[= -> ->]|[]]. split; auto.
  - destruct (lookup y known) as [d|] eqn:L.
    + unfold expand in I. simpl in I. rewrite L in I.
      destruct (assoc d children) as [r|]; [|contradiction]. apply IH in I as [A B]. split; auto.
      intros x [<-|X]; auto. apply A. now rewrite L.
    + apply (expand_branch _ y xs known children) in I as (d & r & _ & I); auto. apply IH in I as [A B]. split.
      * intros x X. apply A. simpl. destruct (Pos.eqb y x); auto. discriminate.
      * intros x [<-|X]; auto. apply A. simpl. rewrite Pos.eqb_refl. discriminate.
Qed.

Section Ways.
Variables (m : automaton) (xs kept : list name) (number : N).
Notation k := (N.to_nat number).

Definition letters_same : forall a b : letter, {a = b} + {a <> b} := list_eq_dec Nat.eq_dec.

Definition like (c : column) (known : digits_known) : bool := forallb (fun x => column_of known x =? c x) kept.

(** The letters that a state has a transition for, and that have the digits of a column at the tracks that are kept. *)
Definition exits (q : positive) (c : column) : list (letter * positive) :=
  match PositiveMap.find q m with
  | Some (_, r) =>
      flat_map (fun l => match target r l with Some t => [(l, t)] | None => [] end)
        (nodup letters_same (map (fun o => map (column_of (fst o)) xs)
           (filter (fun o => like c (fst o)) (expand r xs (map (fun x => (x, c x)) kept)))))
  | None => []
  end.

Lemma lookup_kept (c : column) (l : list name) x : lookup x (map (fun x => (x, c x)) l) = if mem x l then Some (c x) else None.
Proof.
  destruct (mem x l) eqn:M.
  - apply mem_in in M. induction l as [|y l IH]; simpl in *; [contradiction|].
    destruct (Pos.eqb_spec y x) as [->|N]; auto. apply IH. destruct M; auto. contradiction.
  - apply mem_not in M. induction l as [|y l IH]; simpl in *; auto.
    destruct (Pos.eqb_spec y x) as [->|N]; auto. exfalso. auto.
Qed.

Lemma exits_in q c l t : In (l, t) (exits q c) <->
  (exists e, alike kept e c /\ l = map e xs) /\ step m (Some q) l = Some t.
Proof.
  unfold exits, step. destruct (PositiveMap.find q m) as [[z r]|]; [|simpl; split; [tauto | intros [_ [=]]]].
  rewrite in_flat_map. split.
  - intros (l' & I & T). destruct (target r l') as [t'|] eqn:E; [|destruct T]. destruct T as [[= -> ->]|[]].
    split; auto. apply nodup_In, in_map_iff in I as ([known t'] & <- & I). apply filter_In in I as [_ I]. simpl in *.
    exists (column_of known). split; auto. unfold like in I. rewrite forallb_forall in I. intros x X.
    now apply Nat.eqb_eq, I.
  - intros [(e & A & ->) T]. exists (map e xs). split; [|rewrite T; now left].
    apply nodup_In.
    destruct (expand_sound e xs r (map (fun x => (x, c x)) kept) t) as (more & I & G); auto.
    { intros x d. rewrite lookup_kept. destruct (mem x kept) eqn:M; try discriminate. intros [= <-].
      apply mem_in in M. now apply A. }
    destruct (expand_knows _ _ _ _ _ I) as [K X].
    assert (V : forall x, lookup x more <> None -> column_of more x = e x).
    { intros x N. unfold column_of. destruct (lookup x more) eqn:L; [|contradiction]. symmetry. now apply G. }
    apply in_map_iff. exists (more, t). split.
    + apply map_ext_in. intros x I'. apply V. auto.
    + apply filter_In. split; auto. simpl. unfold like. apply forallb_forall. intros x I'. apply Nat.eqb_eq.
      rewrite V; auto. apply K. rewrite lookup_kept. apply mem_in in I'. rewrite I'. discriminate.
Qed.

Lemma exits_distinct q c : NoDup (map fst (exits q c)).
Proof.
  unfold exits. destruct (PositiveMap.find q m) as [[z r]|]; [|constructor].
  match goal with |- context [nodup ?d ?l] => pose proof (NoDup_nodup d l) as N; revert N; generalize (nodup d l) end.
  intros ls N. induction N as [|l ls I N IH]; simpl; [constructor|]. rewrite map_app.
  apply distinct_app; auto.
  - destruct (target r l); repeat constructor. auto.
  - intros a A B. apply I. apply in_map_iff in B as ([b t] & E & B). apply in_flat_map in B as (b' & J & B).
    destruct (target r b'); [|destruct B]. destruct B as [[= -> ->]|[]]. simpl in E. subst b.
    destruct (target r l); [|destruct A]. destruct A as [A|[]]. simpl in A. now subst.
Qed.

Lemma exits_alike q c c' : alike kept c c' -> exits q c = exits q c'.
Proof.
  intros A. unfold exits. destruct (PositiveMap.find q m) as [[z r]|]; auto.
  rewrite (map_ext_in (fun x => (x, c x)) (fun x => (x, c' x))). 2:{ intros x X. now rewrite A. }
  f_equal. f_equal. f_equal. apply filter_ext. intros [known t]. simpl. unfold like, alike in *.
  clear - A. induction kept as [|x l IH]; simpl; auto. rewrite A by now left. f_equal. apply IH. intros y Y. apply A. now right.
Qed.

Definition letters_read (es : list column) : list letter := map (fun e => map e xs) es.

(** All ways along columns: what is read, the last letter first, and the state. *)
Definition extend (c : column) (p : list letter * positive) : list (list letter * positive) :=
  map (fun o => (fst o :: fst p, snd o)) (exits (snd p) c).
Definition paths (cs : list column) : list (list letter * positive) :=
  fold_left (fun ps c => flat_map (extend c) ps) cs [([], 1%positive)].

Lemma paths_snoc cs c : paths (cs ++ [c]) = flat_map (extend c) (paths cs).
Proof. unfold paths. now rewrite fold_left_app. Qed.

Definition next (c : column) (states : list positive) : list positive := flat_map (fun q => map snd (exits q c)) states.

Lemma paths_states cs c : map snd (paths (cs ++ [c])) = next c (map snd (paths cs)).
Proof.
  rewrite paths_snoc. unfold next. induction (paths cs) as [|p ps IH]; simpl; auto. rewrite map_app, IH. f_equal.
  unfold extend. now rewrite map_map.
Qed.

Lemma next_alike c c' states : alike kept c c' -> next c states = next c' states.
Proof. intros A. unfold next. induction states as [|q l IH]; simpl; auto. now rewrite IH, (exits_alike q c c' A). Qed.

Lemma paths_distinct cs : NoDup (map fst (paths cs)).
Proof.
  induction cs as [|c cs IH] using rev_ind. { repeat constructor. auto. }
  rewrite paths_snoc. induction (paths cs) as [|p ps IHp]; simpl in *; [constructor|].
  inversion IH as [|? ? I N]; subst. rewrite map_app. apply distinct_app; auto.
  - unfold extend. rewrite map_map. simpl. rewrite <- (map_map fst (fun l => l :: fst p)).
    apply FinFun.Injective_map_NoDup; [|apply exits_distinct]. intros a b [= ->]. auto.
  - intros w A B. apply in_map_iff in A as ([w1 t1] & <- & A). apply in_map_iff in B as ([w2 t2] & E & B). simpl in E. subst w2.
    apply in_flat_map in B as (p' & J & B). unfold extend in *.
    apply in_map_iff in A as (o & [= <- _] & _). apply in_map_iff in B as (o' & [= _ E _] & _).
    apply I. rewrite <- E. now apply in_map.
Qed.

Lemma paths_in cs : forall w q, In (w, q) (paths cs) <->
  exists es, Forall2 (alike kept) es cs /\ rev w = letters_read es /\ run m (rev w) = Some q.
Proof.
  induction cs as [|c cs IH] using rev_ind; intros w q.
  - split.
    + intros [[= <- <-]|[]]. exists []. repeat split. constructor.
    + intros (es & F & E & R). inversion F; subst. simpl in E. rewrite E in R. injection R as <-.
      rewrite <- (rev_involutive w), E. now left.
  - rewrite paths_snoc, in_flat_map. split.
    + intros ([w' p] & I & X). apply IH in I as (es & F & E & R). unfold extend in X. simpl in X.
      apply in_map_iff in X as ([l t] & [= <- <-] & X). apply exits_in in X as [(e & A & X) T].
      exists (es ++ [e]). simpl. repeat split.
      * apply Forall2_app; auto.
      * unfold letters_read. rewrite map_app. simpl. f_equal; auto. now subst.
      * now rewrite run_snoc, R.
    + intros (es & F & E & R). apply Forall2_app_inv_r in F as (es1 & es2 & F & G & ->).
      inversion G as [|e ? es' ? A N]; subst. inversion N; subst. unfold letters_read in E. rewrite map_app in E. simpl in E.
      assert (W : w = map e xs :: rev (letters_read es1)).
      { rewrite <- (rev_involutive w), E, rev_app_distr. reflexivity. }
      rewrite E, run_snoc in R. fold (letters_read es1) in R.
      destruct (run m (letters_read es1)) as [p|] eqn:P; try discriminate.
      exists (rev (letters_read es1), p). split.
      * apply IH. exists es1. rewrite rev_involutive. auto.
      * unfold extend. simpl. apply in_map_iff. exists (map e xs, q). split; [simpl; congruence|].
        apply exits_in. split; eauto.
Qed.

(** ** The guess *)

Variable h : counted.

Definition after (c : column) (w : several) : several :=
  flat_map (fun p => map (fun o => (snd o, snd p)) (exits (fst p) c)) w.

Lemma spread_after c w q : count_occ Pos.eq_dec (spread (after c w)) q = count_occ Pos.eq_dec (next c (spread w)) q.
Proof.
  unfold next. induction w as [|[a n] w IH]; auto. unfold after, spread in *. cbn [flat_map fst snd].
  rewrite !flat_map_app, !count_occ_app, IH. f_equal. clear IH.
  assert (L : forall l : list (letter * positive),
            count_occ Pos.eq_dec (flat_map (fun p => repeat (fst p) (N.to_nat (snd p))) (map (fun o => (snd o, n)) l)) q
            = N.to_nat n * count_occ Pos.eq_dec (map snd l) q).
  { induction l as [|[x b] l IHl]; simpl; [lia|]. rewrite count_occ_app, occurrences_repeat, IHl.
    destruct (Pos.eq_dec b q); rewrite ?Nat.mul_succ_r; lia. }
  rewrite L. clear L. induction (N.to_nat n) as [|i IH]; auto. cbn [repeat flat_map]. rewrite count_occ_app, <- IH. lia.
Qed.

Lemma spread_after_same c w : same_capped k (spread (after c w)) (next c (spread w)).
Proof. intros q. now rewrite spread_after. Qed.

Definition ways (i : positive) : several := match PositiveMap.find i (ways_of h) with Some l => l | None => [] end.

Fixpoint settles (now : several) (later : list several) (last : several) : bool :=
  match later with
  | [] => same_cappedb number now last && same_cappedb number (after (fun _ => 0) last) last
  | l :: later => same_cappedb number (after (fun _ => 0) now) l && settles l later last
  end.

Definition accepted_ways (states : list positive) : nat := length (filter (fun q => accepting m (Some q)) states).
Definition accepted_weight (w : several) : N :=
  fold_right (fun p n => if accepting m (Some (fst p)) then (snd p + n)%N else n) 0%N w.

Lemma accepted_spread w : N.to_nat (accepted_weight w) = accepted_ways (spread w).
Proof.
  unfold accepted_ways. induction w as [|[a n] w IH]; auto. cbn [accepted_weight fold_right fst snd].
  unfold spread. cbn [flat_map fst snd]. rewrite filter_app, app_length. fold (spread w). rewrite <- IH. fold (accepted_weight w).
  assert (L : forall i, length (filter (fun q => accepting m (Some q)) (repeat a i)) = if accepting m (Some a) then i else 0).
  { induction i as [|i IHi]; cbn [repeat filter]; destruct (accepting m (Some a)); simpl; auto. }
  rewrite L. destruct (accepting m (Some a)); lia.
Qed.

Definition check_ways_at (i : positive) (o : Z * row) : bool :=
  forallb (fun '(known, j) =>
             forallb (fun x => match lookup x known with Some _ => true | None => false end) kept
             && same_cappedb number (after (column_of known) (ways i)) (ways j))
    (expand (snd o) kept [])
  && eqb (negb (fst o =? 0)%Z) (number <=? accepted_weight (ways i))%N.

Definition check_ways : bool :=
  settles [(1%positive, 1%N)] (along h) (ways 1)
  && forallb (fun '(i, o) => check_ways_at i o) (PositiveMap.elements (counting h)).

Hypothesis good : check_ways = true.

Lemma zeros_snoc n : zeros (S n) = zeros n ++ [fun _ => 0].
Proof. unfold zeros. induction n; simpl; auto. now rewrite <- IHn. Qed.

Notation states_along cs := (map snd (paths cs)).

Lemma next_same c l l' : same_capped k l l' -> same_capped k (next c l) (next c l').
Proof. apply flat_map_same. Qed.

Lemma after_zeros (w w' : several) n : same_cappedb number (after (fun _ => 0) w) w' = true ->
  same_capped k (spread w) (states_along (zeros n)) -> same_capped k (spread w') (states_along (zeros (S n))).
Proof.
  intros A H q. apply same_cappedb_sound in A. rewrite zeros_snoc, paths_states, <- (A q), (spread_after_same _ _ q).
  now apply next_same.
Qed.

Lemma settles_sound last later : forall now n, settles now later last = true ->
  same_capped k (spread now) (states_along (zeros n)) -> forall n', n + length later <= n' ->
  same_capped k (spread last) (states_along (zeros n')).
Proof.
  induction later as [|l later IH]; intros now n H S n' L; simpl in H; apply andb_true_iff in H as [A B].
  - apply same_cappedb_sound in A. simpl in L. rewrite Nat.add_0_r in L.
    induction L as [|n' L IH]. { intros q. rewrite <- A. apply S. }
    apply (after_zeros last); auto.
  - apply (IH l (Datatypes.S n)); auto.
    + now apply (after_zeros now).
    + simpl in L. lia.
Qed.

Lemma ways_counted cs n : length (along h) <= n -> forall i, run (counting h) (map (fun c => map c kept) cs) = Some i ->
  same_capped k (spread (ways i)) (states_along (zeros n ++ cs)).
Proof.
  intros L. unfold check_ways in good. apply andb_true_iff in good as [Z S]. rewrite forallb_forall in S.
  induction cs as [|c cs IH] using rev_ind; intros i R.
  - injection R as <-. rewrite app_nil_r. apply (settles_sound _ _ _ 0 Z); auto. intros q. reflexivity.
  - rewrite map_app in R. cbn [map] in R. rewrite run_snoc in R.
    destruct (run (counting h) (map (fun c => map c kept) cs)) as [p|]; try discriminate. specialize (IH p eq_refl).
    unfold step in R. destruct (PositiveMap.find p (counting h)) as [[z r]|] eqn:F; try discriminate.
    apply PositiveMap.elements_correct in F. apply S in F. simpl in F. unfold check_ways_at in F.
    apply andb_true_iff in F as [F _]. rewrite forallb_forall in F. simpl in F.
    destruct (expand_sound c kept r [] i) as (known & K & A); auto. { intros x d. discriminate. }
    specialize (F _ K). simpl in F. apply andb_true_iff in F as [X F]. rewrite forallb_forall in X.
    apply same_cappedb_sound in F. rewrite app_assoc, paths_states.
    assert (E : next (column_of known) (spread (ways p)) = next c (spread (ways p))).
    { apply next_alike. intros x I. specialize (X x I). unfold column_of. destruct (lookup x known) eqn:U; try discriminate.
      symmetry. auto. }
    intros q. rewrite <- (F q), (spread_after_same _ _ q), E. now apply next_same.
Qed.

(** The automaton that accepts where there are fewer ways. *)
Definition fewer (a : automaton) : automaton := PositiveMap.map (fun o => (if (fst o =? 0)%Z then 1%Z else 0%Z, snd o)) a.

Lemma fewer_find a q :
  PositiveMap.find q (fewer a) = option_map (fun o => (if (fst o =? 0)%Z then 1%Z else 0%Z, snd o)) (PositiveMap.find q a).
Proof. apply PositiveMap.gmapi. Qed.

Lemma fewer_run a ls : run (fewer a) ls = run a ls.
Proof.
  unfold run. generalize (Some 1%positive). induction ls as [|l ls IH]; intros q; simpl; auto.
  rewrite IH. f_equal. destruct q as [q|]; auto. simpl. rewrite fewer_find.
  destruct (PositiveMap.find q a) as [[z r]|]; auto.
Qed.

Definition ways_along (cs : list column) : list (list letter * positive) :=
  filter (fun p => accepting m (Some (snd p))) (paths cs).

Lemma accepted_along cs : accepted_ways (states_along cs) = length (ways_along cs).
Proof. apply (filter_map_length snd (fun q => accepting m (Some q))). Qed.

Lemma state_good i z r : PositiveMap.find i (counting h) = Some (z, r) ->
  negb (z =? 0)%Z = (k <=? accepted_ways (spread (ways i))).
Proof.
  intros F. unfold check_ways in good. apply andb_true_iff in good as [_ S]. rewrite forallb_forall in S.
  apply PositiveMap.elements_correct in F. apply S in F. simpl in F. apply andb_true_iff in F as [_ F].
  apply eqb_prop in F. cbn [fst] in F. rewrite F, <- accepted_spread.
  destruct (N.leb_spec number (accepted_weight (ways i))), (Nat.leb_spec k (N.to_nat (accepted_weight (ways i)))); auto; lia.
Qed.

Lemma enough_ways cs n : length (along h) <= n -> accepts (counting h) (map (fun c => map c kept) cs) = true ->
  k <= length (ways_along (zeros n ++ cs)).
Proof.
  intros L A. unfold accepts in A. destruct (run _ _) as [i|] eqn:R; try discriminate.
  unfold accepting, output in A. destruct (PositiveMap.find i (counting h)) as [[z r]|] eqn:F; try discriminate.
  simpl in A. rewrite (state_good i z r F) in A. unfold accepted_ways in A.
  rewrite (filter_same k _ _ _ (ways_counted cs n L i R)) in A. fold (accepted_ways (states_along (zeros n ++ cs))) in A.
  rewrite accepted_along in A. now apply Nat.leb_le.
Qed.

Lemma fewer_ways cs n : length (along h) <= n -> accepts (fewer (counting h)) (map (fun c => map c kept) cs) = true ->
  length (ways_along (zeros n ++ cs)) < k.
Proof.
  intros L A. unfold accepts in A. rewrite fewer_run in A. destruct (run _ _) as [i|] eqn:R; try discriminate.
  unfold accepting, output in A. rewrite fewer_find in A.
  destruct (PositiveMap.find i (counting h)) as [[z r]|] eqn:F; try discriminate.
  pose proof (state_good i z r F) as G. unfold accepted_ways in G.
  rewrite (filter_same k _ _ _ (ways_counted cs n L i R)) in G. fold (accepted_ways (states_along (zeros n ++ cs))) in G.
  rewrite accepted_along in G. apply Nat.leb_gt. rewrite <- G. simpl in A. destruct (z =? 0)%Z; auto.
Qed.
End Ways.

(** * The rule *)

Section Rule.
Variable here : world.
Variable table : automata.
Variable patience : nat.

(** The relation accepts where there are enough ways, and it does where there are not fewer. *)
Definition exactly (has : list bool) : bool := match has with [r; enough; less] => if r then enough else less | _ => false end.

Definition check_count (r : part) (gs : list part) (c : claim) (k : N) (bound : list name) (h : counted) : bool :=
  let kept := kept_names c bound in
  may_bind here table patience r gs c bound
  && sound_at here table (rel c) && subset bound (tracks (rel c))
  && refuse_unless here table patience every (gs ++ [rel c]) (map (number_of here) (witnesses c bound))
  && check_ways (machine (resolve table (rel c))) (tracks (rel c)) kept k h
  && refuse_unless here table patience exactly gs
       [r; Own {| machine := counting h; names := kept |}; Own {| machine := fewer (counting h); names := kept |}].

Lemma pairwise_choice {A B} (Q : A -> B -> Prop) (R : B -> B -> Prop) l :
  NoDup l -> (forall a, In a l -> exists b, Q a b) -> (forall a a' b b', Q a b -> Q a' b' -> a <> a' -> R b b') ->
  exists bs, length bs = length l /\ pairwise R bs /\ forall b, In b bs -> exists a, In a l /\ Q a b.
Proof.
  intros N E D. induction N as [|a l I N IH]. { exists []. repeat split. intros b []. }
  destruct IH as (bs & L & P & F). { intros a' J. apply E. now right. }
  destruct (E a) as (b & X). { now left. }
  exists (b :: bs). split; [simpl; lia|]. split; [split; auto|].
  - intros b' J. destruct (F b' J) as (a' & J' & X'). apply (D a a'); auto. intros ->. contradiction.
  - intros b' [<-|J]. { exists a. split; auto. now left. } destruct (F b' J) as (a' & J' & X').
    exists a'. split; auto. now right.
Qed.

Lemma distinct_choice {A B} (Q : A -> B -> Prop) (R : A -> A -> Prop) l :
  pairwise R l -> (forall a, In a l -> exists b, Q a b) -> (forall a a' b, Q a b -> Q a' b -> ~ R a a') ->
  exists bs, length bs = length l /\ NoDup bs /\ forall b, In b bs -> exists a, In a l /\ Q a b.
Proof.
  induction l as [|a l IH]; intros P E D. { exists []. split; auto. split; [constructor|]. intros b []. }
  destruct P as [P PL]. destruct IH as (bs & L & N & F); auto. { intros a' J. apply E. now right. }
  destruct (E a) as (b & X). { now left. }
  exists (b :: bs). split; [simpl; lia|]. split.
  - constructor; auto. intros J. destruct (F b J) as (a' & J' & X'). apply (D a a' b); auto.
  - intros b' [<-|J]. { exists a. split; auto. now left. } destruct (F b' J) as (a' & J' & X').
    exists a'. split; auto. now right.
Qed.

Lemma in_firstn {A} n (l : list A) a : In a (firstn n l) -> In a l.
Proof. intros I. rewrite <- (firstn_skipn n l). apply in_app_iff. auto. Qed.

Lemma distinct_firstn {A} n : forall l : list A, NoDup l -> NoDup (firstn n l).
Proof.
  induction n as [|n IH]; intros [|a l] N; simpl; try constructor; inversion N; subst; auto.
  intros I. apply in_firstn in I. contradiction.
Qed.

Lemma distinct_map_filter {A B} (f : A -> B) P l : NoDup (map f l) -> NoDup (map f (filter P l)).
Proof.
  induction l as [|a l IH]; simpl; auto. intros N. inversion N as [|? ? I M]; subst.
  destruct (P a); auto. simpl. constructor; auto.
  intros J. apply I. apply in_map_iff in J as (b & <- & J). apply filter_In in J as [J _]. now apply in_map.
Qed.

Lemma differ_somewhere (bound : list name) (v w : values) :
  (forall x, In x bound -> v x = w x) \/ exists x, In x bound /\ v x <> w x.
Proof.
  induction bound as [|y l [IH|(x & I & N)]]; [left; intros x [] | | right; exists x; split; auto; now right].
  destruct (Nat.eq_dec (v y) (w y)) as [E|N]; [left; intros x [<-|I]; auto | right; exists y; split; auto; now left].
Qed.

Lemma equal_tracks_alike kept cs : forall es : list column, length es = length cs ->
  (forall x, In x kept -> track_of x es = track_of x cs) -> Forall2 (alike kept) es cs.
Proof.
  induction cs as [|c cs IH]; intros [|e es] L T; try discriminate; constructor.
  - intros x X. specialize (T x X). simpl in T. congruence.
  - apply IH; auto. intros x X. specialize (T x X). simpl in T. congruence.
Qed.

Lemma read_tracks (r : relation) cs cs' x : read_by r cs = read_by r cs' -> In x (names r) -> track_of x cs = track_of x cs'.
Proof.
  revert cs'. induction cs as [|c cs IH]; intros [|c' cs'] E I; try discriminate; auto. simpl in *. injection E as E F.
  f_equal; [|now apply IH]. clear - E I. induction (names r) as [|y l IH]; simpl in *; [contradiction|].
  injection E as E F. destruct I as [<-|I]; auto.
Qed.

(** ** What follows at a place *)

Variable fixed : list name.
Variable written : list column -> values -> Prop.
Hypothesis sits : writing here table fixed written.
Notation differ bound := (pairwise (fun v1 v2 => exists x, In x bound /\ v1 x <> v2 x)).

(** Witnesses that differ, as many as there are ways: different ways are words, so numbers. *)
Lemma witnesses_of_ways gs c bound kept cs v ls :
  let m := machine (resolve table (rel c)) in
  (forall x, In x bound -> ~ In x fixed) -> (forall p, In p gs -> disjoint (tracks p) bound = true) ->
  sound_at here table (rel c) = true ->
  refuse_unless here table patience every (gs ++ [rel c]) (map (number_of here) (witnesses c bound)) = true ->
  (forall x, In x (kept_names c bound) -> In x kept) -> written cs v -> all_have table gs cs ->
  NoDup ls -> (forall w, In w ls -> In w (map fst (ways_along m (tracks (rel c)) kept cs))) ->
  exists found, length found = length ls /\ differ bound found
    /\ forall v', In v' found -> witness table written gs c (witnesses c bound) v v'.
Proof.
  intros m NF D SC L KN W G ND LS. set (xs := tracks (rel c)) in *.
  apply andb_true_iff in SC as [_ KX]. rewrite forallb_forall in KX.
  set (Q := fun (w : list letter) (v' : values) => exists cs', written cs' v' /\ same_but (witnesses c bound) v v' /\ all_have table gs cs'
              /\ read_by (resolve table (rel c)) cs' = rev w /\ accepts m (rev w) = true /\ length cs' = length cs).
  destruct (pairwise_choice Q (fun v1 v2 => exists x, In x bound /\ v1 x <> v2 x) ls ND) as (vs & LV & P & F).
  - intros w I. apply LS in I. apply in_map_iff in I as ([w' q] & <- & I). unfold ways_along in I.
    apply filter_In in I as [I A]. apply paths_in in I as (es & F & E & T). simpl in *.
    assert (AC : accepts m (letters_read xs es) = true) by (unfold accepts; rewrite <- E, T; exact A).
    destruct (witness_values here table patience fixed written sits [] gs c bound es cs v) as (v' & cs' & W' & B & G' & R & LC); auto.
    { intros x X. apply NF. now apply witnesses_in in X. }
    { clear - F KN. induction F as [|a b la lb A F IH]; constructor; auto. intros x X. now apply A, KN. }
    exists v', cs'. rewrite E. auto 6.
  - intros w1 w2 v1 v2 (cs1 & W1 & B1 & _ & R1 & _ & L1) (cs2 & W2 & B2 & _ & R2 & _ & L2) N.
    destruct (differ_somewhere bound v1 v2) as [E|]; auto. exfalso. apply N.
    rewrite <- (rev_involutive w1), <- (rev_involutive w2), <- R1, <- R2. f_equal.
    apply read_same; [congruence|]. intros x X.
    apply (writing_tracks _ _ _ _ sits) with (v := v1) (v' := v2); auto; [congruence|]. intros _.
    destruct (in_dec x bound) as [B|B]; auto. rewrite B1, B2; auto; intros J; apply witnesses_in in J; tauto.
  - exists vs. split; [exact LV|]. split; [exact P|]. intros v' I.
    apply F in I as (w & _ & cs' & W' & B & G' & R & A & _). split; auto. exists cs'. repeat split; auto.
    unfold has, accepts_columns. now rewrite R.
Qed.

Lemma witnesses_written gs c bound v (found : list values) : (forall v', In v' found -> witness table written gs c bound v v') ->
  exists l, forall v', In v' found -> exists cs, length cs <= l /\ written cs v' /\ has table (rel c) cs = true.
Proof.
  induction found as [|v1 found IH]; intros F. { exists 0. intros v' []. }
  destruct IH as (l & IH). { intros v' I. apply F. now right. }
  destruct (F v1) as (_ & cs & W & R & _). { now left. }
  exists (max l (length cs)). intros v' [<-|I]; [exists cs; split; [lia|auto]|].
  destruct (IH v' I) as (cs' & L & X). exists cs'. split; [lia | exact X].
Qed.

(** As many ways as there are witnesses that differ, if there are zeros enough in front. *)
Lemma ways_of_witnesses gs c bound kept cs v found :
  let m := machine (resolve table (rel c)) in
  (forall x, In x bound -> ~ In x fixed) -> sound_at here table (rel c) = true -> subset bound (tracks (rel c)) = true ->
  (forall x, In x kept -> knows here x = true /\ ~ In x bound) -> written cs v -> differ bound found ->
  (forall v', In v' found -> witness table written gs c bound v v') ->
  exists l, forall n, l <= n -> length found <= length (ways_along m (tracks (rel c)) kept (zeros n ++ cs)).
Proof.
  intros m NF SC SB KO W P F. set (xs := tracks (rel c)) in *. assert (SC' := SC).
  apply andb_true_iff in SC' as [_ KX]. rewrite forallb_forall in KX.
  destruct (witnesses_written gs c bound v found F) as (l & WL). exists l. intros n LN.
  set (cs0 := zeros n ++ cs) in *.
  assert (W0 : written cs0 v) by now apply (writing_zeros _ _ _ _ sits).
  assert (LC : l <= length cs0) by (unfold cs0, zeros; rewrite app_length, repeat_length; lia).
  set (Q := fun (v' : values) (w : list letter) => In w (map fst (ways_along m xs kept cs0)) /\
              exists cs', written cs' v' /\ length cs' = length cs0 /\ read_by (resolve table (rel c)) cs' = rev w).
  destruct (distinct_choice Q (fun v1 v2 => exists x, In x bound /\ v1 x <> v2 x) found P) as (ls & LS & NL & I).
  - intros v' I. destruct (F v' I) as [B _]. destruct (WL v' I) as (short & LE & WS & HR).
    set (cs' := padded (length cs0) short).
    assert (L' : length cs' = length cs0) by (apply padded_length; lia).
    assert (W' : written cs' v') by now apply (writing_zeros _ _ _ _ sits).
    rewrite <- (sound_zeros here table (rel c) (length cs0 - length short) short SC) in HR. fold (padded (length cs0) short) in HR. fold cs' in HR.
    unfold has, accepts_columns, accepts in HR. fold m in HR.
    destruct (run m (read_by (resolve table (rel c)) cs')) as [q|] eqn:Rn; [|discriminate].
    exists (rev (read_by (resolve table (rel c)) cs')). split.
    + apply in_map_iff. exists (rev (read_by (resolve table (rel c)) cs'), q). split; auto. unfold ways_along.
      apply filter_In. split; auto. apply paths_in. exists cs'. rewrite rev_involutive. split; [|split; auto].
      * apply equal_tracks_alike; auto. intros x X. apply KO in X as [X N].
        apply (writing_tracks _ _ _ _ sits) with (v := v') (v' := v); auto.
      * unfold read_by, letters_read, xs. now rewrite (tracks_names table).
    + exists cs'. rewrite rev_involutive. auto.
  - intros v1 v2 w (_ & cs1 & W1 & L1 & R1) (_ & cs2 & W2 & L2 & R2) (x & X & N). apply N.
    assert (XX : In x (names (resolve table (rel c)))) by (rewrite <- tracks_names; eapply subset_in; eauto).
    apply (writing_values _ _ _ _ sits) with (cs := cs1) (cs' := cs2); auto.
    apply (read_tracks (resolve table (rel c))); [congruence | exact XX].
  - rewrite <- LS. apply NoDup_incl_length with (l' := map fst (ways_along m xs kept cs0)) in NL.
    { now rewrite map_length in NL. }
    intros w J. destruct (I w J) as (v' & _ & X & _). exact X.
Qed.

Lemma accepted_witnesses r gs c k bound h cs v : (forall x, In x bound -> ~ In x fixed) -> check_count r gs c k bound h = true ->
  forallb (sound_at here table) gs = true -> written cs v -> all_have table gs cs -> has table r cs = true ->
  exists found, length found = N.to_nat k /\ differ bound found
    /\ forall v', In v' found -> witness table written gs c (witnesses c bound) v v'.
Proof.
  unfold check_count. set (kept := kept_names c bound). set (m := machine _). set (xs := tracks _). rewrite !andb_true_iff.
  intros NF [[[[[B SC] SB] L] S] C] SG W G R. apply may_bind_disjoint in B as (_ & D & _).
  eapply refuse_sound_at in C; eauto using (writing_numbers _ _ _ _ sits). cbn [map exactly] in C. rewrite R in C.
  unfold has, accepts_columns, read_by in C. cbn [resolve machine names] in C. set (n := length (along h)).
  apply (enough_ways m xs kept k h S cs n (le_n _)) in C.
  set (ls := firstn (N.to_nat k) (map fst (ways_along m xs kept (zeros n ++ cs)))).
  assert (LL : length ls = N.to_nat k) by (unfold ls; rewrite firstn_length, map_length; lia). rewrite <- LL.
  apply (witnesses_of_ways gs c bound kept (zeros n ++ cs) v ls); auto.
  - now apply (writing_zeros _ _ _ _ sits).
  - now apply (all_zeros_in_front here).
  - unfold ls. apply distinct_firstn. unfold ways_along. apply distinct_map_filter. apply paths_distinct.
  - intros w I. now apply in_firstn in I.
Qed.

Lemma witnesses_accepted r gs c k bound h cs v found : (forall x, In x bound -> ~ In x fixed) -> check_count r gs c k bound h = true ->
  written cs v -> all_have table gs cs -> length found = N.to_nat k -> differ bound found ->
  (forall v', In v' found -> witness table written gs c bound v v') -> has table r cs = true.
Proof.
  unfold check_count. set (kept := kept_names c bound). set (m := machine _). set (xs := tracks _). rewrite !andb_true_iff.
  intros NF [[[[[_ SC] SB] L] S] C] W G LF P F.
  eapply refuse_sound_at in C; eauto using (writing_numbers _ _ _ _ sits). cbn [map exactly] in C.
  destruct (has table r cs); auto. exfalso.
  destruct (ways_of_witnesses gs c bound kept cs v found) as (l & WL); auto.
  { intros x X. apply without_in in X as [X N]. split; auto. apply andb_true_iff in SC as [_ KX].
    rewrite forallb_forall in KX. apply KX. now rewrite <- tracks_names. }
  unfold has, accepts_columns, read_by in C. cbn [resolve machine names] in C.
  apply (fewer_ways m xs kept k h S cs (length (along h) + l)) in C; [|lia].
  specialize (WL (length (along h) + l) ltac:(lia)). fold m xs in WL. lia.
Qed.
End Rule.

Section Count.
Variable d : declarations.
Variable pumps : PositiveMap.t pump.
Variable table : automata.
Variable patience : nat.
Hypothesis good : systems_good d pumps = true.

Lemma check_count_sound r gs c k bound h : check_count d table patience r gs c k bound h = true ->
  forallb (sound_part d table) (r :: gs) = true -> valid d table c ->
  follows d table r gs (Count k bound (fact c)).
Proof.
  intros H S V v cs W G. cbn [rel guards fact] in *. assert (H' := H). unfold check_count in H'. rewrite !andb_true_iff in H'.
  destruct H' as [[[[[B _] _] _] _] _]. apply may_bind_disjoint in B as (_ & D & Gd). apply andb_true_iff in S as [_ S].
  pose proof (numbers_writing d pumps table good) as P. split.
  - intros R. destruct (accepted_witnesses d table patience [] (written d) P r gs c k bound h cs v) as (found & L & DF & F); auto.
    exists found. split; [exact L|]. split; [exact DF|]. intros v' I. apply F, witness_more in I.
    split; [exact (proj1 I) | eapply witness_true; eauto].
  - intros (found & L & DF & F). eapply (witnesses_accepted d table patience [] (written d) P); eauto.
    intros v' I. destruct (F v' I) as [B T]. eapply true_witness; eauto.
Qed.
End Count.
