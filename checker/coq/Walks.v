(** The walk through the states that a product of automata reaches: what holds at each of them, holds of all columns. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements Numeration Columns.
Import ListNotations.

(** Digits of some variables. *)
Notation digits_known := (list (name * nat)).

Fixpoint lookup (x : name) (known : digits_known) : option nat :=
  match known with
  | [] => None
  | (y, d) :: known => if Pos.eqb y x then Some d else lookup x known
  end.

Definition agrees (known : digits_known) (c : column) : Prop := forall x d, lookup x known = Some d -> c x = d.

(** The transitions of a row, along letters with the digits that are known, before others that have been found.  A row
may have a million of them: so no list is made by recursion, for which there is a stack, but by folding. *)
Fixpoint expand_onto (r : row) (xs : list name) (known : digits_known) (found : list (digits_known * positive))
  : list (digits_known * positive) :=
  match xs, r with
  | [], Arrive q => (known, q) :: found
  | x :: xs, Branch children =>
      match lookup x known with
      | Some d => match assoc d children with Some r => expand_onto r xs known found | None => found end
      | None => fold_left (fun found '(d, r) => expand_onto r xs ((x, d) :: known) found) children found
      end
  | _, _ => found
  end.

Definition expand (r : row) (xs : list name) (known : digits_known) : list (digits_known * positive) :=
  expand_onto r xs known [].

(** The same of several relations; the targets of those before, the last one first, are there. *)
Fixpoint expand_all_onto (parts : list relation) (states : list positive) (known : digits_known) (before : list positive)
  (found : list (digits_known * list positive)) : list (digits_known * list positive) :=
  match parts, states with
  | p :: parts, q :: states =>
      match PositiveMap.find q (machine p) with
      | Some (_, r) =>
          fold_left (fun found '(more, t) => expand_all_onto parts states more (t :: before) found)
            (expand r (names p) known) found
      | None => found
      end
  | [], [] => (known, rev before) :: found
  | _, _ => found
  end.

Definition expand_all (parts : list relation) (states : list positive) (known : digits_known)
  : list (digits_known * list positive) := expand_all_onto parts states known [] [].

(** Where a row leads, if all digits are known. *)
Fixpoint follow (r : row) (xs : list name) (known : digits_known) : option (option positive) :=
  match xs, r with
  | [], Arrive q => Some (Some q)
  | x :: xs, Branch children =>
      match lookup x known with
      | Some d => match assoc d children with Some r => follow r xs known | None => Some None end
      | None => None
      end
  | _, _ => Some None
  end.

Fixpoint follow_all (others : list relation) (states : list (option positive)) (known : digits_known)
  : option (list (option positive)) :=
  match others, states with
  | [], [] => Some []
  | o :: others, q :: states =>
      match follow_all others states known with
      | Some ts =>
          match q with
          | Some q =>
              match PositiveMap.find q (machine o) with
              | Some (_, r) => match follow r (names o) known with Some t => Some (t :: ts) | None => None end
              | None => Some (None :: ts)
              end
          | None => Some (None :: ts)
          end
      | None => None
      end
  | _, _ => None
  end.

Lemma agrees_cons known c x : agrees known c -> agrees ((x, c x) :: known) c.
Proof. intros A y d. simpl. destruct (Pos.eqb_spec x y) as [->|]; [congruence | apply A]. Qed.

Lemma assoc_in {A} d (l : list (nat * A)) a : assoc d l = Some a -> In (d, a) l.
Proof.
  induction l as [|[e b] l IH]; simpl; try discriminate. destruct (Nat.eqb_spec e d) as [->|]; auto.
  intros [= ->]. auto.
Qed.

(** What is folded onto a list is there afterwards, besides the list, and nothing else. *)
Lemma fold_onto {A B} (add : list B -> A -> list B) (gives : A -> B -> Prop) l :
  (forall a b found, In a l -> (In b (add found a) <-> gives a b \/ In b found)) -> forall found b,
  In b (fold_left add l found) <-> (exists a, In a l /\ gives a b) \/ In b found.
Proof.
  induction l as [|a l IH]; intros H found b; simpl.
  - split; auto. intros [(a & [] & _)|I]; auto.
  - rewrite IH by (intros; apply H; now right). rewrite H by now left. split.
    + intros [(a' & I & G)|[G|I]]; eauto.
    + intros [(a' & [<-|I] & G)|I]; eauto.
Qed.

Lemma expand_onto_in xs : forall r known found o,
  In o (expand_onto r xs known found) <-> In o (expand r xs known) \/ In o found.
Proof.
  unfold expand. induction xs as [|x xs IH]; intros [q|children] known found o; simpl; try tauto.
  destruct (lookup x known) as [d|].
  - destruct (assoc d children) as [r|]; [apply IH | simpl; tauto].
  - assert (F : forall found, In o (fold_left (fun found '(d, r) => expand_onto r xs ((x, d) :: known) found) children found)
      <-> (exists a, In a children /\ In o (expand_onto (snd a) xs ((x, fst a) :: known) [])) \/ In o found).
    { intros m. apply fold_onto with (gives := fun a o => In o (expand_onto (snd a) xs ((x, fst a) :: known) [])).
      intros [d r] b n _. apply IH. }
    rewrite !F. simpl. tauto.
Qed.

Lemma expand_branch r x xs known children : r = Branch children -> lookup x known = None -> forall o,
  In o (expand r (x :: xs) known) <-> exists d r, In (d, r) children /\ In o (expand r xs ((x, d) :: known)).
Proof.
  intros -> L o. unfold expand at 1. simpl. rewrite L.
  rewrite (fold_onto _ (fun a o => In o (expand (snd a) xs ((x, fst a) :: known)))).
  - split; [intros [([d r] & H)|[]]; eauto | intros (d & r & H); left; exists (d, r); auto].
  - intros [d r] b n _. apply expand_onto_in.
Qed.

Lemma expand_sound c xs : forall r known q, agrees known c -> target r (map c xs) = Some q ->
  exists more, In (more, q) (expand r xs known) /\ agrees more c.
Proof.
  induction xs as [|x xs IH]; intros [t|children] known q A T; simpl in T; try discriminate.
  - injection T as ->. exists known. split; auto. now left.
  - destruct (assoc (c x) children) as [r|] eqn:E; try discriminate.
    destruct (lookup x known) as [d|] eqn:L.
    + specialize (IH r known q A T). apply A in L as D. subst d. unfold expand. simpl. rewrite L, E. exact IH.
    + destruct (IH r ((x, c x) :: known) q) as (more & I & A'); auto using agrees_cons.
      exists more. split; auto. apply (expand_branch _ x xs known children); auto. exists (c x), r. auto using assoc_in.
Qed.

Lemma follow_sound c xs : forall r known t, agrees known c -> follow r xs known = Some t -> target r (map c xs) = t.
Proof.
  induction xs as [|x xs IH]; intros [q|children] known t A F; simpl in *; try congruence.
  destruct (lookup x known) as [d|] eqn:L; try discriminate. apply A in L. subst d.
  destruct (assoc (c x) children); eauto. congruence.
Qed.

Definition moves (c : column) (r : relation) (q t : option positive) : Prop :=
  step (machine r) q (map c (names r)) = t.

Inductive all3 {A B C} (P : A -> B -> C -> Prop) : list A -> list B -> list C -> Prop :=
| all3_nil : all3 P [] [] []
| all3_cons a b c la lb lc : P a b c -> all3 P la lb lc -> all3 P (a :: la) (b :: lb) (c :: lc).

Lemma expand_all_onto_in parts : forall states known before found o,
  In o (expand_all_onto parts states known before found) <-> In o (expand_all_onto parts states known before []) \/ In o found.
Proof.
  induction parts as [|p ps IH]; intros [|q qs] known before found o; simpl; try tauto.
  destruct (PositiveMap.find q (machine p)) as [[z r]|]; [|simpl; tauto].
  assert (F : forall found, In o (fold_left (fun found '(more, t) => expand_all_onto ps qs more (t :: before) found)
                (expand r (names p) known) found)
    <-> (exists a, In a (expand r (names p) known) /\ In o (expand_all_onto ps qs (fst a) (snd a :: before) [])) \/ In o found).
  { intros m. apply fold_onto with (gives := fun a o => In o (expand_all_onto ps qs (fst a) (snd a :: before) [])).
    intros [more t] b n _. apply IH. }
  rewrite !F. simpl. tauto.
Qed.

Lemma expand_all_onto_sound c parts states targets :
  all3 (fun p q t => moves c p (Some q) (Some t)) parts states targets -> forall known before, agrees known c ->
  exists all, In (all, rev before ++ targets) (expand_all_onto parts states known before []) /\ agrees all c.
Proof.
  induction 1 as [|p q t ps qs ts M _ IH]; intros known before A; simpl.
  - rewrite app_nil_r. eauto.
  - unfold moves in M. simpl in M. destruct (PositiveMap.find q (machine p)) as [[z r]|]; try discriminate.
    destruct (expand_sound _ _ _ known _ A M) as (more & I & A').
    destruct (IH more (t :: before) A') as (all & I' & A''). exists all. split; auto.
    simpl in I'. rewrite <- app_assoc in I'. simpl in I'.
    rewrite (fold_onto _ (fun a o => In o (expand_all_onto ps qs (fst a) (snd a :: before) []))).
    + left. exists (more, t). auto.
    + intros [m u] b n _. apply expand_all_onto_in.
Qed.

Lemma expand_all_sound c parts states targets :
  all3 (fun p q t => moves c p (Some q) (Some t)) parts states targets -> forall known, agrees known c ->
  exists all, In (all, targets) (expand_all parts states known) /\ agrees all c.
Proof. intros H known A. apply (expand_all_onto_sound _ _ _ _ H known [] A). Qed.

Lemma follow_all_sound c others : forall states known targets, agrees known c ->
  follow_all others states known = Some targets -> all3 (moves c) others states targets.
Proof.
  induction others as [|o os IH]; intros [|q qs] known targets A F; simpl in F; try discriminate.
  - injection F as <-. constructor.
  - destruct (follow_all os qs known) as [ts|] eqn:E; try discriminate. apply IH in E; auto.
    destruct q as [q|].
    + destruct (PositiveMap.find q (machine o)) as [[z r]|] eqn:G.
      * destruct (follow r (names o) known) as [t|] eqn:H; try discriminate. injection F as <-.
        constructor; auto. unfold moves. simpl. rewrite G. eapply follow_sound; eauto.
      * injection F as <-. constructor; auto. unfold moves. simpl. now rewrite G.
    + injection F as <-. constructor; auto. reflexivity.
Qed.

(** * The loop *)

Notation place_reached := (list positive * list (option positive))%type.

(** Where a tuple of states is kept: the last bits of the states in turn, n at most.  Nothing needs to be known of it. *)
Fixpoint bits (n : nat) (todo later : list positive) : positive :=
  match n with
  | 0 => xH
  | S n =>
      match todo with
      | [] => match later with [] => xH | _ => bits n later [] end
      | xH :: todo => bits n todo later
      | xO p :: todo => xO (bits n todo (p :: later))
      | xI p :: todo => xI (bits n todo (p :: later))
      end
  end.

Definition key (t : place_reached) : positive :=
  bits 40 (fst t) (map (fun q => match q with Some q => Pos.succ q | None => xH end) (snd t)).

Opaque key.

Fixpoint list_eqb {A} (eqb : A -> A -> bool) (l m : list A) : bool :=
  match l, m with
  | [], [] => true
  | a :: l, b :: m => eqb a b && list_eqb eqb l m
  | _, _ => false
  end.

Lemma list_eqb_eq {A} (eqb : A -> A -> bool) (H : forall a b, eqb a b = true -> a = b) l m :
  list_eqb eqb l m = true -> l = m.
Proof.
  revert m. induction l as [|a l IH]; intros [|b m] E; try discriminate; auto.
  simpl in E. apply andb_true_iff in E as [E F]. f_equal; auto.
Qed.

Definition option_eqb (p q : option positive) : bool :=
  match p, q with Some p, Some q => Pos.eqb p q | None, None => true | _, _ => false end.

Lemma option_eqb_eq p q : option_eqb p q = true -> p = q.
Proof. destruct p, q; simpl; try discriminate; auto. intros H. apply Pos.eqb_eq in H. now subst. Qed.

Definition place_eqb (s t : place_reached) : bool :=
  list_eqb Pos.eqb (fst s) (fst t) && list_eqb option_eqb (snd s) (snd t).

Lemma place_eqb_eq s t : place_eqb s t = true -> s = t.
Proof.
  destruct s, t. unfold place_eqb. simpl. intros E. apply andb_true_iff in E as [E F].
  apply list_eqb_eq in E; [|intros; now apply Pos.eqb_eq]. apply list_eqb_eq in F; [|apply option_eqb_eq]. now subst.
Qed.

(** By the key, the tuples that have it. *)
Notation seen_places := (PositiveMap.t (list place_reached)).

Definition kept (seen : seen_places) (k : positive) : list place_reached :=
  match PositiveMap.find k seen with Some l => l | None => [] end.

Section Walk.
(** Parts begin at their first states, the others where [starts] says. *)
Variables (parts others : list relation) (holds : list bool -> bool) (starts : list (option positive)).

Definition fine (t : place_reached) : bool :=
  if forallb (fun '(p, q) => accepting (machine p) (Some q)) (combine parts (fst t))
  then holds (map (fun '(o, q) => accepting (machine o) q) (combine others (snd t)))
  else true.

Fixpoint targets_of (states : list (option positive)) (found : list (digits_known * list positive)) (there : list place_reached)
  : option (list place_reached) :=
  match found with
  | [] => Some there
  | (known, ts) :: found =>
      match follow_all others states known with
      | Some os => targets_of states found ((ts, os) :: there)
      | None => None
      end
  end.

Definition successors (t : place_reached) : option (list place_reached) :=
  targets_of (snd t) (expand_all parts (fst t) []) [].

Fixpoint add_all (ts : list place_reached) (seen : seen_places) (todo : list place_reached)
  : seen_places * list place_reached :=
  match ts with
  | [] => (seen, todo)
  | t :: ts =>
      let k := key t in
      let there := kept seen k in
      if existsb (place_eqb t) there then add_all ts seen todo
      else add_all ts (PositiveMap.add k (t :: there) seen) (t :: todo)
  end.

Inductive progress := Done (result : bool) | More (seen : seen_places) (todo : list place_reached).

Definition visit (seen : seen_places) (todo : list place_reached) : progress :=
  match todo with
  | [] => Done true
  | t :: todo =>
      if fine t
      then match successors t with
           | Some ts => let (seen, todo) := add_all ts seen todo in More seen todo
           | None => Done false
           end
      else Done false
  end.

(** 2^n visits, or fewer if that is all. *)
Fixpoint visits (n : nat) (seen : seen_places) (todo : list place_reached) : progress :=
  match n with
  | 0 => visit seen todo
  | S n => match visits n seen todo with More seen todo => visits n seen todo | done => done end
  end.

Definition first : place_reached := (map (fun _ => 1%positive) parts, starts).

Definition walk_from (n : nat) : bool :=
  match visits n (PositiveMap.add (key first) [first] (PositiveMap.empty _)) [first] with
  | Done result => result
  | More _ _ => false
  end.

(** ** Soundness *)

Definition is_seen (seen : seen_places) (t : place_reached) : Prop := In t (kept seen (key t)).

Definition closed_at (seen : seen_places) (t : place_reached) : Prop :=
  fine t = true /\ exists ts, successors t = Some ts /\ forall t', In t' ts -> is_seen seen t'.

Definition invariant (seen : seen_places) (todo : list place_reached) : Prop :=
  is_seen seen first /\ forall t, is_seen seen t -> In t todo \/ closed_at seen t.

Lemma kept_added seen t u : In u (kept (PositiveMap.add (key t) (t :: kept seen (key t)) seen) (key u)) <->
  is_seen seen u \/ u = t.
Proof.
  unfold is_seen, kept. destruct (Pos.eq_dec (key u) (key t)) as [->|N].
  - rewrite PositiveMap.gss. simpl. intuition.
  - rewrite PositiveMap.gso by auto. intuition. subst. contradiction.
Qed.

Lemma add_all_sound ts : forall seen todo seen' todo', add_all ts seen todo = (seen', todo') ->
  (forall t, is_seen seen t -> is_seen seen' t) /\ (forall t, In t ts -> is_seen seen' t)
  /\ (forall t, is_seen seen' t -> is_seen seen t \/ In t todo') /\ (forall t, In t todo -> In t todo').
Proof.
  induction ts as [|t ts IH]; intros seen todo seen' todo' H; cbn [add_all] in H.
  - injection H as <- <-. repeat split; auto. intros t [].
  - cbv zeta in H. destruct (existsb (place_eqb t) (kept seen (key t))) eqn:E.
    + apply existsb_exists in E as (t' & I & E). apply place_eqb_eq in E. subst t'.
      destruct (IH _ _ _ _ H) as (A & B & C & D). repeat split; auto. intros u [<-|J]; auto.
    + destruct (IH _ _ _ _ H) as (A & B & C & D). repeat split.
      * intros u U. apply A, kept_added. auto.
      * intros u [<-|I]; auto. apply A, kept_added. auto.
      * intros u U. apply C in U as [U|U]; auto. apply kept_added in U as [U| ->]; auto. right. apply D. now left.
      * intros u U. apply D. now right.
Qed.

Lemma visit_sound seen todo : invariant seen todo ->
  match visit seen todo with
  | More seen todo => invariant seen todo
  | Done true => exists seen, invariant seen []
  | Done false => True
  end.
Proof.
  intros [F I]. destruct todo as [|t todo]; simpl; [exists seen; split; auto|].
  destruct (fine t) eqn:E; auto. destruct (successors t) as [ts|] eqn:G; auto.
  destruct (add_all ts seen todo) as [seen' todo'] eqn:H.
  apply add_all_sound in H as (A & B & C & D). split; auto.
  assert (M : forall u, closed_at seen u -> closed_at seen' u).
  { intros u (X & us & Y & Z). split; auto. exists us. auto. }
  intros u U. apply C in U as [U|U]; auto. apply I in U as [[<-|U]|U]; auto.
  right. split; auto. exists ts. auto.
Qed.

Lemma visits_sound n : forall seen todo, invariant seen todo ->
  match visits n seen todo with
  | More seen todo => invariant seen todo
  | Done true => exists seen, invariant seen []
  | Done false => True
  end.
Proof.
  induction n as [|n IH]; intros seen todo I; simpl. { now apply visit_sound. }
  specialize (IH seen todo I) as J. destruct (visits n seen todo) as [r|seen' todo']; auto.
  now apply IH.
Qed.

(** Where columns lead a relation from a state. *)
Definition run_on (cs : list column) (o : relation) (q : option positive) : option positive :=
  fold_left (step (machine o)) (read_by o cs) q.

Hypothesis as_many : length starts = length others.

Definition at_place (cs : list column) (t : place_reached) : Prop :=
  Forall2 (fun p q => run (machine p) (read_by p cs) = Some q) parts (fst t)
  /\ snd t = map (fun t => run_on cs (fst t) (snd t)) (combine others starts).

Lemma read_by_app r cs ds : read_by r (cs ++ ds) = read_by r cs ++ read_by r ds.
Proof. apply map_app. Qed.

Lemma run_next r cs c : run (machine r) (read_by r (cs ++ [c])) =
  step (machine r) (run (machine r) (read_by r cs)) (map c (names r)).
Proof. rewrite read_by_app, run_app. reflexivity. Qed.

Lemma run_on_next r cs c q : run_on (cs ++ [c]) r q = step (machine r) (run_on cs r q) (map c (names r)).
Proof. unfold run_on. rewrite read_by_app, fold_left_app. reflexivity. Qed.

Lemma targets_of_keeps states t : forall found there us, In t there -> targets_of states found there = Some us -> In t us.
Proof.
  induction found as [|[k ts] found IH]; intros there us I H; simpl in H. { injection H as <-. exact I. }
  destruct (follow_all others states k); try discriminate. apply (IH ((ts, l) :: there) us); auto. now right.
Qed.

Lemma targets_of_sound states known ts : forall found there us, In (known, ts) found ->
  targets_of states found there = Some us -> exists os, follow_all others states known = Some os /\ In (ts, os) us.
Proof.
  induction found as [|[k t] found IH]; intros there us I H; simpl in *; [contradiction|].
  destruct (follow_all others states k) as [os|] eqn:F; try discriminate. destruct I as [[= -> ->]|I].
  - exists os. split; auto. apply (targets_of_keeps states _ found ((ts, os) :: there)); auto. now left.
  - apply (IH _ _ I H).
Qed.

Lemma reached seen : invariant seen [] -> forall cs t, at_place cs t -> is_seen seen t.
Proof.
  intros [F I] cs. induction cs as [|c cs IH] using rev_ind; intros [ps os] [P O]; simpl in *.
  - replace (ps, os) with first; auto. unfold first. f_equal.
    + clear - P. remember parts as l. clear Heql. induction P as [|r q l ps E P IH]; simpl; auto. rewrite <- IH.
      unfold run in E. simpl in E. congruence.
    + subst os. clear - as_many. revert as_many. generalize others. induction starts as [|q l IH]; intros [|o os] L; try discriminate; auto.
      simpl. f_equal. apply IH. simpl in L. congruence.
  - assert (Q : exists qs, Forall2 (fun p q => run (machine p) (read_by p cs) = Some q) parts qs
                  /\ all3 (fun p q t => moves c p (Some q) (Some t)) parts qs ps).
    { clear - P. induction P as [|r t l ts E P (qs & A & B)]. { exists []. split; constructor. }
      rewrite run_next in E. destruct (run (machine r) (read_by r cs)) as [q|] eqn:R; try discriminate.
      exists (q :: qs). split; constructor; auto. }
    destruct Q as (qs & A & B).
    destruct (I (qs, map (fun t => run_on cs (fst t) (snd t)) (combine others starts))) as [[]|(_ & us & S & C)].
    { apply IH. split; auto. }
    destruct (expand_all_sound _ _ _ _ B []) as (known & K & G). { intros x d. discriminate. }
    unfold successors in S. simpl in S. destruct (targets_of_sound _ _ _ _ _ _ K S) as (os' & H & J).
    apply C in J. replace os with os'; auto. apply follow_all_sound with (c := c) in H; auto.
    subst os. clear - H as_many. revert os' H. revert as_many. generalize starts.
    induction others as [|o l IH]; intros [|q qs0] L os' H; try discriminate; simpl in H; inversion H; subst; auto.
    simpl. f_equal; auto. rewrite run_on_next. symmetry. assumption.
Qed.

Theorem walk_from_sound n : walk_from n = true -> forall cs, forallb (fun p => accepts_columns p cs) parts = true ->
  holds (map (fun t => accepting (machine (fst t)) (run_on cs (fst t) (snd t))) (combine others starts)) = true.
Proof.
  intros W cs P. unfold walk_from in W.
  assert (J : invariant (PositiveMap.add (key first) [first] (PositiveMap.empty _)) [first]).
  { split.
    - unfold is_seen, kept. rewrite PositiveMap.gss. now left.
    - intros t T. unfold is_seen, kept in T. destruct (Pos.eq_dec (key t) (key first)) as [K|K].
      + rewrite K, PositiveMap.gss in T. destruct T as [<-|[]]. left. now left.
      + rewrite PositiveMap.gso, PositiveMap.gempty in T by auto. destruct T. }
  apply (visits_sound n) in J. destruct (visits n _ _) as [r|]; try discriminate. subst r.
  destruct J as (seen & J).
  assert (Q : exists ps, Forall2 (fun p q => run (machine p) (read_by p cs) = Some q) parts ps).
  { clear - P. induction parts as [|p l IH]. { exists []. constructor. }
    simpl in P. apply andb_true_iff in P as [A P]. destruct (IH P) as (qs & Q).
    unfold accepts_columns, accepts, accepting in A. destruct (run (machine p) (read_by p cs)) as [q|] eqn:E; try discriminate.
    exists (q :: qs). constructor; auto. }
  destruct Q as (ps & Q).
  pose proof (reached seen J cs (ps, map (fun t => run_on cs (fst t) (snd t)) (combine others starts)) (conj Q eq_refl)) as R.
  destruct J as [_ J]. destruct (J _ R) as [[]|[F _]]. unfold fine in F. simpl in F.
  assert (A : forallb (fun '(p, q) => accepting (machine p) (Some q)) (combine parts ps) = true).
  { clear - P Q. induction Q as [|p q l qs E Q IH]; simpl in *; auto. apply andb_true_iff in P as [A P].
    unfold accepts_columns, accepts in A. rewrite E in A. rewrite A. simpl. auto. }
  rewrite A in F. rewrite <- F. f_equal. clear - as_many. revert as_many. generalize starts.
  induction others as [|o l IH]; intros [|q qs] L; try discriminate; simpl; auto. f_equal. apply IH. simpl in L. congruence.
Qed.

End Walk.

(** All begin at their first states. *)
Definition walk (parts others : list relation) (holds : list bool -> bool) (n : nat) : bool :=
  walk_from parts others holds (map (fun _ => Some 1%positive) others) n.

Theorem walk_sound parts others holds n : walk parts others holds n = true -> forall cs,
  forallb (fun p => accepts_columns p cs) parts = true -> holds (map (fun o => accepts_columns o cs) others) = true.
Proof.
  intros W cs P. rewrite <- (walk_from_sound _ _ _ _ (map_length _ _) n W cs P). f_equal. clear.
  induction others as [|o l IH]; simpl; auto. f_equal. exact IH.
Qed.
