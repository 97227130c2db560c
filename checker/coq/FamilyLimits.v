(** Limits: what a relation says beside longer and longer beginnings, by the automaton that reads it from the end. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements FamilyStatements Numeration Columns Walks Forms Definitions Claims Atoms Exists FamilyNumeration FamilyClaims.
Import ListNotations.

(** A state of [from_end] stands for the states of a relation from which the rest of a word is accepted.  Beside zeros its
    rank, in [orders], never grows, and while it stays the same, so does what is said after a number of the sequence. *)
Record endings := { reversed : automaton; standing : PositiveMap.t (PositiveMap.t unit); orders : PositiveMap.t (nat * bool) }.

Section Endings.
Variables (f : family) (parameter : name) (m : automaton) (xs : list name) (e : endings).

Definition stand (i : positive) : PositiveMap.t unit :=
  match PositiveMap.find i (standing e) with Some l => l | None => PositiveMap.empty unit end.

Definition complete (known : digits_known) : bool := forallb (fun x => match lookup x known with Some _ => true | None => false end) xs.

Definition before_of (found : PositiveMap.t (list (positive * digits_known))) (q : positive) : list (positive * digits_known) :=
  match PositiveMap.find q found with Some l => l | None => [] end.

Definition add_before (p : positive) (t : digits_known * positive) (found : PositiveMap.t (list (positive * digits_known))) :=
  PositiveMap.add (snd t) ((p, fst t) :: before_of found (snd t)) found.

(** By state, the transitions to it. *)
Definition befores : PositiveMap.t (list (positive * digits_known)) :=
  fold_left (fun found t => fold_left (fun found u => add_before (fst t) u found) (expand (snd (snd t)) xs []) found)
    (PositiveMap.elements m) (PositiveMap.empty _).

Definition letter_of (known : digits_known) : letter := map (column_of known) xs.

Definition beside_zeros (known : digits_known) : bool :=
  forallb (fun x => Pos.eqb x parameter || (column_of known x =? 0)) xs
  && existsb (Nat.eqb (column_of known parameter)) (firsts f ++ mores f).

Definition falls (i j : positive) (is_end : bool) : bool :=
  match PositiveMap.find i (orders e), PositiveMap.find j (orders e) with
  | Some (r, s), Some (r', s') => (r' <? r) || ((r' =? r) && eqb s s' && (negb is_end || eqb (among 1 (stand j)) s'))
  | _, _ => false
  end.

Definition there (i : positive) : bool := match PositiveMap.find i (reversed e) with Some _ => true | None => false end.

Definition check_endings : bool :=
  mem parameter xs
  && forallb (fun q => accepting m (Some (fst q))) (PositiveMap.elements (stand 1))
  && forallb (fun t => negb (accepting m (Some (fst t))) || among (fst t) (stand 1)) (PositiveMap.elements m)
  && (let bs := befores in
      forallb (fun t =>
        let i := fst t in
        forallb (fun q => forallb (fun u => complete (snd u)
                                           && match step (reversed e) (Some i) (letter_of (snd u)) with
                                              | Some j => among (fst u) (stand j)
                                              | None => false
                                              end) (before_of bs (fst q))) (PositiveMap.elements (stand i))
        && forallb (fun u =>
             let known := fst u in
             let j := snd u in
             complete known && there j
             && forallb (fun p => match step m (Some (fst p)) (letter_of known) with Some q => among q (stand i) | None => false end)
                  (PositiveMap.elements (stand j))
             && (negb (beside_zeros known) || falls i j (existsb (Nat.eqb (column_of known parameter)) (firsts f))))
             (expand (snd (snd t)) xs []))
        (PositiveMap.elements (reversed e)))
  && there 1.

Hypothesis good : check_endings = true.

Lemma before_added p t found q u : In u (before_of found q) -> In u (before_of (add_before p t found) q).
Proof.
  unfold add_before, before_of at 2. intros I. destruct (Pos.eq_dec q (snd t)) as [->|N].
  - rewrite PositiveMap.gss. now right.
  - rewrite PositiveMap.gso by auto. exact I.
Qed.

Lemma befores_row p l : forall found q u, In u (before_of found q) \/ (exists k, u = (p, k) /\ In (k, q) l) ->
  In u (before_of (fold_left (fun found u => add_before p u found) l found) q).
Proof.
  induction l as [|t l IH]; intros found q u H; simpl.
  - destruct H as [H|(k & _ & [])]; auto.
  - apply IH. destruct H as [H|(k & -> & [->|I])]; eauto using before_added. left. unfold add_before, before_of at 1. cbn [fst snd].
    rewrite PositiveMap.gss. now left.
Qed.

Lemma befores_all p o k q : In (p, o) (PositiveMap.elements m) -> In (k, q) (expand (snd o) xs []) -> In (p, k) (before_of befores q).
Proof.
  unfold befores. generalize (PositiveMap.empty (list (positive * digits_known))). induction (PositiveMap.elements m) as [|t l IH]; simpl; [tauto|].
  intros found [->|I] J.
  - cbn [fst snd]. set (found' := fold_left _ _ found). assert (A : In (p, k) (before_of found' q)).
    { unfold found'. apply befores_row. right. eauto. }
    clearbody found'. clear - A. revert found' A. induction l as [|t l IH]; intros found' A; simpl; auto. apply IH. apply befores_row. auto.
  - now apply IH.
Qed.

Lemma complete_letter known c : agrees known c -> complete known = true -> letter_of known = map c xs.
Proof.
  intros A K. apply map_ext_in. intros x X. eapply known_all; eauto.
Qed.

Definition run_back (cs : list column) : option positive :=
  fold_right (fun c q => step (reversed e) q (map c xs)) (Some 1%positive) cs.

Lemma among_elements i l : among i l = true <-> In (i, tt) (PositiveMap.elements l).
Proof.
  unfold among. split.
  - destruct (PositiveMap.find i l) as [[]|] eqn:E; [intros _; now apply PositiveMap.elements_correct | discriminate].
  - intros H. apply PositiveMap.elements_complete in H. now rewrite H.
Qed.

Definition from_state (q : option positive) (cs : list column) : bool :=
  accepting m (fold_left (step m) (map (fun c => map c xs) cs) q).

Lemma from_nothing cs : from_state None cs = false.
Proof. unfold from_state. now rewrite stuck. Qed.

Lemma run_back_there cs : match run_back cs with Some i => there i = true | None => True end.
Proof.
  assert (G := good). unfold check_endings in G. rewrite !andb_true_iff in G. destruct G as [[_ C] T].
  cbv zeta in C. rewrite forallb_forall in C. induction cs as [|c cs IH]; [exact T|].
  cbn [run_back fold_right]. fold (run_back cs). destruct (run_back cs) as [i|]; [|exact I].
  unfold there in IH. unfold step. destruct (PositiveMap.find i (reversed e)) as [[z r]|] eqn:F; [|exact I].
  destruct (target r (map c xs)) as [j|] eqn:E; [|exact I].
  apply PositiveMap.elements_correct in F. destruct (expand_sound c xs r [] j) as (known & K & _); auto. { intros x y. discriminate. }
  pose proof (C _ F) as D. cbn [fst snd] in D. apply andb_true_iff in D as [_ D]. rewrite forallb_forall in D.
  apply D in K. cbn [fst snd] in K. rewrite !andb_true_iff in K. tauto.
Qed.

(** What [reversed] knows from the end is true. *)
Lemma run_back_true cs : match run_back cs with
                         | Some i => forall p, from_state (Some p) cs = among p (stand i)
                         | None => forall p, from_state (Some p) cs = false
                         end.
Proof.
  assert (G := good). unfold check_endings in G. rewrite !andb_true_iff in G. destruct G as [[[[_ A] B] C] _].
  rewrite forallb_forall in A, B. cbv zeta in C. rewrite forallb_forall in C.
  induction cs as [|c cs IH].
  - simpl. intros p. unfold from_state. simpl. destruct (among p (stand 1)) eqn:E.
    + apply among_elements in E. exact (A _ E).
    + destruct (accepting m (Some p)) eqn:F; auto. assert (X : exists o, In (p, o) (PositiveMap.elements m)).
      { unfold accepting, output in F. destruct (PositiveMap.find p m) as [o|] eqn:H; try discriminate.
        exists o. now apply PositiveMap.elements_correct. }
      destruct X as (o & X). apply B in X. cbn [fst] in X. rewrite F, E in X. discriminate.
  - cbn [run_back fold_right]. fold (run_back cs). destruct (run_back cs) as [i|] eqn:R.
    2:{ cbn [step]. intros p. unfold from_state in *. cbn [map fold_left].
        destruct (step m (Some p) (map c xs)); [apply IH | apply from_nothing]. }
    destruct (step (reversed e) (Some i) (map c xs)) as [j|] eqn:S.
    + intros p. unfold step in S. destruct (PositiveMap.find i (reversed e)) as [[z r]|] eqn:F; try discriminate.
      apply PositiveMap.elements_correct in F. destruct (expand_sound c xs r [] j) as (known & K & AG); auto. { intros x y. discriminate. }
      pose proof (C _ F) as D. cbn [fst snd] in D. apply andb_true_iff in D as [D1 D2]. rewrite forallb_forall in D1, D2.
      pose proof (D2 _ K) as D3. cbn [fst snd] in D3. rewrite !andb_true_iff in D3. destruct D3 as [[[D3 _] D4] _].
      rewrite forallb_forall in D4. rewrite (complete_letter _ _ AG D3) in D4.
      unfold from_state. cbn [map fold_left]. destruct (step m (Some p) (map c xs)) as [q|] eqn:Q.
      * fold (from_state (Some q) cs). rewrite IH. destruct (among q (stand i)) eqn:E.
        -- symmetry. unfold step in Q. destruct (PositiveMap.find p m) as [[z' r']|] eqn:F'; try discriminate.
           apply PositiveMap.elements_correct in F'. destruct (expand_sound c xs r' [] q) as (known' & K' & AG'); auto. { intros x y. discriminate. }
           apply among_elements in E. pose proof (D1 _ E) as D5. cbn [fst] in D5. rewrite forallb_forall in D5.
           pose proof (D5 _ (befores_all _ _ _ _ F' K')) as D6. cbn [fst snd] in D6. apply andb_true_iff in D6 as [D6 D7].
           rewrite (complete_letter _ _ AG' D6) in D7. unfold step in D7. apply PositiveMap.elements_complete in F. rewrite F, S in D7. exact D7.
        -- destruct (among p (stand j)) eqn:E'; auto. apply among_elements in E'. pose proof (D4 _ E') as D5. cbn [fst] in D5.
           rewrite Q in D5. congruence.
      * rewrite stuck. cbn [accepting output]. destruct (among p (stand j)) eqn:E'; auto. apply among_elements in E'.
        pose proof (D4 _ E') as D5. cbn [fst] in D5. rewrite Q in D5. discriminate.
    + intros p. unfold from_state. cbn [map fold_left]. destruct (step m (Some p) (map c xs)) as [q|] eqn:Q.
      2:{ rewrite stuck. reflexivity. }
      fold (from_state (Some q) cs). rewrite IH. destruct (among q (stand i)) eqn:E; auto. exfalso.
      unfold step in Q. destruct (PositiveMap.find p m) as [[z' r']|] eqn:F'; try discriminate.
      apply PositiveMap.elements_correct in F'. destruct (expand_sound c xs r' [] q) as (known' & K' & AG'); auto. { intros x y. discriminate. }
      assert (X : exists o, In (i, o) (PositiveMap.elements (reversed e))).
      { pose proof (run_back_there cs) as T. unfold there in T. rewrite R in T.
        destruct (PositiveMap.find i (reversed e)) as [o|] eqn:H; [|discriminate]. exists o. now apply PositiveMap.elements_correct. }
      destruct X as (o & X). pose proof (C _ X) as D. cbn [fst snd] in D. apply andb_true_iff in D as [D1 _]. rewrite forallb_forall in D1.
      apply among_elements in E. pose proof (D1 _ E) as D5. cbn [fst] in D5. rewrite forallb_forall in D5.
      pose proof (D5 _ (befores_all _ _ _ _ F' K')) as D6. cbn [fst snd] in D6. apply andb_true_iff in D6 as [D6 D7].
      rewrite (complete_letter _ _ AG' D6) in D7. rewrite S in D7. discriminate.
Qed.

Lemma falls_beside i n j : step (reversed e) (Some i) (map (fun x => if Pos.eqb x parameter then n else 0) xs) = Some j ->
  In n (firsts f ++ mores f) -> falls i j (existsb (Nat.eqb n) (firsts f)) = true.
Proof.
  set (c := fun x => if Pos.eqb x parameter then n else 0). intros S N.
  assert (G := good). unfold check_endings in G. rewrite !andb_true_iff in G. destruct G as [[[[X _] _] C] _].
  cbv zeta in C. rewrite forallb_forall in C. apply mem_in in X.
  unfold step in S. destruct (PositiveMap.find i (reversed e)) as [[z r]|] eqn:F; [|discriminate].
  apply PositiveMap.elements_correct in F. destruct (expand_sound c xs r [] j) as (known & K & A); auto. { intros x y. discriminate. }
  pose proof (C _ F) as D. cbn [fst snd] in D. apply andb_true_iff in D as [_ D]. rewrite forallb_forall in D.
  apply D in K. cbn [fst snd] in K. rewrite !andb_true_iff in K. destruct K as [[[K _] _] Q].
  assert (E : forall x, In x xs -> column_of known x = c x) by (intros x I; eapply known_all; eauto).
  assert (P : column_of known parameter = n) by (rewrite E by auto; unfold c; now rewrite Pos.eqb_refl).
  rewrite P in Q. apply orb_true_iff in Q as [Q|Q]; auto. apply negb_true_iff in Q.
  exfalso. unfold beside_zeros in Q. apply andb_false_iff in Q as [Q|Q].
  - enough (T : forallb (fun x => Pos.eqb x parameter || (column_of known x =? 0)) xs = true) by congruence.
    apply forallb_forall. intros x I. rewrite (E x I). unfold c. destruct (Pos.eqb x parameter); auto.
  - rewrite P in Q. enough (T : existsb (Nat.eqb n) (firsts f ++ mores f) = true) by congruence.
    apply existsb_exists. exists n. split; auto. apply Nat.eqb_refl.
Qed.

(** After one more number of the sequence, beside zeros. *)
Definition next_order (i j : positive) : Prop := exists r s r' s', PositiveMap.find i (orders e) = Some (r, s)
  /\ PositiveMap.find j (orders e) = Some (r', s') /\ (r' < r \/ r' = r /\ s' = s /\ among 1 (stand j) = s).

Lemma falls_order i j is_end : falls i j is_end = true -> exists r s r' s', PositiveMap.find i (orders e) = Some (r, s)
  /\ PositiveMap.find j (orders e) = Some (r', s') /\ (r' < r \/ r' = r /\ s' = s /\ (is_end = true -> among 1 (stand j) = s)).
Proof.
  unfold falls. destruct (PositiveMap.find i (orders e)) as [[r s]|]; [|discriminate].
  destruct (PositiveMap.find j (orders e)) as [[r' s']|]; [|discriminate]. intros H. exists r, s, r', s'. repeat split; auto.
  apply orb_true_iff in H as [H|H]; [left; now apply Nat.ltb_lt|]. right. rewrite !andb_true_iff in H. destruct H as [[A B] C].
  apply Nat.eqb_eq in A. apply eqb_prop in B. subst. repeat split; auto. intros ->. apply eqb_prop. exact C.
Qed.

Lemma block_order first rest cs i : In first (firsts f) -> Forall (fun n => In n (mores f)) rest -> run_back cs = Some i ->
  match run_back (fronts parameter (first :: rest) ++ cs) with Some j => next_order i j | None => True end.
Proof.
  intros I F R.
  assert (A : match run_back (fronts parameter rest ++ cs) with
              | Some k => k = i \/ exists r s r' s', PositiveMap.find i (orders e) = Some (r, s)
                            /\ PositiveMap.find k (orders e) = Some (r', s') /\ (r' < r \/ r' = r /\ s' = s)
              | None => True
              end).
  { induction F as [|n rest N F IH]. { simpl. rewrite R. auto. }
    unfold fronts in *. cbn [map app run_back fold_right]. fold (run_back (map (fun m x => if Pos.eqb x parameter then m else 0) rest ++ cs)).
    destruct (run_back (map _ rest ++ cs)) as [k|]; [|exact Logic.I].
    destruct (step (reversed e) (Some k) _) as [j|] eqn:S; auto.
    apply falls_beside in S; [|apply in_app_iff; auto]. apply falls_order in S as (r & s & r' & s' & K & J & D).
    right. destruct IH as [->|(r0 & s0 & r1 & s1 & I0 & K1 & D1)].
    - exists r, s, r', s'. repeat split; auto. tauto.
    - rewrite K in K1. injection K1 as <- <-. exists r0, s0, r', s'. repeat split; auto.
      destruct D as [D|(-> & -> & _)]; destruct D1 as [D1|(-> & ->)]; auto; left; lia. }
  unfold fronts in *. cbn [map app run_back fold_right]. fold (run_back (map (fun m x => if Pos.eqb x parameter then m else 0) rest ++ cs)).
  destruct (run_back (map _ rest ++ cs)) as [k|]; [|exact Logic.I].
  destruct (step (reversed e) (Some k) _) as [j|] eqn:S; auto.
  apply falls_beside in S; [|apply in_app_iff; auto].
  replace (existsb (Nat.eqb first) (firsts f)) with true in S.
  2:{ symmetry. apply existsb_exists. exists first. split; auto. apply Nat.eqb_refl. }
  apply falls_order in S as (r & s & r' & s' & K & J & D).
  assert (D' : r' < r \/ r' = r /\ s' = s /\ among 1 (stand j) = s) by (destruct D as [D|(E1 & E2 & D)]; auto). clear D. rename D' into D.
  destruct A as [->|(r0 & s0 & r1 & s1 & I0 & K1 & D1)].
  - exists r, s, r', s'. auto.
  - rewrite K in K1. injection K1 as <- <-. exists r0, s0, r', s'. repeat split; auto.
    destruct D as [D|(-> & -> & D)]; destruct D1 as [D1|(-> & ->)]; auto; left; lia.
Qed.

Hypothesis classic : excluded_middle.

Definition says_so (q : option positive) : bool := match q with Some i => among 1 (stand i) | None => false end.

(** States whose order never grows say the same in the end. *)
Lemma settled (Q : nat -> option positive) : (forall n, match Q n with
    | None => Q (S n) = None
    | Some i => match Q (S n) with Some j => next_order i j | None => True end
    end) ->
  exists c, in_the_limit (fun n => says_so (Q n) = c) /\ (c = true -> exists i r, PositiveMap.find i (orders e) = Some (r, true)).
Proof.
  intros H.
  assert (N : forall n, Q n = None -> exists c, in_the_limit (fun n => says_so (Q n) = c) /\
                (c = true -> exists i r, PositiveMap.find i (orders e) = Some (r, true))).
  { intros n E. exists false. split; [|discriminate]. exists n. intros w L. replace (Q w) with (@None positive); auto.
    induction L as [|u L IHL]; auto. specialize (H u). now rewrite <- IHL in H. }
  assert (R : forall r n i s, Q n = Some i -> PositiveMap.find i (orders e) = Some (r, s) ->
                exists c, in_the_limit (fun n => says_so (Q n) = c) /\
                (c = true -> exists i r, PositiveMap.find i (orders e) = Some (r, true))).
  { induction r as [r IH] using (well_founded_induction lt_wf). intros n i s E O.
    destruct (classic (forall w, n <= w -> exists j, Q w = Some j /\ PositiveMap.find j (orders e) = Some (r, s))) as [A|A].
    - exists s. split.
      + exists (S n). intros w L. destruct w as [|w]; [lia|]. destruct (A w) as (j & Qj & Oj); [lia|].
        destruct (A (S w)) as (k & Qk & Ok); [lia|]. specialize (H w). rewrite Qj, Qk in H.
        destruct H as (r1 & s1 & r2 & s2 & O1 & O2 & D). rewrite Oj in O1. rewrite Ok in O2. injection O1 as <- <-. injection O2 as <- <-.
        rewrite Qk. simpl. destruct D as [D|(_ & _ & D)]; [lia|auto].
      + intros ->. eauto.
    - assert (B : exists w, n <= w /\ (Q w = None \/ exists j r' s', Q w = Some j /\ PositiveMap.find j (orders e) = Some (r', s') /\ r' < r)).
      { destruct (classic (exists w, n <= w /\ (Q w = None \/ exists j r' s', Q w = Some j /\ PositiveMap.find j (orders e) = Some (r', s') /\ r' < r))) as [|C]; auto.
        exfalso. apply A. intros w L. induction L as [|u L IHL]; [eauto|]. destruct IHL as (j & Qj & Oj). specialize (H u). rewrite Qj in H.
        destruct (Q (S u)) as [k|] eqn:Qk; [|exfalso; apply C; exists (S u); split; [lia|auto]].
        destruct H as (r1 & s1 & r2 & s2 & O1 & O2 & D). rewrite Oj in O1. injection O1 as <- <-. exists k. split; auto.
        destruct D as [D|(-> & -> & _)]; auto. exfalso. apply C. exists (S u). split; [lia|]. right. exists k, r2, s2. auto. }
      destruct B as (w & _ & [B|(j & r' & s' & Qj & Oj & L)]); eauto. }
  destruct (Q 0) as [i|] eqn:E; [|eauto]. destruct (Q 1) as [j|] eqn:F; [|eauto].
  pose proof (H 0) as D. rewrite E, F in D. destruct D as (r & s & _ & _ & O & _). eauto.
Qed.
End Endings.

Section Along.
Variables (f : family) (d : declarations) (parameter : name) (ends : PositiveMap.t (list positive)).
Variable table : automata.
Variable patience : nat.
Hypothesis good : family_good f d parameter ends patience = true.
Variable a : nat -> nat.
Hypothesis here : in_family f a.
Hypothesis classic : excluded_middle.
Notation written := (written_along f d parameter a).
Notation world := (family_world f d parameter).

(** Beside long enough beginnings, a relation accepts some values or refuses them. *)
Theorem settles p e v : check_endings f parameter (machine (resolve table p)) (tracks p) e = true ->
  sound_part_beside f d parameter table p = true ->
  exists c, in_the_limit (fun n => forall cs, written n cs v -> has table p cs = c)
    /\ (c = true -> exists i r, PositiveMap.find i (orders e) = Some (r, true)).
Proof.
  intros C S. set (m := machine (resolve table p)) in *. set (xs := tracks p) in *.
  destruct (can_write_along f d parameter ends patience good a here v) as (N & H).
  set (n0 := max 1 N). destruct (H n0 ltac:(lia)) as (cs0 & X0).
  set (ext := fix ext j := match j with 0 => cs0 | S j => fronts parameter (digits_of f (a (n0 + j))) ++ ext j end).
  assert (X : forall j, exact_along f d parameter a (n0 + j) (ext j) v).
  { induction j as [|j IH]; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r. cbn [ext].
    apply (exact_longer f d parameter ends patience good a here); auto. lia. }
  destruct (settled e classic (fun j => run_back xs e (ext j))) as (c & (M & A) & B).
  { intros j. destruct (run_back xs e (ext j)) as [i|] eqn:R.
    - cbn [ext]. destruct (digits_of_marks f a here (n0 + j)) as (first & rest & -> & I & F).
      eapply block_order; eauto.
    - cbn [ext]. unfold run_back in *. rewrite fold_right_app, R. generalize (fronts parameter (digits_of f (a (n0 + j)))).
      intros l. induction l as [|c l IH]; auto. simpl. now rewrite IH. }
  exists c. split; auto. exists (n0 + M). intros n L cs W. rewrite <- (A (n - n0)) by lia.
  assert (E : n = n0 + (n - n0)) by lia. set (j := n - n0) in *. clearbody j. subst n.
  rewrite (accepts_values_along f d parameter ends table patience good a here p (n0 + j) cs (ext j) v v); auto.
  2:{ apply exact_written; auto. lia. }
  pose proof (run_back_true f parameter m xs e C (ext j)) as T. unfold says_so.
  unfold has, accepts_columns, accepts, run, read_by. rewrite <- (tracks_names table). fold xs m.
  change (accepting m (fold_left (step m) (map (fun c => map c xs) (ext j)) (Some 1%positive))) with (from_state m xs (Some 1%positive) (ext j)).
  destruct (run_back xs e (ext j)); apply T.
Qed.

(** ** Another relation, which differs beside finitely many beginnings *)

(** [differ] accepts at least what one of the two accepts under the guards, and the other one does not. *)
Definition check_differ (r : part) (gs : list part) (c : claim) (differ : part) : bool :=
  guarded world table patience gs c
  && (let nums := numbers_over world (r :: rel c :: gs) in
      cover world table patience (gs ++ nums ++ [r]) [rel c; differ] && cover world table patience (gs ++ nums ++ [rel c]) [r; differ]).

Lemma check_differ_along r gs c differ : check_differ r gs c differ = true -> valid_along f d parameter table a c ->
  (forall v, in_the_limit (fun n => forall cs, written n cs v -> has table differ cs = false)) ->
  follows_along f d parameter table a r gs (fact c).
Proof.
  unfold check_differ. cbv zeta. rewrite !andb_true_iff. intros [G [A B]] V L v.
  eapply limit_weaker. { exact (both_limits _ _ (V v) (L v)). }
  intros n [X Y] cs W H. cbn [rel guards fact] in *. specialize (X cs W). specialize (Y cs W).
  assert (NA := numbers_along f d parameter ends table patience good a here n cs v W).
  rewrite <- (X (guarded_sound_at _ _ _ _ _ _ G NA H)). split; intros Z.
  - destruct (cover_sound_at _ _ _ _ _ _ A NA) as (t & [<-|[<-|[]]] & E); auto; [|congruence].
    rewrite !all_have_app, all_have_one. auto using numbers_over_at.
  - destruct (cover_sound_at _ _ _ _ _ _ B NA) as (t & [<-|[<-|[]]] & E); auto; [|congruence].
    rewrite !all_have_app, all_have_one. auto using numbers_over_at.
Qed.

(** It is refused in the end. *)
Definition check_endings_refuse (differ : part) (e : endings) : bool :=
  sound_part_beside f d parameter table differ
  && check_endings f parameter (machine (resolve table differ)) (tracks differ) e
  && forallb (fun o => negb (snd (snd o))) (PositiveMap.elements (orders e)).

Lemma endings_refused differ e v : check_endings_refuse differ e = true ->
  in_the_limit (fun n => forall cs, written n cs v -> has table differ cs = false).
Proof.
  unfold check_endings_refuse. rewrite !andb_true_iff. intros [[S C] O]. destruct (settles differ e v C S) as (w & L & T).
  destruct w; auto. destruct (T eq_refl) as (i & k & F). apply PositiveMap.elements_correct in F.
  rewrite forallb_forall in O. apply O in F. discriminate.
Qed.

(** ** Letters, predicates and the order *)

Definition own_beside (g : form) : option relation :=
  match g with
  | Lin [(x, 1%Z); (y, (-1)%Z)] strict 0%Z | Lin [(y, (-1)%Z); (x, 1%Z)] strict 0%Z =>
      match system_of d x, system_of d y with
      | Some (i, s), Some (j, _) =>
          if Pos.eqb i j then Some {| machine := order (digits s) strict; names := [x; y] |} else None
      | _, _ => None
      end
  | Letter u xs z =>
      match PositiveMap.find u (word_automata d) with
      | Some (of, m) => if fits d xs of then Some {| machine := same_number m z; names := xs ++ [parameter] |} else None
      | None => None
      end
  | Pred p xs =>
      match PositiveMap.find p (predicates d) with
      | Some (of, m) => if fits d xs of && negb (existsb (fun o => Pos.eqb (defined o) p) (definitions d))
                        then Some {| machine := m; names := xs ++ [parameter] |} else None
      | None => None
      end
  | _ => None
  end.

(** [there] accepts the same of numbers, and settles. *)
Definition check_atom_beside (r : part) (gs : list part) (g : form) (there : part) (e : endings) : bool :=
  match own_beside g with
  | Some own =>
      forallb (knows world) (names own)
      && agree world table patience r gs [Own own] (map (number_of world) (names own))
      && match g with
         | Lin _ _ _ => true
         | _ => agree world table patience there [] [Own own] (map (number_of world) (names own))
                && sound_part_beside f d parameter table there
                && check_endings f parameter (machine (resolve table there)) (tracks there) e
         end
  | None => false
  end.

Lemma order_beside x y i s less n cs v : system_of d x = Some (i, s) -> system_of d y = Some (i, s) -> written n cs v ->
  accepts_columns {| machine := order (digits s) less; names := [x; y] |} cs = true <-> if less then v x < v y else v x = v y.
Proof.
  intros X Y (_ & k & _ & W). destruct (W _ _ _ X) as (u & TX & RX), (W _ _ _ Y) as (w & TY & RY).
  unfold accepts_columns. rewrite read_two, TX, TY. cbn [machine].
  destruct (system_of_beside f d parameter ends patience good _ _ _ X) as (e & G).
  pose proof (digits_above_zero f s e patience G) as Z.
  pose proof (proj1 (represents_rank _ _ _ _) RX) as [NX _]. pose proof (proj1 (represents_rank _ _ _ _) RY) as [NY _].
  apply number_beside_inv in NX as (LX & DX & _), NY as (LY & DY & _).
  assert (F : forall u, Forall (fun c => c < digits s) u -> Forall (fun c => c < digits s) (repeat 0 k ++ u)).
  { intros l H. apply Forall_app. split; auto. apply Forall_forall. intros c C. apply repeat_spec in C. now subst. }
  rewrite order_accepts; auto. 2:{ rewrite !app_length. congruence. }
  destruct less.
  - rewrite <- (beside_before s _ _ _ _ _ RX RY). clear. induction k as [|k IH]; simpl; [reflexivity|]. exact IH.
  - rewrite (beside_unique s _ _ _ _ _ RX RY). destruct (list_eq_dec Nat.eq_dec _ _) as [E|E].
    + apply app_inv_head in E. tauto.
    + split; [discriminate|]. intros ->. congruence.
Qed.

Notation letters := (letters_here f d a).
Notation calls := (calls_here f d a).

Lemma exact_read n cs v xs of : exact_along f d parameter a n cs v -> fits d xs of = true ->
  read_beside d (beginning f a n) of (map (fun c : column => map c (xs ++ [parameter])) cs) (map v xs).
Proof.
  intros [P W] F. unfold fits in F. apply andb_true_iff in F as [F K]. apply list_eqb_eq in F; [|intros; now apply Pos.eqb_eq].
  subst of. rewrite forallb_forall in K. split; [now rewrite !map_length|]. split; [|split].
  - intros l I. apply in_map_iff in I as (c & <- & _). rewrite !map_length, app_length. simpl. lia.
  - rewrite map_length, track_read by (rewrite app_length; simpl; lia). rewrite app_nth2, Nat.sub_diag by lia. exact P.
  - rewrite map_length. intros i L. rewrite track_read by (rewrite app_length; lia). rewrite app_nth1 by auto.
    set (x := nth i xs 1%positive). assert (I : In x xs) by now apply nth_In.
    apply K in I. unfold known in I. destruct (system_of d x) as [[j s]|] eqn:E; try discriminate. exists s. split.
    + rewrite nth_indep with (d' := system_name d 1%positive) by now rewrite map_length.
      rewrite map_nth. fold x. unfold system_name. rewrite E. unfold system_of in E.
      destruct (PositiveMap.find x _) as [n'|]; try discriminate.
      destruct (PositiveMap.find n' _) eqn:F; try discriminate. injection E as <- <-. exact F.
    + rewrite nth_indep with (d' := v 1%positive) by now rewrite map_length. rewrite map_nth. fold x. eapply W; eauto.
Qed.

Lemma read_beside_unique b of ls ms ns : read_beside d b of ls ns -> read_beside d b of ms ns -> ls = ms.
Proof.
  intros (L & A & P & R) (_ & B & Q & S).
  apply (letters_equal (Datatypes.S (length of))); auto.
  - apply (f_equal (@length nat)) in P, Q. unfold track in P, Q. rewrite map_length in P, Q. congruence.
  - intros i I. destruct (Nat.eq_dec i (length of)) as [->|N]; [congruence|].
    destruct (R i) as (s & F & X); [lia|]. destruct (S i) as (s' & F' & Y); [lia|].
    assert (s' = s) by congruence. subst s'. apply (beside_unique s b _ _ (nth i ns 0) (nth i ns 0)); auto.
Qed.

(** What an automaton says of numbers in the limit, if what it says settles. *)
Lemma limit_of xs of v (m : automaton) (Q : list letter -> Prop) w : fits d xs of = true ->
  (forall ls, Q ls <-> accepts m ls = true) ->
  in_the_limit (fun n => forall cs, written n cs v -> accepts_columns {| machine := m; names := xs ++ [parameter] |} cs = w) ->
  w = true <-> in_the_limit (fun n => exists ls, read_beside d (beginning f a n) of ls (map v xs) /\ Q ls).
Proof.
  intros F E L. pose proof (both_limits _ _ L (can_write_along f d parameter ends patience good a here v)) as (N & X).
  assert (Y : forall n, max 1 N <= n -> exists ls, read_beside d (beginning f a n) of ls (map v xs) /\ accepts m ls = w).
  { intros n H. destruct (X n) as [A (cs & B)]; [lia|]. eexists. split; [eapply exact_read; eauto|].
    apply (A cs). apply exact_written; auto. lia. }
  split.
  - intros ->. exists (max 1 N). intros n H. destruct (Y n H) as (ls & R & A). exists ls. split; auto. now apply E.
  - intros (M & Z). destruct (Y (max M (max 1 N))) as (ls & R & A); [lia|]. destruct (Z (max M (max 1 N))) as (ms & S & B); [lia|].
    rewrite (read_beside_unique _ _ _ _ _ R S) in A. apply E in B. congruence.
Qed.

Lemma check_atom_along r gs g there e : check_atom_beside r gs g there e = true -> follows_along f d parameter table a r gs g.
Proof.
  unfold check_atom_beside. destruct (own_beside g) as [own|] eqn:O; [|discriminate]. rewrite !andb_true_iff. intros [[K A] S] v.
  assert (NS : forall n cs, written n cs v -> all_have table (map (number_of world) (names own)) cs).
  { intros n cs W p I. apply in_map_iff in I as (x & <- & I). rewrite forallb_forall in K.
    eapply numbers_along; eauto. }
  enough (T : in_the_limit (fun n => forall cs, written n cs v -> accepts_columns own cs = true <-> true_of letters calls g v)).
  { eapply limit_weaker; [exact T|]. intros n X cs W G. cbn [rel guards fact] in *. rewrite <- (X cs W).
    change (accepts_columns own cs) with (has table (Own own) cs).
    eapply agree_one_at; eauto. eapply numbers_along; eauto. }
  assert (SE : match g with Lin _ _ _ => True | _ => exists w, in_the_limit (fun n => forall cs, written n cs v -> accepts_columns own cs = w) end).
  { assert (X : agree world table patience there [] [Own own] (map (number_of world) (names own))
                && sound_part_beside f d parameter table there
                && check_endings f parameter (machine (resolve table there)) (tracks there) e = true ->
                exists w, in_the_limit (fun n => forall cs, written n cs v -> accepts_columns own cs = w)).
    { rewrite !andb_true_iff. intros [[B SP] C]. destruct (settles there e v C SP) as (w & L & _). exists w.
      eapply limit_weaker; [exact L|]. intros n X cs W. rewrite <- (X cs W).
      change (accepts_columns own cs) with (has table (Own own) cs).
      assert (AG : has table there cs = true <-> has table (Own own) cs = true).
      { eapply agree_one_at; eauto. { eapply numbers_along; eauto. } apply all_have_nil. }
      destruct (has table there cs), (has table (Own own) cs); intuition congruence. }
    destruct g; auto. }
  unfold own_beside in O. destruct g as [ts strict c|u xs z|p xs| | | |]; try discriminate.
  - clear SE. exists 1. intros n N cs W.
    assert (Q : forall x y k l, ts = [(x, k); (y, l)] -> c = 0%Z -> forall b1 b2, (k = 1%Z /\ l = (-1)%Z /\ b1 = x /\ b2 = y \/ k = (-1)%Z /\ l = 1%Z /\ b1 = y /\ b2 = x) ->
               (match system_of d b1, system_of d b2 with
                | Some (i, s), Some (j, _) => if Pos.eqb i j then Some {| machine := order (digits s) strict; names := [b1; b2] |} else None
                | _, _ => None
                end) = Some own -> accepts_columns own cs = true <-> true_of letters calls (Lin ts strict c) v).
    { intros x y k l -> -> b1 b2 KL E. destruct (system_of d b1) as [[i s]|] eqn:X; try discriminate.
      destruct (system_of d b2) as [[j s']|] eqn:Y; try discriminate. destruct (Pos.eqb_spec i j) as [->|]; try discriminate.
      injection E as <-.
      assert (s' = s).
      { unfold system_of in X, Y. destruct (PositiveMap.find b1 _) as [n1|]; try discriminate. destruct (PositiveMap.find b2 _) as [n2|]; try discriminate.
        destruct (PositiveMap.find n1 _) eqn:FX; try discriminate. destruct (PositiveMap.find n2 _) eqn:FY; try discriminate. congruence. }
      subst s'. rewrite (order_beside _ _ _ _ _ _ _ _ X Y W).
      destruct KL as [(-> & -> & -> & ->)|(-> & -> & -> & ->)]; cbn [true_of lin_value fold_right fst snd]; destruct strict; lia. }
    destruct ts as [|[x k] [|[y l] [|]]]; try (destruct k as [|[]|[]]; discriminate); try discriminate.
    + destruct k as [|[]|[]]; try discriminate; destruct l as [|[]|[]]; try discriminate; destruct c; try discriminate;
        eapply Q; eauto 8.
    + destruct k as [|[]|[]]; try discriminate; destruct l as [|[]|[]]; try discriminate.
  - destruct (PositiveMap.find u _) as [[of m]|] eqn:F; try discriminate.
    destruct (fits d xs of) eqn:E; try discriminate. injection O as <-.
    destruct SE as (w & L). eapply limit_weaker; [exact L|]. intros n X cs W. rewrite (X cs W).
    rewrite (limit_of xs of v _ (fun ls => output m (run m ls) = Some z) w E) by (try exact L; intros; symmetry; apply same_number_accepts).
    cbn [true_of]. unfold letters_here, letters_along. split.
    + intros I. exists of, m. auto.
    + intros (of' & m' & F' & I). rewrite F in F'. injection F' as <- <-. exact I.
  - destruct (PositiveMap.find p _) as [[of m]|] eqn:F; try discriminate.
    destruct (fits d xs of && _) eqn:E; try discriminate. injection O as <-. apply andb_true_iff in E as [E N]. apply negb_true_iff in N.
    destruct SE as (w & L). eapply limit_weaker; [exact L|]. intros n X cs W. rewrite (X cs W).
    rewrite (limit_of xs of v _ (fun ls => accepts m ls = true) w E) by (try exact L; intros; reflexivity).
    cbn [true_of]. unfold calls_here. rewrite calls_of_base by auto. unfold accepted_along. split.
    + intros I. exists of, m. auto.
    + intros (of' & m' & F' & I). rewrite F in F'. injection F' as <- <-. exact I.
Qed.
End Along.
