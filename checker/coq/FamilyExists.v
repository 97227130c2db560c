(** Projections of claims about a family: E x F and E>=k x F, where witnesses last beside longer beginnings, or are bounded. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements FamilyStatements Numeration Columns Walks Forms Claims Atoms Exists Count Linear FamilyNumeration FamilyClaims FamilyLimits.
Import ListNotations.

(** Lasting: for the relation, or for it and the guards, the states after one more number of the sequence beside zeros.
    Bounded: a relation that accepts what the relation and the guards do; its states in front of the bound variables, and
    for those after their first digits, in front of the others, how many numbers of the sequence may follow. *)
Inductive reason :=
| Lasting (guards_too : bool) (after_one : list (list (option positive)))
| Bounded (wider : part) (front : PositiveMap.t unit) (heights : PositiveMap.t nat).

Section Exists.
Variables (f : family) (d : declarations) (parameter : name) (ends : PositiveMap.t (list positive)).
Variable table : automata.
Variable patience : nat.
Notation world := (family_world f d parameter).

Definition zero_letter (r : relation) (n : nat) : letter := map (fun x => if Pos.eqb x parameter then n else 0) (names r).

Definition is_among (q : option positive) (l : list (option positive)) : bool := existsb (option_eqb q) l.

(** Parts accept what they accept also with one more number of the sequence in front, beside zeros. *)
Definition check_lasting (qs : list part) (after_one : list (list (option positive))) : bool :=
  let xs := flat_map tracks qs in
  let parts := {| machine := begun f false; names := [parameter] |} :: map (resolve table) qs
               ++ map (fun x => resolve table (number_of world x)) (fresh xs []) in
  forallb (knows world) xs && Nat.eqb (length after_one) (length qs)
  && forallb (fun t =>
       let r := resolve table (fst t) in
       forallb (fun n => is_among (step (machine r) (Some 1%positive) (zero_letter r n)) (snd t)) (firsts f)
       && forallb (fun q =>
            forallb (fun n => is_among (step (machine r) q (zero_letter r n)) (snd t)) (mores f)
            && walk_from parts [r] every [q] patience) (snd t))
       (combine qs after_one).

Definition is_first (n : nat) : bool := existsb (Nat.eqb n) (firsts f).

Section Heights.
Variables (m : automaton) (xs ws : list name) (front : PositiveMap.t unit) (heights : PositiveMap.t nat).

Definition zero_at (c : column) (l : list name) : bool := forallb (fun x => c x =? 0) l.
Definition others_of : list name := filter (fun x => negb (Pos.eqb x parameter || mem x ws)) xs.
Definition bound_of : list name := filter (fun x => mem x ws) xs.

Definition check_heights : bool :=
  among 1 front
  && forallb (fun t =>
       let p := fst t in
       forallb (fun u =>
         let c := column_of (fst u) in
         let q := snd u in
         complete xs (fst u)
         && (negb (zero_at c others_of)
             || ((negb (among p front) || (if zero_at c bound_of then among q front
                                           else match PositiveMap.find q heights with Some _ => true | None => false end))
                 && match PositiveMap.find p heights with
                    | None => true
                    | Some h => match PositiveMap.find q heights with
                                | Some h' => h' + (if is_first (c parameter) then 1 else 0) <=? h
                                | None => false
                                end
                    end)))
         (expand (snd (snd t)) xs []))
       (PositiveMap.elements m).

Definition highest : nat := list_max (map snd (PositiveMap.elements heights)).
End Heights.

Definition check_reason (gs : list part) (c : claim) (bound : list name) (why : reason) : bool :=
  let ws := witnesses c bound in
  match why with
  | Lasting guards_too after_one => check_lasting (rel c :: if guards_too then gs else []) after_one
  | Bounded wider front heights =>
      cover world table patience (gs ++ numbers_over world (rel c :: gs) ++ [rel c]) [wider] && sound_part_beside f d parameter table wider
      && subset ws (tracks wider) && mem parameter (tracks wider)
      && check_heights (machine (resolve table wider)) (tracks wider) ws front heights
  end.

(** What both rules need beside what they need of numbers. *)
Definition check_bound (r : part) (gs : list part) (c : claim) (bound : list name) (why : reason) : bool :=
  negb (mem parameter bound) && forallb (sound_part_beside f d parameter table) (r :: rel c :: gs) && check_reason gs c bound why.

Definition check_exists_beside (r : part) (gs : list part) (c : claim) (bound : list name) (h : guess) (why : reason) : bool :=
  check_bound r gs c bound why && check_exists world table patience r gs c bound h.

Definition check_count_beside (r : part) (gs : list part) (c : claim) (k : N) (bound : list name) (h : counted) (why : reason) : bool :=
  check_bound r gs c bound why && check_count world table patience r gs c k bound h.

(** A relation accepts given numbers beside a bounded number of beginnings. *)
Definition check_soon (differ : part) (heights : PositiveMap.t nat) : bool :=
  sound_part_beside f d parameter table differ && mem parameter (tracks differ)
  && check_heights (machine (resolve table differ)) (tracks differ) [] (PositiveMap.map (fun _ => tt) heights) heights
  && match PositiveMap.find 1%positive heights with Some _ => true | None => false end.

Hypothesis good : family_good f d parameter ends patience = true.
Hypothesis classic : excluded_middle.

Section Along.
Variable a : nat -> nat.
Hypothesis here : in_family f a.
Notation b := (beginning f a).
Notation written := (written_along f d parameter a).
Notation exact := (exact_along f d parameter a).
Notation tr := (true_of (letters_here f d a) (calls_here f d a)).
Notation sound := (sound_part_beside f d parameter table).

Lemma track_skipn x k cs : track_of x (skipn k cs) = skipn k (track_of x cs).
Proof. unfold track_of. revert cs. induction k as [|k IH]; intros [|c cs]; simpl; auto. Qed.

Lemma written_exact n cs v : written n cs v -> exists k, exact n (skipn k cs) v.
Proof.
  intros (_ & k & P & W). exists k. split.
  - now rewrite track_skipn, P, skipn_zeros.
  - intros x i s E. rewrite track_skipn. destruct (W x i s E) as (w & -> & R). now rewrite skipn_zeros.
Qed.

(** ** Witnesses that last *)

Lemma is_among_in q l : is_among q l = true -> In q l.
Proof. unfold is_among. rewrite existsb_exists. intros (u & I & E). apply option_eqb_eq in E. now subst. Qed.

Lemma lasting_next qs after_one n cs v : check_lasting qs after_one = true -> 1 <= n -> exact n cs v -> all_have table qs cs ->
  all_have table qs (fronts parameter (digits_of f (a n)) ++ cs).
Proof.
  unfold check_lasting. rewrite !andb_true_iff. intros [[K L] H] N X A q Q. apply Nat.eqb_eq in L.
  rewrite forallb_forall in H, K.
  assert (I : exists l, In (q, l) (combine qs after_one)).
  { clear - L Q. revert after_one L. induction qs as [|p ps IH]; intros [|l ls] L; try discriminate; destruct Q.
    - subst. exists l. now left.
    - destruct (IH H ls) as (l' & I); [simpl in L; congruence|]. exists l'. now right. }
  destruct I as (l & I). specialize (H _ I). cbn [fst snd] in H. apply andb_true_iff in H as [H1 H2]. rewrite forallb_forall in H1, H2.
  set (r := resolve table q) in *.
  destruct (digits_of_marks f a here n) as (m & rest & E & M & F).
  assert (EN : exists u, In u l /\ fold_left (step (machine r)) (read_by r (fronts parameter (digits_of f (a n)))) (Some 1%positive) = u).
  { rewrite E. unfold fronts. cbn [map read_by fold_left]. fold (zero_letter r m).
    apply H1, is_among_in in M. clear E I. revert M. generalize (step (machine r) (Some 1%positive) (zero_letter r m)).
    induction F as [|n' rest N' F IH]; intros u U; [eauto|]. cbn [map read_by fold_left].
    apply IH. specialize (H2 u U). apply andb_true_iff in H2 as [H2 _]. rewrite forallb_forall in H2. now apply is_among_in, H2. }
  destruct EN as (u & U & R). specialize (H2 u U). apply andb_true_iff in H2 as [_ WK].
  assert (WS := walk_from_sound _ [r] every [u] eq_refl _ WK cs). clear H1 WK.
  unfold has, accepts_columns, accepts, run. fold r. rewrite read_by_app, fold_left_app, R.
  cbn [combine map fst snd] in WS. unfold every in WS. cbn [forallb] in WS.
  refine (proj1 (andb_prop _ _ (WS _))). cbn [forallb]. apply andb_true_iff. split.
  - unfold accepts_columns. rewrite read_one. destruct X as [P _]. rewrite P. cbn [machine]. destruct n as [|n]; [lia|].
    now apply begun_accepts.
  - apply forallb_forall. intros o O. apply in_app_iff in O as [O|O].
    + apply in_map_iff in O as (p & <- & O). now apply A.
    + apply in_map_iff in O as (x & <- & O). apply fresh_in in O as [O _].
      apply (numbers_along f d parameter ends table patience good a here n cs v); auto. now apply exact_written.
Qed.

Lemma lasting_always qs after_one n cs v : check_lasting qs after_one = true -> 1 <= n -> exact n cs v -> all_have table qs cs ->
  forall m, n <= m -> exists cs', exact m cs' v /\ all_have table qs cs'.
Proof.
  intros C N X A m L. induction L as [|m L (cs' & X' & A')]; [eauto|].
  exists (fronts parameter (digits_of f (a m)) ++ cs'). split.
  - apply (exact_longer f d parameter ends patience good a here); auto. lia.
  - eapply lasting_next; eauto. lia.
Qed.

(** What does not hold in the limit fails again and again. *)
Lemma not_limit (P : nat -> Prop) : ~ in_the_limit P -> forall n, exists m, n <= m /\ ~ P m.
Proof.
  intros H n. destruct (classic (exists m, n <= m /\ ~ P m)) as [|N]; auto. exfalso. apply H. exists n. intros m L.
  destruct (classic (P m)); auto. exfalso. eauto.
Qed.

(** ** Witnesses that are bounded *)

Section Heights.
Variables (m : automaton) (xs ws : list name) (front : PositiveMap.t unit) (heights : PositiveMap.t nat).
Hypothesis checked : check_heights m xs ws front heights = true.
Hypothesis has_parameter : In parameter xs.

Definition run_columns (cs : list column) (q : positive) : option positive := fold_left (step m) (map (fun c => map c xs) cs) (Some q).

Lemma zero_at_same c e l : (forall x, In x l -> c x = e x) -> zero_at c l = zero_at e l.
Proof.
  intros H. unfold zero_at. induction l as [|x l IH]; simpl; auto. rewrite (H x) by now left. f_equal. apply IH. intros; apply H. now right.
Qed.

(** One column, with zeros of all variables but those bound. *)
Lemma heights_step p c q : step m (Some p) (map c xs) = Some q -> zero_at c (others_of xs ws) = true ->
  (among p front = true -> if zero_at c (bound_of xs ws) then among q front = true else exists h, PositiveMap.find q heights = Some h)
  /\ forall h, PositiveMap.find p heights = Some h ->
       exists h', PositiveMap.find q heights = Some h' /\ h' + (if is_first (c parameter) then 1 else 0) <= h.
Proof.
  intros S Z. assert (G := checked). unfold check_heights in G. apply andb_true_iff in G as [_ G]. rewrite forallb_forall in G.
  unfold step in S. destruct (PositiveMap.find p m) as [[z r]|] eqn:F; [|discriminate].
  apply PositiveMap.elements_correct in F. destruct (expand_sound c xs r [] q) as (known & K & A); auto. { intros x y. discriminate. }
  apply G in F. cbn [fst snd] in F. rewrite forallb_forall in F. apply F in K. cbn [fst snd] in K. cbv zeta in K.
  apply andb_true_iff in K as [C K].
  assert (E : forall x, In x xs -> column_of known x = c x) by (intros x I; eapply known_all; eauto).
  rewrite (zero_at_same _ c (others_of xs ws)) in K by (intros x I; apply filter_In in I as [I _]; auto).
  rewrite (zero_at_same _ c (bound_of xs ws)) in K by (intros x I; apply filter_In in I as [I _]; auto).
  rewrite (E parameter) in K by auto. rewrite Z in K. cbn [negb orb] in K. apply andb_true_iff in K as [K1 K2]. split.
  - intros P. rewrite P in K1. cbn [negb orb] in K1. destruct (zero_at c (bound_of xs ws)); auto.
    destruct (PositiveMap.find q heights) as [h|]; [eauto|discriminate].
  - intros h H. rewrite H in K2. destruct (PositiveMap.find q heights) as [h'|]; [|discriminate]. exists h'. split; auto.
    now apply Nat.leb_le.
Qed.

Definition count_firsts (cs : list column) : nat := length (filter is_first (track_of parameter cs)).

Lemma run_columns_none cs : fold_left (step m) (map (fun c : column => map c xs) cs) None = None.
Proof. induction cs; auto. Qed.

Lemma heights_bound cs : forall p h, (forall c, In c cs -> zero_at c (others_of xs ws) = true) ->
  run_columns cs p <> None -> PositiveMap.find p heights = Some h -> count_firsts cs <= h.
Proof.
  induction cs as [|c cs IH]; intros p h Z R H. { unfold count_firsts. simpl. lia. }
  unfold run_columns in R. cbn [map fold_left] in R. destruct (step m (Some p) (map c xs)) as [q|] eqn:S.
  2:{ rewrite run_columns_none in R. congruence. }
  destruct (heights_step _ _ _ S (Z c (or_introl eq_refl))) as [_ B]. destruct (B h H) as (h' & H' & L).
  specialize (IH q h' (fun c' I => Z c' (or_intror I)) R H'). unfold count_firsts in *. cbn [track_of map filter].
  unfold track_of in *. destruct (is_first (c parameter)); simpl; lia.
Qed.

Lemma highest_bound p h : PositiveMap.find p heights = Some h -> h <= highest heights.
Proof.
  intros H. apply PositiveMap.elements_correct in H. unfold highest.
  assert (F : Forall (fun k => k <= list_max (map snd (PositiveMap.elements heights))) (map snd (PositiveMap.elements heights))).
  { now apply list_max_le. }
  rewrite Forall_forall in F. apply F. apply in_map_iff. exists (p, h). auto.
Qed.

Lemma front_bound u : forall p c w, (forall e, In e (u ++ c :: w) -> zero_at e (others_of xs ws) = true) ->
  run_columns (u ++ c :: w) p <> None -> among p front = true -> zero_at c (bound_of xs ws) = false ->
  count_firsts w <= highest heights.
Proof.
  induction u as [|e u IH]; intros p c w Z R F N.
  - cbn [app] in *. unfold run_columns in R. cbn [map fold_left] in R. destruct (step m (Some p) (map c xs)) as [q|] eqn:S.
    2:{ rewrite run_columns_none in R. congruence. }
    destruct (heights_step _ _ _ S (Z c (or_introl eq_refl))) as [A _]. specialize (A F). rewrite N in A. destruct A as (h & H).
    pose proof (highest_bound _ _ H). pose proof (heights_bound w q h (fun c' I => Z c' (or_intror I)) R H). lia.
  - cbn [app] in *. unfold run_columns in R. cbn [map fold_left] in R. destruct (step m (Some p) (map e xs)) as [q|] eqn:S.
    2:{ rewrite run_columns_none in R. congruence. }
    destruct (heights_step _ _ _ S (Z e (or_introl eq_refl))) as [A _]. specialize (A F).
    destruct (zero_at e (bound_of xs ws)) eqn:ZE.
    + eapply IH; eauto. intros; apply Z. now right.
    + destruct A as (h & H). pose proof (highest_bound _ _ H).
      pose proof (heights_bound (u ++ c :: w) q h (fun c' I => Z c' (or_intror I)) R H) as B.
      unfold count_firsts, track_of in *. rewrite map_app, filter_app, app_length in B. cbn [map filter] in B.
      destruct (is_first (c parameter)); simpl in B; lia.
Qed.
End Heights.

(** The digits of some numbers of the sequence. *)
Fixpoint between (n k : nat) : word := match k with 0 => [] | S k => digits_of f (a (n + k)) ++ between n k end.

Lemma beginning_between n k : b (n + k) = between n k ++ b n.
Proof.
  induction k as [|k IH]; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r. cbn [beginning between]. now rewrite IH, app_assoc.
Qed.

Lemma between_plus n j k : between n (j + k) = between (n + j) k ++ between n j.
Proof.
  induction k as [|k IH]; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r. cbn [between]. rewrite IH, app_assoc.
  now replace (n + (j + k)) with (n + j + k) by lia.
Qed.

Lemma between_firsts n k : k <= length (filter is_first (between n k)).
Proof.
  induction k as [|k IH]; [simpl; lia|]. cbn [between]. rewrite filter_app, app_length.
  destruct (digits_of_marks f a here (n + k)) as (m & rest & -> & M & _). cbn [filter].
  replace (is_first m) with true. { simpl. lia. }
  symmetry. unfold is_first. apply existsb_exists. exists m. split; auto. apply Nat.eqb_refl.
Qed.

Lemma all_zeros (w : word) : (forall c, In c w -> c = 0) -> w = repeat 0 (length w).
Proof. induction w as [|c w IH]; intros H; simpl; auto. rewrite (H c) by now left. f_equal. apply IH. intros; apply H. now right. Qed.

Lemma track_firstn x k cs : track_of x (firstn k cs) = firstn k (track_of x cs).
Proof. unfold track_of. symmetry. apply firstn_map. Qed.

Lemma zero_columns x k ds w c : track_of x ds = repeat 0 k ++ w -> In c (firstn k ds) -> c x = 0.
Proof.
  intros T I. assert (J : In (c x) (track_of x (firstn k ds))) by (unfold track_of; apply in_map_iff; eauto).
  rewrite track_firstn, T in J. rewrite firstn_app, repeat_length, Nat.sub_diag, firstn_O, app_nil_r in J.
  rewrite firstn_all2 in J by now rewrite repeat_length. now apply repeat_spec in J.
Qed.

(** In front of some beginning bound variables have zeros, where the others have. *)
Lemma front_zeros m xs ws front heights n pre1 pre2 : check_heights m xs ws front heights = true -> In parameter xs ->
  track_of parameter pre2 = between n (S (highest heights)) ->
  (forall c, In c (pre1 ++ pre2) -> zero_at c (others_of xs ws) = true) -> run_columns m xs (pre1 ++ pre2) 1 <> None ->
  forall c, In c pre1 -> zero_at c (bound_of xs ws) = true.
Proof.
  intros H P T Z R c I. destruct (zero_at c (bound_of xs ws)) eqn:E; auto. exfalso.
  apply in_split in I as (u & w & ->). rewrite <- app_assoc in Z, R. cbn [app] in Z, R.
  assert (F : among 1 front = true) by (unfold check_heights in H; apply andb_true_iff in H; tauto).
  pose proof (front_bound m xs ws front heights H P u _ _ _ Z R F E) as B.
  pose proof (between_firsts n (S (highest heights))) as C.
  unfold count_firsts, track_of in B, T. rewrite map_app, T, filter_app, app_length in B. lia.
Qed.

Lemma exact_far n cs v k : 1 <= n -> exact n cs v -> exact (n + k) (fronts parameter (between n k) ++ cs) v.
Proof.
  intros N X. induction k as [|k IH]; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r. cbn [between].
  unfold fronts. rewrite map_app, <- app_assoc. apply (exact_longer f d parameter ends patience good a here); auto. lia.
Qed.

Definition largest (ws : list name) (n : nat) : nat :=
  list_max (map (fun x => match system_of d x with Some (_, s) => length (words (digits s) (length (b n))) | None => 0 end) ws).

(** In front of a beginning for which all values have words, variables have zeros, but for those bound. *)
Lemma clean_front wider ws n cs v k ds v' : sound wider = true -> 1 <= n -> exact n cs v -> exact (n + k) ds v' -> same_but ws v v' ->
  forall c, In c (firstn (length (between n k)) ds) -> zero_at c (others_of (tracks wider) ws) = true.
Proof.
  intros SW N X XD SB c I. apply forallb_forall. intros y Y. apply Nat.eqb_eq.
  unfold others_of in Y. apply filter_In in Y as [Y YN]. apply negb_true_iff, orb_false_iff in YN as [YP YW].
  apply mem_not in YW. unfold sound_part_beside in SW. apply andb_true_iff in SW as [_ SW]. rewrite forallb_forall in SW.
  rewrite <- (tracks_names table) in SW. specialize (SW y Y). cbn [knows family_world] in SW. rewrite YP in SW. cbn [orb] in SW.
  unfold known in SW. destruct (system_of d y) as [[i s]|] eqn:ES; [|discriminate].
  pose proof (exact_far n cs v k N X) as XF.
  pose proof (proj2 XD y i s ES) as R1. pose proof (proj2 XF y i s ES) as R2.
  assert (T : track_of y ds = track_of y (fronts parameter (between n k) ++ cs)).
  { apply (beside_unique s _ _ _ _ _ R1 R2). apply SB. exact YW. }
  rewrite fronts_other in T by (now apply Pos.eqb_neq). eapply zero_columns; [exact T | exact I].
Qed.

Lemma clean_run m xs l ds wider : machine (resolve table wider) = m -> tracks wider = xs -> has table wider ds = true ->
  run_columns m xs (firstn l ds) 1 <> None.
Proof.
  intros <- <- A Q. unfold has, accepts_columns, accepts, run in A.
  rewrite <- (firstn_skipn l ds), read_by_app, fold_left_app in A. unfold read_by in A. rewrite <- (tracks_names table) in A.
  unfold run_columns in Q. rewrite Q in A.
  rewrite (run_columns_none (machine (resolve table wider)) (tracks wider)) in A. discriminate.
Qed.

Lemma bounded_values wider ws front heights v : sound wider = true -> subset ws (tracks wider) = true -> mem parameter (tracks wider) = true ->
  check_heights (machine (resolve table wider)) (tracks wider) ws front heights = true -> ~ In parameter ws ->
  exists n0, in_the_limit (fun n => forall v' cs, written n cs v' -> same_but ws v v' -> has table wider cs = true ->
    forall x, In x ws -> knows world x = true -> v' x <= largest ws n0).
Proof.
  intros SW SU MP CH PW. apply mem_in in MP. set (m := machine (resolve table wider)) in *. set (xs := tracks wider) in *.
  destruct (can_write_along f d parameter ends patience good a here v) as (N & H). set (n0 := max 1 N).
  destruct (H n0 ltac:(lia)) as (cs0 & X0). set (K := highest heights). exists (n0 + S K), (n0 + S K).
  intros n L v' cs W SB A x X KX.
  assert (E : n = n0 + (S K + (n - (n0 + S K)))) by lia. set (j := n - (n0 + S K)) in *. clearbody j. subst n.
  destruct (written_exact _ _ _ W) as (k & XD). set (ds := skipn k cs) in *.
  assert (AD : has table wider ds = true).
  { rewrite <- A. apply (accepts_values_along f d parameter ends table patience good a here wider (n0 + (S K + j)) ds cs v' v'); auto. apply exact_written; auto. lia. }
  clear A W. clearbody ds. clear cs k.
  set (l1 := length (between (n0 + S K) j)). set (l := length (between n0 (S K + j))).
  assert (LL : l = l1 + length (between n0 (S K))) by (unfold l, l1; rewrite between_plus, app_length; reflexivity).
  assert (P := proj1 XD). rewrite beginning_between in P.
  set (pre := firstn l ds). set (pre1 := firstn l1 pre). set (pre2 := skipn l1 pre).
  assert (PP : track_of parameter pre = between n0 (S K + j)).
  { unfold pre. rewrite track_firstn, P. rewrite firstn_app, Nat.sub_diag, firstn_O, app_nil_r. apply firstn_all. }
  assert (P2 : track_of parameter pre2 = between n0 (S K)).
  { unfold pre2. rewrite track_skipn, PP, between_plus, skipn_app. fold l1. rewrite Nat.sub_diag.
    unfold l1 at 1. now rewrite skipn_all. }
  assert (Z : forall c, In c (pre1 ++ pre2) -> zero_at c (others_of xs ws) = true).
  { unfold pre1, pre2. rewrite firstn_skipn. exact (clean_front wider ws n0 cs0 v _ ds v' SW ltac:(lia) X0 XD SB). }
  assert (R : run_columns m xs (pre1 ++ pre2) 1 <> None).
  { unfold pre1, pre2. rewrite firstn_skipn. now apply (clean_run m xs l ds wider). }
  assert (FZ := front_zeros m xs ws front heights n0 pre1 pre2 CH MP P2 Z R).
  assert (XX : In x (bound_of xs ws)).
  { unfold bound_of. apply filter_In. split; [now apply (subset_in _ _ _ SU) | now apply mem_in]. }
  assert (T1 : track_of x ds = repeat 0 l1 ++ skipn l1 (track_of x ds)).
  { rewrite <- (firstn_skipn l1 (track_of x ds)) at 1. f_equal.
    assert (LE : length (firstn l1 (track_of x ds)) = l1).
    { apply firstn_length_le. unfold track_of. rewrite map_length.
      apply (f_equal (@length nat)) in P. unfold track_of in P. rewrite map_length, app_length in P. fold l in P. lia. }
    rewrite <- LE at 2. apply all_zeros. intros c I. rewrite <- track_firstn in I.
    replace (firstn l1 ds) with pre1 in I.
    2:{ unfold pre1, pre. rewrite firstn_firstn. f_equal. lia. }
    unfold track_of in I. apply in_map_iff in I as (e & <- & I). specialize (FZ e I).
    unfold zero_at in FZ. rewrite forallb_forall in FZ. apply Nat.eqb_eq, FZ, XX. }
  assert (XP : x <> parameter) by (intros ->; auto).
  cbn [knows family_world] in KX. apply Pos.eqb_neq in XP. rewrite XP in KX. cbn [orb] in KX. unfold known in KX.
  destruct (system_of d x) as [[i s]|] eqn:ES; [|discriminate].
  pose proof (proj2 XD x i s ES) as R1. apply represents_rank in R1 as [NB <-].
  destruct (number_beside_inv _ _ _ NB) as (LN & _). destruct (system_of_beside f d parameter ends patience good _ _ _ ES) as (e & GE).
  unfold place_beside. rewrite T1, (rank_zeros _ _ (digits_above_zero f s e patience GE)).
  etransitivity; [apply rank_most|].
  assert (LR : length (skipn l1 (track_of x ds)) = length (b (n0 + S K))).
  { rewrite skipn_length, LN. rewrite Nat.add_assoc, (beginning_between (n0 + S K)), app_length. fold l1. lia. }
  rewrite LR. unfold largest.
  assert (F : Forall (fun k => k <= largest ws (n0 + S K)) (map (fun x => match system_of d x with Some (_, s) => length (words (digits s) (length (b (n0 + S K)))) | None => 0 end) ws)).
  { now apply list_max_le. }
  rewrite Forall_forall in F. apply F. apply in_map_iff. exists x. rewrite ES. auto.
Qed.

(** ** Relations that differ beside few beginnings: a bounded number of them is in front of all digits *)

Lemma soon_refused differ heights v : check_soon differ heights = true ->
  in_the_limit (fun n => forall cs, written n cs v -> has table differ cs = false).
Proof.
  unfold check_soon. rewrite !andb_true_iff. intros [[[S MP] CH] H1]. apply mem_in in MP.
  destruct (PositiveMap.find 1%positive heights) as [h|] eqn:H; [|discriminate].
  destruct (can_write_along f d parameter ends patience good a here v) as (N & W0). set (n0 := max 1 N).
  destruct (W0 n0 ltac:(lia)) as (cs0 & X0). exists (n0 + Datatypes.S h). intros n L cs W.
  destruct (has table differ cs) eqn:A; auto. exfalso.
  assert (E : n = n0 + (n - n0)) by lia. set (j := n - n0) in *. clearbody j. subst n.
  destruct (written_exact _ _ _ W) as (k & XD). set (ds := skipn k cs) in *.
  assert (AD : has table differ ds = true).
  { rewrite <- A. apply (accepts_values_along f d parameter ends table patience good a here differ (n0 + j) ds cs v v); auto. apply exact_written; auto. lia. }
  set (l := length (between n0 j)).
  pose proof (heights_bound _ _ [] _ heights CH MP (firstn l ds) 1%positive h
    (clean_front differ [] n0 cs0 v j ds v S ltac:(lia) X0 XD ltac:(intros x _; reflexivity))
    (clean_run _ _ l ds differ eq_refl eq_refl AD) H) as B.
  unfold count_firsts in B. rewrite track_firstn, (proj1 XD), beginning_between, firstn_app in B. fold l in B.
  rewrite Nat.sub_diag, firstn_O, app_nil_r in B. unfold l in B. rewrite firstn_all in B.
  pose proof (between_firsts n0 j). lia.
Qed.

(** Finitely many values: one beginning is long enough for all of them. *)
Lemma finitely_many c most ws : valid_along f d parameter table a c -> forall v, in_the_limit (fun n => forall v',
  same_but ws v v' -> (forall x, In x ws -> v' x <= most) -> forall cs, written n cs v' ->
  true_at table (letters_here f d a) (calls_here f d a) cs v' c).
Proof.
  intros V. induction ws as [|x ws IH]; intros v.
  - eapply limit_weaker; [exact (V v)|]. intros n A v' S _ cs W G.
    assert (E : forall x, v x = v' x) by (intros x; symmetry; apply S; intros []).
    assert (W' : written n cs v) by (eapply written_same; [|exact W]; auto).
    rewrite (A cs W' G). now apply true_iff.
  - eapply limit_weaker.
    { apply (all_limits (seq 0 (S most)) (fun y n => forall v', same_but ws (put x y v) v' -> (forall x, In x ws -> v' x <= most) ->
        forall cs, written n cs v' -> true_at table (letters_here f d a) (calls_here f d a) cs v' c)). intros y _. apply IH. }
    intros n A v' S B cs W. apply (A (v' x)); auto.
    + apply in_seq. split; [lia|]. specialize (B x (or_introl eq_refl)). lia.
    + intros z Z. destruct (Pos.eq_dec z x) as [->|N]; [now rewrite put_same|]. rewrite put_other by auto.
      apply S. intros [|]; auto.
    + intros z Z. apply B. now right.
Qed.

(** ** The rules *)

Notation sits n := (writing_along f d parameter ends table patience good a here n).

(** For both reasons a witness beside one beginning, if it is long enough, is one in the limit. *)
Lemma witnesses_true gs c bound why v : ~ In parameter bound -> forallb sound (rel c :: gs) = true ->
  (forall p, In p gs -> disjoint (tracks p) bound = true) -> guarded world table patience gs c = true ->
  check_reason gs c bound why = true -> valid_along f d parameter table a c ->
  in_the_limit (fun n => forall v', witness table (written n) gs c (witnesses c bound) v v' -> tr (fact c) v').
Proof.
  intros PB SP D Gd WHY V. set (ws := witnesses c bound) in *.
  assert (SG : forallb sound gs = true) by (now apply andb_true_iff in SP as [_ SP]). rewrite forallb_forall in SP.
  assert (OUT : forall n cs cs' v', written n cs v -> written n cs' v' -> same_but ws v v' -> forall p, In p gs ->
            has table p cs' = has table p cs).
  { intros n cs cs' v' W W' S p I. eapply (accepts_unbound _ _ _ _ (sits n) bound gs); eauto.
    eapply same_but_more; [|exact S]. intros x X. now apply witnesses_in in X. }
  assert (NA := fun n cs v => numbers_along f d parameter ends table patience good a here n cs v).
  destruct why as [guards_too after_one|wider front heights]; cbn [check_reason] in WHY.
  - destruct (classic (in_the_limit (fun n => forall cs, written n cs v -> ~ all_have table gs cs))) as [NEVER|AGAIN].
    + destruct (both_limits _ _ NEVER (can_write_along f d parameter ends patience good a here v)) as (N & X).
      exists (max 1 N). intros n L v' (S & cs' & W' & _ & G'). exfalso. destruct (X n) as [A (cs & W)]; [lia|].
      apply exact_written in W; [|lia]. apply (A cs W). intros p I. rewrite <- (OUT n cs cs' v' W W' S p I). auto.
    + exists 0. intros n _ v' (S & cs1 & W1 & HR & HG). destruct (written_exact _ _ _ W1) as (k & X1).
      assert (L1 := proj1 W1). set (qs := rel c :: if guards_too then gs else []) in *.
      assert (Q1 : all_have table qs (skipn k cs1)).
      { intros q I. assert (Q : sound q = true /\ has table q cs1 = true).
        { destruct I as [<-|I]; [split; auto; apply SP; now left|]. destruct guards_too; [split; auto; apply SP; now right | destruct I]. }
        destruct Q as [SQ <-]. apply (accepts_values_along f d parameter ends table patience good a here q n _ _ v' v'); auto.
        now apply exact_written. }
      destruct (V v') as (N & Y). destruct (not_limit _ AGAIN (max n N)) as (m & L & B).
      destruct (classic (exists cs, written m cs v /\ all_have table gs cs)) as [(cs & W & G)|NO].
      2:{ exfalso. apply B. intros cs W G. apply NO. eauto. }
      destruct (lasting_always qs after_one n (skipn k cs1) v' WHY L1 X1 Q1 m) as (cs2 & X2 & Q2); [lia|].
      apply exact_written in X2; [|lia].
      apply (Y m ltac:(lia) cs2 X2); [|apply Q2; now left]. eapply guarded_sound_at; eauto.
      intros p I. rewrite (OUT m cs cs2 v' W X2 S p I). auto.
  - rewrite !andb_true_iff in WHY. destruct WHY as [[[[CO SW] SU] MP] CH].
    assert (PW : ~ In parameter ws) by (intros I; apply witnesses_in in I; tauto).
    destruct (bounded_values wider ws front heights v SW SU MP CH PW) as (n0 & BV).
    eapply limit_weaker. { exact (both_limits _ _ BV (finitely_many c (largest ws n0) ws V v)). }
    intros n [A B] v' (S & cs' & W' & HR & HG). apply (B v' S) with (cs := cs'); auto.
    + intros x X. apply (A v' cs' W' S); auto.
      * eapply cover_one_at; eauto. rewrite !all_have_app, all_have_one.
        split; [auto|]. split; [|auto]. apply numbers_over_at. eauto.
      * assert (SC := SP (rel c) (or_introl eq_refl)). apply andb_true_iff in SC as [_ SC]. rewrite forallb_forall in SC.
        apply SC. rewrite <- tracks_names. now apply witnesses_in in X.
    + eapply guarded_sound_at; eauto.
Qed.

Lemma true_witness_along gs c bound v v' : forallb sound gs = true -> (forall p, In p gs -> disjoint (tracks p) bound = true) ->
  guarded world table patience gs c = true -> valid_along f d parameter table a c -> same_but bound v v' -> tr (fact c) v' ->
  in_the_limit (fun n => forall cs, written n cs v -> all_have table gs cs -> witness table (written n) gs c bound v v').
Proof.
  intros S D Gd V B T. destruct (both_limits _ _ (V v') (can_write_along f d parameter ends patience good a here v')) as (N & X).
  exists (max 1 N). intros n L cs W G. destruct (X n) as [A (cs' & W')]; [lia|]. apply exact_written in W'; [|lia].
  assert (G' : all_have table gs cs').
  { intros p I. rewrite (accepts_unbound _ _ _ _ (sits n) bound gs p cs cs' v v' D S W W' B I). auto. }
  split; auto. exists cs'. split; auto. split; auto. apply (A cs' W'); auto.
  eapply guarded_sound_at; eauto using numbers_along.
Qed.

(** A formula that is true if witnesses are enough, and only then. *)
Lemma true_by_witnesses r gs c bound why g : check_bound r gs c bound why = true ->
  may_bind world table patience r gs c bound = true -> valid_along f d parameter table a c ->
  (forall n cs v, written n cs v -> all_have table gs cs -> has table r cs = true ->
     (forall v', witness table (written n) gs c (witnesses c bound) v v' -> tr (fact c) v') -> tr g v) ->
  (forall v, tr g v -> exists found, (forall v', In v' found -> same_but bound v v' /\ tr (fact c) v')
     /\ forall n cs, written n cs v -> all_have table gs cs -> (forall v', In v' found -> witness table (written n) gs c bound v v') ->
        has table r cs = true) ->
  follows_along f d parameter table a r gs g.
Proof.
  unfold check_bound. rewrite !andb_true_iff. intros [[PB SP] WHY] B V ONLY ENOUGH v.
  apply negb_true_iff, mem_not in PB. apply may_bind_disjoint in B as (_ & D & Gd).
  cbn [forallb] in SP. apply andb_true_iff in SP as [_ SP]. assert (SG : forallb sound gs = true) by (now apply andb_true_iff in SP as [_ SP]).
  assert (UP : in_the_limit (fun n => tr g v -> forall cs, written n cs v -> all_have table gs cs -> has table r cs = true)).
  { destruct (classic (tr g v)) as [T|NT]; [|exists 0; intros n _ T; contradiction].
    destruct (ENOUGH v T) as (found & F & E). eapply limit_weaker.
    { apply (all_limits found (fun v' n => forall cs, written n cs v -> all_have table gs cs -> witness table (written n) gs c bound v v')).
      intros v' I. destruct (F v' I) as [S U]. now apply true_witness_along. }
    intros n A _ cs W G. eapply E; eauto. }
  eapply limit_weaker; [exact (both_limits _ _ (witnesses_true gs c bound why v PB SP D Gd WHY V) UP)|].
  intros n [A U] cs W G. split; [intros R; eapply ONLY; eauto | eauto].
Qed.

Lemma no_parameter r gs c bound why : check_bound r gs c bound why = true -> (forall x, In x bound -> ~ In x [parameter])
  /\ forallb sound (r :: gs) = true.
Proof.
  unfold check_bound. cbn [forallb]. rewrite !andb_true_iff. intros [[PB (SR & _ & SG)] _]. split; [|auto].
  apply negb_true_iff, mem_not in PB. intros x X [<-|[]]. auto.
Qed.

Lemma check_exists_along r gs c bound h why : check_exists_beside r gs c bound h why = true ->
  valid_along f d parameter table a c -> follows_along f d parameter table a r gs (exists_form bound (fact c)).
Proof.
  unfold check_exists_beside. rewrite andb_true_iff. intros [B H] V. destruct (no_parameter _ _ _ _ _ B) as [NF S].
  eapply true_by_witnesses; eauto.
  - unfold check_exists in H. rewrite !andb_true_iff in H. tauto.
  - intros n cs v W G R A. apply andb_true_iff in S as [_ S].
    destruct (accepted_witness _ _ _ _ _ (sits n) r gs c bound h cs v NF H S W G R) as (v' & X).
    apply exists_true. exists v'. split; [exact (proj1 (witness_more _ _ _ _ _ _ _ X)) | now apply A].
  - intros v T. apply exists_true in T as (v' & E). exists [v']. split. { intros u [<-|[]]. exact E. }
    intros n cs W G F. eapply (witness_accepted _ _ _ _ _ (sits n)); eauto. apply F. now left.
Qed.

Lemma check_count_along r gs c k bound h why : check_count_beside r gs c k bound h why = true ->
  valid_along f d parameter table a c -> follows_along f d parameter table a r gs (Count k bound (fact c)).
Proof.
  unfold check_count_beside. rewrite andb_true_iff. intros [B H] V. destruct (no_parameter _ _ _ _ _ B) as [NF S].
  eapply true_by_witnesses; eauto.
  - unfold check_count in H. rewrite !andb_true_iff in H. tauto.
  - intros n cs v W G R A. apply andb_true_iff in S as [_ S].
    destruct (accepted_witnesses _ _ _ _ _ (sits n) r gs c k bound h cs v NF H S W G R) as (found & L & P & F).
    exists found. split; [exact L|]. split; [exact P|]. intros v' I. apply F in I.
    split; [exact (proj1 (witness_more _ _ _ _ _ _ _ I)) | now apply A].
  - intros v (found & L & P & E). exists found. split; [exact E|].
    intros n cs W G F. eapply (witnesses_accepted _ _ _ _ _ (sits n)); eauto.
Qed.

End Along.
End Exists.
