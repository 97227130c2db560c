(** The checker of certificates about families, and why it is right. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements FamilyStatements Numeration Columns Walks Forms Definitions Claims Atoms Exists Count Linear
  FamilyNumeration FamilyClaims FamilyLimits FamilyExists.
Import ListNotations.

(** Claims are numbered from 1.  The states of a relation read from its end, and why witnesses do not change, are guesses. *)
(** Why two relations differ beside few beginnings only. *)
Inductive few := Soon (heights : PositiveMap.t nat) | InTheEnd (e : endings).

Inductive family_rule :=
| FamilyAny (f : formula)
| FamilyAtom (f : formula) (there : part) (e : endings)
| FamilyConstant (of : positive) (x y z : name) (n : N)
| FamilyDefinition (of : positive) (p : name) (arguments : list name)
| FamilyAddition (zero next : positive) (p : name) (variables : list name)
| FamilyLinear (of : positive) (names : list (name * name)) (f : formula)
| FamilyShare (body equation : positive) (old new : name)
| FamilyAnd (of : list positive)
| FamilyOr (of : list positive) (f : formula)
| FamilyNot (of : positive)
| FamilyIff (left right : positive)
| FamilyExists (of : positive) (bound : list name) (found : guess) (why : reason)
| FamilyCount (of : positive) (number : N) (bound : list name) (found : counted) (why : reason)
| FamilyLimit (of : positive) (differ : part) (why : few).

Record family_line := { relation_along : part; guards_along : list part; rule_along : family_rule }.

(** [repeats]: after how many periods, and by how many more, the same state is reached again, if the statement fails. *)
Record family_certificate := {
  family_of : family;
  family_declared : declarations;
  parameter : name;
  after_one : PositiveMap.t (list positive);
  family_table : automata;
  family_patience : nat;
  family_lines : list family_line;
  family_statement : formula;
  outcome : verdict;
  repeats : nat * nat
}.

(** * Constants, one after the other *)

Definition constant_form (x y z : name) (n : N) : option form :=
  match n with
  | N0 => norm (Not (Exists [y] (Compare (var y) Less (var x))))
  | Npos _ => norm (Exists [y] (And (Compare (var y) Equal {| terms := []; constant := N.pred n |}) (next y x z)))
  end.

Lemma constant_means letters calls x y z n g v : excluded_middle -> y <> x -> z <> x -> z <> y -> constant_form x y z n = Some g ->
  true_of letters calls g v <-> value (var x) v = value {| terms := []; constant := n |} v.
Proof.
  intros classic YX ZX ZY C. unfold constant_form in C. rewrite value_var. destruct n as [|p].
  - rewrite (norm_true letters calls classic _ _ v C). cbn [means]. rewrite value_zero. split.
    + intros H. destruct (v x) as [|k] eqn:E; auto. exfalso. apply H. exists (put y k v).
      rewrite !value_var, put_same, put_other by auto. split; [|lia]. intros t T. apply put_other. intros ->. apply T. now left.
    + intros E (v' & S & L). rewrite !value_var in L. rewrite (S x) in L by (intros [|[]]; auto). lia.
  - rewrite (norm_true letters calls classic _ _ v C). clear C.
    assert (P : value {| terms := []; constant := N.pos p |} v = S (N.to_nat (N.pred (N.pos p)))).
    { unfold value. cbn [constant terms map list_sum fold_right]. rewrite N2Nat.inj_pred. pose proof (Pos2Nat.is_pos p). simpl. lia. }
    rewrite P. set (k := N.pred (N.pos p)). split.
    + intros (v' & S & E & N). apply (next_means letters calls) in N; auto.
      cbn [means] in E. rewrite value_var in E. unfold value in E. cbn [constant terms map list_sum fold_right] in E.
      rewrite (S x) in N by (intros [|[]]; auto). lia.
    + intros E. exists (put y (N.to_nat k) v). split. { intros t T. apply put_other. intros ->. apply T. now left. }
      split.
      * cbn [means]. rewrite value_var, put_same. unfold value. cbn [constant terms map list_sum fold_right]. lia.
      * apply (next_means letters calls); auto. rewrite put_same, put_other by auto. exact E.
Qed.

Section Checker.
Variable c : family_certificate.
Notation d := (family_declared c).
Notation world := (family_world (family_of c) d (parameter c)).
Notation sound := (sound_part_beside (family_of c) d (parameter c) (family_table c)).

Record family_state := { claims_along : PositiveMap.t claim; number_along : positive; additions_along : list name }.

Definition claims_of (s : family_state) (of : list positive) : option (list claim) :=
  all_some (map (fun i => PositiveMap.find i (claims_along s)) of).

Definition check_constant (r : part) (gs : list part) (cl : claim) (x y z : name) (n : N) : bool :=
  match constant_form x y z n with
  | Some g => form_eqb (fact cl) g && apart [(y, x); (z, x); (z, y)]
              && guarded world (family_table c) (family_patience c) gs cl && agree world (family_table c) (family_patience c) r gs [rel cl] []
  | None => false
  end.

Definition check_few (differ : part) (why : few) : bool :=
  match why with
  | Soon heights => check_soon (family_of c) d (parameter c) (family_table c) differ heights
  | InTheEnd e => check_endings_refuse (family_of c) d (parameter c) (family_table c) differ e
  end.

Definition apply_rule (s : family_state) (r : part) (gs : list part) (u : family_rule) : option form :=
  let t := family_table c in
  let n := family_patience c in
  let claim i := PositiveMap.find i (claims_along s) in
  match u with
  | FamilyAny f => if check_any world t n gs then norm f else None
  | FamilyAtom f there e =>
      match norm f with
      | Some f => if check_atom_beside (family_of c) d (parameter c) t n r gs f there e then Some f else None
      | None => None
      end
  | FamilyConstant i x y z k =>
      match claim i with
      | Some cl => if check_constant r gs cl x y z k then norm (Compare (var x) Equal {| terms := []; constant := k |}) else None
      | None => None
      end
  | FamilyDefinition i p arguments =>
      match claim i, find (fun e => Pos.eqb (defined e) p) (definitions d) with
      | Some cl, Some e =>
          match norm (body e) with
          | Some b => if check_definition world t n r gs cl (parameters e) arguments b then Some (Pred p arguments) else None
          | None => None
          end
      | _, _ => None
      end
  | FamilyAddition i j p xs =>
      match claim i, claim j with
      | Some ci, Some cj => if check_addition t ci cj p xs && check_and world t n r gs [] then Some TRUE else None
      | _, _ => None
      end
  | FamilyLinear i names f =>
      match claim i, norm f with
      | Some cl, Some f => if check_linear world t n (additions_along s) r gs cl names f then Some f else None
      | _, _ => None
      end
  | FamilyShare i j old new =>
      match claim i, claim j with
      | Some b, Some e => if check_share world t n r gs b e old new
                          then option_map (exists_form [old]) (conjunction [fact e; fact b]) else None
      | _, _ => None
      end
  | FamilyAnd of =>
      match claims_of s of with
      | Some l => if check_and world t n r gs l then conjunction (map fact l) else None
      | None => None
      end
  | FamilyOr of f =>
      match claims_of s of, norm f with
      | Some l, Some f => if check_or world t n r gs l f then Some f else None
      | _, _ => None
      end
  | FamilyNot i => match claim i with Some cl => if check_not world t n r gs cl then Some (negation (fact cl)) else None | None => None end
  | FamilyIff i j =>
      match claim i, claim j with
      | Some a, Some b => if check_iff world t n r gs a b then Some (equivalence (fact a) (fact b)) else None
      | _, _ => None
      end
  | FamilyExists i bound h why =>
      match claim i with
      | Some cl => if check_exists_beside (family_of c) d (parameter c) t n r gs cl bound h why
                   then Some (exists_form bound (fact cl)) else None
      | None => None
      end
  | FamilyCount i k bound h why =>
      let bound := union Pos.compare [] bound in
      match claim i with
      | Some cl => if check_count_beside (family_of c) d (parameter c) t n r gs cl k bound h why && subset bound (free (fact cl))
                   then Some (Count k bound (fact cl)) else None
      | None => None
      end
  | FamilyLimit i differ e =>
      match claim i with
      | Some cl => if check_differ (family_of c) d (parameter c) t n r gs cl differ && check_few differ e then Some (fact cl) else None
      | None => None
      end
  end.

Definition add_family_line (s : family_state) (l : family_line) : option family_state :=
  let r := relation_along l in
  let gs := guards_along l in
  if forallb sound (r :: gs)
  then match apply_rule s r gs (rule_along l) with
       | Some f => Some {| claims_along := PositiveMap.add (number_along s) {| rel := r; guards := gs; fact := f |} (claims_along s);
                           number_along := Pos.succ (number_along s);
                           additions_along := match rule_along l with FamilyAddition _ _ p _ => p :: additions_along s | _ => additions_along s end |}
       | None => None
       end
  else None.

Fixpoint add_family_lines (s : family_state) (ls : list family_line) : option family_state :=
  match ls with
  | [] => Some s
  | l :: ls => match add_family_line s l with Some s => add_family_lines s ls | None => None end
  end.

Definition start_family : family_state := {| claims_along := PositiveMap.empty _; number_along := 1; additions_along := [] |}.

(** ** A sequence for which the statement fails *)

Definition is_number_of_sequence (n : nat) : bool := (1 <=? n) && match family_of c with Choices k => n <=? k | Slopes => true end.

(** How some numbers of a sequence are written, and where they lead. *)
Definition written_numbers (l : list nat) : word := beginning (family_of c) (fun i => nth i l 0) (length l).

Definition after_periods (m : automaton) (period : list nat) (n : nat) : option positive :=
  Nat.iter n (fun q => fold_left (step m) (unary (written_numbers period)) q) (Some 1%positive).

Definition check_failure (cl : claim) (f : form) (first period : list nat) : bool :=
  let m := machine (resolve (family_table c) (rel cl)) in
  let q := after_periods m period (fst (repeats c)) in
  match tracks (rel cl), guards cl with [x], [] => Pos.eqb x (parameter c) | _, _ => false end
  && form_eqb (fact cl) f && forallb is_number_of_sequence (first ++ period) && negb (length period =? 0)
  && negb (snd (repeats c) =? 0)
  && option_eqb q (after_periods m period (fst (repeats c) + snd (repeats c)))
  && negb (accepting m (fold_left (step m) (unary (written_numbers first)) q)).

Definition check_family : bool :=
  family_good (family_of c) d (parameter c) (after_one c) (family_patience c) && definitions_good (definitions d)
  && match add_family_lines start_family (family_lines c), norm (family_statement c) with
     | Some s, Some f =>
         match PositiveMap.find (Pos.pred (number_along s)) (claims_along s) with
         | Some last => match outcome c with
                        | ForAll => says (family_table c) last f
                        | FailsFor first period => check_failure last f first period
                        end
         | None => false
         end
     | _, _ => false
     end.

(** ** Soundness *)

Hypothesis classic : excluded_middle.
Hypothesis good : family_good (family_of c) d (parameter c) (after_one c) (family_patience c) = true.
Hypothesis defs : definitions_good (definitions d) = true.

Section Along.
Variable a : nat -> nat.
Hypothesis here : in_family (family_of c) a.
Notation valid := (valid_along (family_of c) d (parameter c) (family_table c) a).
Notation letters := (letters_here (family_of c) d a).
Notation calls := (calls_here (family_of c) d a).

Definition sound_state (s : family_state) : Prop :=
  (forall i cl, PositiveMap.find i (claims_along s) = Some cl -> valid cl /\ forallb sound (rel cl :: guards cl) = true)
  /\ forall p, In p (additions_along s) -> adds calls p.

Lemma claims_of_valid s of l : sound_state s -> claims_of s of = Some l -> forall cl, In cl l -> valid cl.
Proof.
  intros [O _] H cl I. unfold claims_of in H. apply all_some_in in H as [_ B]. destruct (B cl I) as (i & _ & F).
  now apply O in F as [F _].
Qed.

Lemma check_constant_along r gs cl x y z n g : check_constant r gs cl x y z n = true -> valid cl ->
  norm (Compare (var x) Equal {| terms := []; constant := n |}) = Some g ->
  follows_along (family_of c) d (parameter c) (family_table c) a r gs g.
Proof.
  unfold check_constant. destruct (constant_form x y z n) as [w|] eqn:C; [|discriminate]. rewrite !andb_true_iff.
  intros [[[E A] G] AG] V N v. apply form_eqb_eq in E.
  eapply limit_weaker; [exact (V v)|]. intros m T cs W H. cbn [rel guards fact] in *.
  assert (NA := numbers_along (family_of c) d (parameter c) (after_one c) (family_table c) (family_patience c) good a here m cs v W).
  rewrite (agree_one_at _ _ _ _ _ _ _ _ AG NA H (all_have_nil _ cs)).
  rewrite (T cs W (guarded_sound_at _ _ _ _ _ _ G NA H)), E.
  rewrite (constant_means letters calls x y z n w v classic) by (auto; eapply apart_not; eauto; simpl; tauto).
  rewrite (norm_true letters calls classic _ _ v N). reflexivity.
Qed.

Lemma apply_rule_along s r gs u f : sound_state s -> forallb sound (r :: gs) = true -> apply_rule s r gs u = Some f ->
  follows_along (family_of c) d (parameter c) (family_table c) a r gs f
  /\ match u with FamilyAddition _ _ p _ => adds calls p | _ => True end.
Proof.
  intros SS SP H. pose proof SS as (O & AD).
  assert (OK : forall of l, claims_of s of = Some l -> forall cl, In cl l -> valid cl) by (intros; eapply claims_of_valid; eauto).
  assert (V : forall i cl, PositiveMap.find i (claims_along s) = Some cl -> valid cl) by (intros i cl F; now apply O in F as [V _]).
  destruct u as [g|g there e|i x y z k|i p args|i j p xs|i ns g|i j old new|of|of g|i|i j|i bound h why|i k bound h why|i differ e]; cbn [apply_rule] in H;
    repeat match goal with
      | H : match norm ?g with _ => _ end = _ |- _ => destruct (norm g) eqn:?; try discriminate
      | H : match claims_of ?s ?of with _ => _ end = _ |- _ => destruct (claims_of s of) eqn:?; try discriminate
      | H : match PositiveMap.find ?i ?m with _ => _ end = _ |- _ => destruct (PositiveMap.find i m) eqn:?; try discriminate
      | H : match find ?f ?l with _ => _ end = _ |- _ => destruct (find f l) eqn:?; try discriminate
      | H : (if ?b then _ else _) = _ |- _ => destruct b eqn:?; try discriminate
      end; (split; [|auto]).
  - eapply check_any_along; eauto.
  - injection H as <-. eapply check_atom_along; eauto.
  - eapply check_constant_along; eauto.
  - injection H as <-. eapply check_definition_along; eauto. intros ns. unfold calls_here. apply definition_meaning; auto.
  - injection H as <-. apply andb_true_iff in Heqb as [_ A]. eapply check_and_along; eauto. intros cl [].
  - apply andb_true_iff in Heqb as [A _]. eapply check_addition_sound_by; eauto; intros g v S;
      [pose proof (O _ _ Heqo) as [? ?] | pose proof (O _ _ Heqo0) as [? ?]]; eapply says_along; eauto.
  - injection H as <-. eapply check_linear_along; eauto.
  - destruct (conjunction _) as [k|] eqn:K; try discriminate. injection H as <-. eapply check_share_along; eauto.
  - eapply check_and_along; eauto.
  - injection H as <-. eapply check_or_along; eauto.
  - injection H as <-. eapply check_not_along; eauto.
  - injection H as <-. eapply check_iff_along; eauto.
  - injection H as <-. eapply check_exists_along; eauto.
  - injection H as <-. apply andb_true_iff in Heqb as [A _]. eapply check_count_along; eauto.
  - injection H as <-. apply andb_true_iff in Heqb as [D W]. eapply check_differ_along; eauto. intros v.
    destruct e; cbn [check_few] in W; [eapply soon_refused; eauto | eapply endings_refused; eauto].
Qed.

Lemma add_lines_along ls : forall s s', sound_state s -> add_family_lines s ls = Some s' -> sound_state s'.
Proof.
  induction ls as [|l ls IH]; intros s s' S H; cbn [add_family_lines] in H.
  - injection H as <-. auto.
  - destruct (add_family_line s l) as [t|] eqn:E; try discriminate. apply (IH t s'); auto. clear IH H.
    unfold add_family_line in E. cbv zeta in E. destruct (forallb _ _) eqn:SP; try discriminate.
    destruct (apply_rule _ _ _ _) as [f|] eqn:A; try discriminate. injection E as <-.
    destruct (apply_rule_along _ _ _ _ _ S SP A) as [F AD]. destruct S as (O & B). split; cbn [claims_along additions_along].
    + intros i cl. destruct (Pos.eq_dec i (number_along s)) as [->|N].
      * rewrite PositiveMap.gss. intros [= <-]. split; auto.
      * rewrite PositiveMap.gso by auto. apply O.
    + destruct (rule_along l); auto. intros q [<-|I]; auto.
Qed.

Lemma last_claim s : add_family_lines start_family (family_lines c) = Some s -> sound_state s.
Proof.
  apply add_lines_along. split; [|intros p []]. intros i cl E. simpl in E. rewrite PositiveMap.gempty in E. discriminate.
Qed.
End Along.

(** ** Sequences that repeat *)

Lemma beginning_same g a e n : (forall i, i < n -> a i = e i) -> beginning g a n = beginning g e n.
Proof. induction n as [|n IH]; intros H; simpl; auto. rewrite IH, H by auto. reflexivity. Qed.

Lemma beginning_plus g a n k : beginning g a (n + k) = beginning g (fun i => a (n + i)) k ++ beginning g a n.
Proof.
  induction k as [|k IH]; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r. cbn [beginning]. now rewrite IH, app_assoc.
Qed.

Lemma repeating_family first period : forallb is_number_of_sequence (first ++ period) = true -> length period <> 0 ->
  in_family (family_of c) (repeating first period).
Proof.
  intros H N i. rewrite forallb_app, andb_true_iff, !forallb_forall in H. destruct H as [F P].
  assert (E : is_number_of_sequence (repeating first period i) = true).
  { unfold repeating. destruct (Nat.ltb_spec i (length first)).
    - apply F, nth_In. auto.
    - apply P, nth_In. now apply Nat.mod_upper_bound. }
  unfold is_number_of_sequence in E. apply andb_true_iff in E as [E G]. apply Nat.leb_le in E. split; auto.
  destruct (family_of c); auto. now apply Nat.leb_le.
Qed.

Lemma unary_of_app u w : unary (u ++ w) = unary u ++ unary w.
Proof. apply map_app. Qed.

Lemma run_repeating m first period n : length period <> 0 ->
  run m (unary (beginning (family_of c) (repeating first period) (length first + n * length period)))
  = fold_left (step m) (unary (written_numbers first)) (after_periods m period n).
Proof.
  intros N. set (a := repeating first period).
  assert (E : beginning (family_of c) a (length first + n * length period)
              = Nat.iter n (fun w => written_numbers period ++ w) [] ++ written_numbers first).
  { induction n as [|n IH].
    - simpl. rewrite Nat.add_0_r. apply beginning_same. intros i L. unfold a, repeating. now apply Nat.ltb_lt in L as ->.
    - replace (length first + S n * length period) with ((length first + n * length period) + length period) by (simpl; lia).
      rewrite beginning_plus, IH. cbn [Nat.iter nat_rect]. rewrite <- app_assoc. f_equal.
      apply beginning_same. intros i L. unfold a, repeating. destruct (Nat.ltb_spec (length first + n * length period + i) (length first)); [lia|].
      replace (length first + n * length period + i - length first) with (i + n * length period) by lia.
      rewrite Nat.mod_add by auto. now rewrite Nat.mod_small by auto. }
  rewrite E, unary_of_app, run_app. f_equal. unfold run, after_periods. generalize (Some 1%positive). clear E.
  assert (R : forall n w, Nat.iter n (fun u => w ++ u) [] ++ w = w ++ Nat.iter n (fun u : word => w ++ u) []).
  { intros k w. induction k as [|k IH]; simpl; [now rewrite app_nil_r|]. now rewrite <- app_assoc, IH. }
  induction n as [|n IH]; intros q; auto. cbn [Nat.iter nat_rect]. unfold Nat.iter in R. rewrite <- R, unary_of_app, fold_left_app.
  f_equal. apply IH.
Qed.

Lemma after_periods_plus m period n k : after_periods m period (n + k) =
  Nat.iter k (fun q => fold_left (step m) (unary (written_numbers period)) q) (after_periods m period n).
Proof.
  induction k as [|k IH]; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r. unfold after_periods in *. cbn [Nat.iter nat_rect].
  unfold Nat.iter in IH. now rewrite IH.
Qed.

Lemma after_cycles m period n k i : after_periods m period (n + k) = after_periods m period n ->
  after_periods m period (n + i * k) = after_periods m period n.
Proof.
  intros H. induction i as [|i IH]; [now rewrite Nat.add_0_r|].
  replace (n + S i * k) with ((n + i * k) + k) by (simpl; lia).
  rewrite after_periods_plus, IH, <- after_periods_plus. exact H.
Qed.

Lemma check_failure_sound s last f first period : let a := repeating first period in
  PositiveMap.find (Pos.pred (number_along s)) (claims_along s) = Some last -> check_failure last f first period = true ->
  (forall e, in_family (family_of c) e -> sound_state e s) ->
  in_family (family_of c) a /\ forall v, ~ true_of (letters_here (family_of c) d a) (calls_here (family_of c) d a) f v.
Proof.
  intros a F H S. unfold check_failure in H. cbv zeta in H. rewrite !andb_true_iff in H.
  destruct H as [[[[[[T E] NF] NP] NR] Q] A]. apply form_eqb_eq in E. apply negb_true_iff, Nat.eqb_neq in NP, NR.
  apply option_eqb_eq in Q. apply negb_true_iff in A.
  destruct (tracks (rel last)) as [|x [|]] eqn:TR; try discriminate. destruct (guards last) eqn:GU; try discriminate.
  apply Pos.eqb_eq in T. subst x. assert (IN := repeating_family first period NF NP). fold a in IN. split; auto.
  intros v TV. rewrite <- E in TV. destruct (S a IN) as [O _]. destruct (O _ _ F) as [V _].
  destruct (both_limits _ _ (V v) (can_write_along (family_of c) d (parameter c) (after_one c) (family_patience c) good a IN v)) as (N & X).
  set (k := fst (repeats c) + (1 + N) * snd (repeats c)). set (n := length first + k * length period).
  assert (1 + N <= k) by (unfold k; nia). assert (k <= n) by (unfold n; nia).
  destruct (X n) as [Y (cs & W)]; [lia|]. assert (P := proj1 W). apply exact_written in W; [|lia].
  assert (R : has (family_table c) (rel last) cs = true).
  { apply (Y cs W); auto. rewrite GU. intros q []. }
  unfold has, accepts_columns in R. rewrite (tracks_names (family_table c)) in TR.
  destruct (resolve (family_table c) (rel last)) as [m xs] eqn:RS. cbn [names machine] in *. subst xs.
  rewrite read_one, P in R. unfold accepts, n in R. unfold a in R. rewrite run_repeating in R by auto.
  unfold k in R. rewrite after_cycles in R by (symmetry; exact Q). congruence.
Qed.
End Checker.

Theorem check_family_sound : excluded_middle -> forall c, check_family c = true ->
  holds_along (family_of c) (family_declared c) (family_statement c) (outcome c).
Proof.
  intros classic c H. unfold check_family in H. rewrite !andb_true_iff in H. destruct H as [[G D] H].
  destruct (add_family_lines c start_family (family_lines c)) as [s|] eqn:L; try discriminate.
  destruct (norm (family_statement c)) as [f|] eqn:N; try discriminate.
  destruct (PositiveMap.find _ (claims_along s)) as [last|] eqn:F; try discriminate.
  assert (S : forall a, in_family (family_of c) a -> sound_state c a s) by (intros a I; now apply last_claim).
  destruct (outcome c) as [|first period]; cbn [holds_along].
  - intros a I v. apply (norm_true (letters_here (family_of c) (family_declared c) a) (calls_here (family_of c) (family_declared c) a) classic _ _ v N).
    destruct (S a I) as [O _]. destruct (O _ _ F) as [V SP]. eapply says_along; eauto.
  - destruct (check_failure_sound c G s last f first period F H S) as [I T]. split; auto.
    intros v M. apply (T v).
    now apply (norm_true (letters_here (family_of c) (family_declared c) (repeating first period)) (calls_here (family_of c) (family_declared c) (repeating first period)) classic _ _ v N).
Qed.

Print Assumptions check_family_sound.
