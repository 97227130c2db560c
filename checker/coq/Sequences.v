(** Sequences: sums of products of their terms that are 0 along a relation, and equations that have one solution. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive QArith Lia.
From Fibcheck Require Import Statements Numeration Columns Walks Forms Claims Linear.
Import ListNotations.

Open Scope Q_scope.

(** * Rows, of which some entries are written, at places of any kind *)

Section Rows.
Context {I : Type}.
Variable compare : I -> I -> Datatypes.comparison.
Hypothesis compare_eq : forall i j, compare i j = Eq -> i = j.
Notation rows := (list (I * Q)).

Definition times_column (r : rows) (c : I -> Q) : Q := fold_right (fun t s => snd t * c (fst t) + s) 0 r.

(** Both rows are in order, and so is their sum, without zeros. *)
Fixpoint add_rows (u : rows) : rows -> rows :=
  match u with
  | [] => fun v => v
  | (i, a) :: u' =>
      fix add_to (v : rows) : rows :=
        match v with
        | [] => (i, a) :: u'
        | (j, b) :: v' =>
            match compare i j with
            | Lt => (i, a) :: add_rows u' v
            | Gt => (j, b) :: add_to v'
            | Eq => let s := Qred (a + b) in if Qeq_bool s 0 then add_rows u' v' else (i, s) :: add_rows u' v'
            end
        end
  end.

Definition scale_row (q : Q) (r : rows) : rows :=
  if Qeq_bool q 0 then [] else map (fun t => (fst t, Qred (q * snd t))) r.

(** A row row_times a matrix of rows. *)
Definition row_times (m : I -> rows) (r : rows) : rows := fold_right (fun t s => add_rows (scale_row (snd t) (m (fst t))) s) [] r.

(** What is left of a row, if multiples of others, each with its first place, are subtracted. *)
Fixpoint reduce_row (basis : list rows) (r : rows) : rows :=
  match basis with
  | [] => r
  | [] :: basis => reduce_row basis r
  | ((p, a) :: b) :: basis =>
      match r with
      | [] => []
      | (i, q) :: _ =>
          match compare i p with
          | Lt => r
          | Gt => reduce_row basis r
          | Eq => reduce_row basis (add_rows r (scale_row (Qred (- (q / a))) ((p, a) :: b)))
          end
      end
  end.

Definition nothing (r : rows) : bool := match r with [] => true | _ => false end.

Lemma column_app u v c : times_column (u ++ v) c == times_column u c + times_column v c.
Proof. induction u as [|t u IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma column_ext u c e : (forall i, c i == e i) -> times_column u c == times_column u e.
Proof. intros E. induction u as [|t u IH]; simpl; [reflexivity|]. now rewrite IH, E. Qed.

Lemma column_add u : forall v c, times_column (add_rows u v) c == times_column u c + times_column v c.
Proof.
  induction u as [|[i a] u IH]; intros v c. { simpl. ring. }
  induction v as [|[j b] v IHv]. { simpl. ring. }
  cbn [add_rows]. destruct (compare i j) eqn:E.
  - apply compare_eq in E. subst j. cbv zeta. destruct (Qeq_bool (Qred (a + b)) 0) eqn:Z.
    + apply Qeq_bool_eq in Z. rewrite Qred_correct in Z. rewrite IH. cbn [times_column fold_right fst snd].
      fold (times_column u c). fold (times_column v c). setoid_replace (a * c i + times_column u c + (b * c i + times_column v c)) with ((a + b) * c i + (times_column u c + times_column v c)) by ring.
      rewrite Z. ring.
    + cbn [times_column fold_right fst snd]. fold (times_column (add_rows u v) c). fold (times_column u c). fold (times_column v c).
      rewrite IH. setoid_replace (Qred (a + b)) with (a + b) by apply Qred_correct. ring.
  - cbn [times_column fold_right fst snd]. fold (times_column (add_rows u ((j, b) :: v)) c). rewrite IH. cbn [times_column fold_right fst snd]. fold (times_column u c). fold (times_column v c). ring.
  - cbn [times_column fold_right fst snd].
    change (b * c j + times_column (add_rows ((i, a) :: u) v) c == a * c i + times_column u c + (b * c j + times_column v c)).
    rewrite IHv. cbn [times_column fold_right fst snd]. fold (times_column u c). ring.
Qed.

Lemma column_scale q u c : times_column (scale_row q u) c == q * times_column u c.
Proof.
  unfold scale_row. destruct (Qeq_bool q 0) eqn:Z. { apply Qeq_bool_eq in Z. rewrite Z. cbn. ring. } clear Z.
  induction u as [|t u IH]; [cbn; ring|]. cbn [map times_column fold_right fst snd]. fold (times_column u c).
  fold (times_column (map (fun t => (fst t, Qred (q * snd t))) u) c). rewrite IH, Qred_correct. ring.
Qed.

Lemma column_times m u c : times_column (row_times m u) c == times_column u (fun i => times_column (m i) c).
Proof. induction u as [|t u IH]; simpl; [reflexivity|]. now rewrite column_add, column_scale, IH. Qed.

Lemma column_reduce basis c : (forall b, In b basis -> times_column b c == 0) -> forall r, times_column (reduce_row basis r) c == times_column r c.
Proof.
  induction basis as [|[|[p a] b] basis IH]; intros H r; cbn [reduce_row]; [reflexivity|apply IH; intros; apply H; now right|].
  destruct r as [|[i q] r]; [reflexivity|].
  destruct (compare i p); [|reflexivity|apply IH; intros; apply H; now right].
  rewrite IH by (intros; apply H; now right). rewrite column_add, column_scale, (H ((p, a) :: b)) by now left. ring.
Qed.

Lemma nothing_column r c : nothing r = true -> times_column r c == 0.
Proof. destruct r; [reflexivity|discriminate]. Qed.
End Rows.

(** * Sequences along words *)

Definition first_row (a : sequence) : entries := match a with Linear r => initial r | Letters _ => [(1%positive, 1)] end.

Definition next_row (a : sequence) (d : nat) (i : place_in) : entries :=
  match a with
  | Linear r =>
      match nth_error (matrices r) d with
      | Some m => match PositiveMap.find i m with Some row => row | None => [] end
      | None => []
      end
  | Letters m => match step m (Some i) [d] with Some j => [(j, 1)] | None => [] end
  end.

Definition last_entry (a : sequence) (i : place_in) : Q :=
  match a with
  | Linear r => match PositiveMap.find i (final r) with Some q => q | None => 0 end
  | Letters m => match output m (Some i) with Some z => inject_Z z | None => 0 end
  end.

Fixpoint from (a : sequence) (w : word) (i : place_in) : Q :=
  match w with
  | [] => last_entry a i
  | d :: w => times_column (next_row a d i) (from a w)
  end.

Lemma from_term a w : times_column (first_row a) (from a w) == term a w.
Proof.
  destruct a as [r|m].
  - cbn [first_row term]. unfold dot. change (times_column (initial r) (from (Linear r) w) == times_column (initial r) (after r w)).
    apply column_ext. induction w as [|d w IH]; intros i; cbn [from after]; [reflexivity|]. cbn [next_row].
    destruct (nth_error _ d) as [m|]; [|reflexivity]. destruct (PositiveMap.find i m) as [row|]; [|reflexivity].
    unfold dot. now apply (column_ext row).
  - cbn [first_row term]. assert (E : forall q, from (Letters m) w q ==
      match output m (fold_left (step m) (map (fun d => [d]) w) (Some q)) with Some z => inject_Z z | None => 0 end).
    { induction w as [|d w IH]; intros q; [reflexivity|]. cbn [from next_row map fold_left].
      destruct (step m (Some q) [d]) as [t|].
      - cbn [times_column fold_right fst snd]. rewrite IH. ring.
      - assert (N : forall l, fold_left (step m) l None = None) by (induction l; auto). rewrite N. reflexivity. }
    cbn [times_column fold_right fst snd]. rewrite E. unfold run. ring.
Qed.

(** Zeros in front change nothing. *)
Definition zeros_good (a : sequence) : bool :=
  match a with
  | Linear r => nothing (add_rows Pos.compare (row_times Pos.compare (next_row a 0) (initial r)) (scale_row (-1) (initial r)))
  | Letters m => zero_loop m 1
  end.

Lemma pos_compare_eq i j : Pos.compare i j = Eq -> i = j.
Proof. apply Pos.compare_eq. Qed.

Lemma term_zero a w : zeros_good a = true -> term a (0%nat :: w) == term a w.
Proof.
  destruct a as [r|m]; intros Z.
  - rewrite <- !from_term. cbn [from first_row]. cbn [zeros_good] in Z.
    apply nothing_column with (c := from (Linear r) w) in Z.
    rewrite column_add, column_times, column_scale in Z by exact pos_compare_eq.
    change (times_column (initial r) (fun i => times_column (next_row (Linear r) 0 i) (from (Linear r) w)) == times_column (initial r) (from (Linear r) w)).
    set (x := times_column _ (fun i => _)) in *. set (y := times_column _ (from _ w)) in *.
    setoid_replace x with ((x + -1 * y) + y) by ring. rewrite Z. ring.
  - cbn [term map]. change [0%nat] with (repeat 0%nat 1). rewrite run_zero; auto. reflexivity.
Qed.

Lemma term_zeros a k w : zeros_good a = true -> term a (repeat 0%nat k ++ w) == term a w.
Proof. intros Z. induction k as [|k IH]; [reflexivity|]. cbn [repeat app]. now rewrite term_zero. Qed.

(** * Sums of products *)

(** Factors: a sequence, with a variable.  Products are at places: the number of the product, with a place of each of its
    factors. *)
Notation factors := (list (sequence * name)).
Notation place_of_products := (nat * list place_in)%type.

Definition places_compare (i j : place_of_products) : Datatypes.comparison :=
  match Nat.compare (fst i) (fst j) with Eq => list_compare Pos.compare (snd i) (snd j) | c => c end.

Lemma places_compare_eq i j : places_compare i j = Eq -> i = j.
Proof.
  destruct i as [k l], j as [k' l']. unfold places_compare. cbn [fst snd].
  destruct (Nat.compare k k') eqn:E; try discriminate. apply Nat.compare_eq in E. subst.
  intros H. apply list_compare_eq in H; [now subst | exact pos_compare_eq].
Qed.

(** Products of entries, one of each row. *)
Fixpoint tensor (l : list entries) : list (list place_in * Q) :=
  match l with
  | [] => [([], 1)]
  | r :: l => let rest := tensor l in flat_map (fun t => map (fun u => (fst t :: fst u, Qred (snd t * snd u))) rest) r
  end.

(** What words of variables make of a place of a product. *)
Fixpoint along_words (fs : factors) (w : name -> word) (l : list place_in) : Q :=
  match fs, l with
  | [], [] => 1
  | (a, x) :: fs, i :: l => from a (w x) i * along_words fs w l
  | _, _ => 0
  end.

Lemma tensor_cons r l (c : place_in -> Q) (e : list place_in -> Q) (f : list place_in -> Q) :
  (forall i t, f (i :: t) == c i * e t) ->
  times_column (tensor (r :: l)) f == times_column r c * times_column (tensor l) e.
Proof.
  intros F. cbn [tensor]. cbv zeta. induction r as [|[i a] r IH]; [simpl; ring|].
  cbn [flat_map]. rewrite column_app, IH. cbn [times_column fold_right fst snd]. fold (times_column r c).
  enough (E : times_column (map (fun u => (i :: fst u, Qred (a * snd u))) (tensor l)) f == a * c i * times_column (tensor l) e) by (rewrite E; ring).
  clear IH. induction (tensor l) as [|[t b] m IHm]; [simpl; ring|]. cbn [map times_column fold_right fst snd].
  fold (times_column m e). change (Qred (a * b) * f (i :: t) + times_column (map (fun u => (i :: fst u, Qred (a * snd u))) m) f == a * c i * (b * e t + times_column m e)).
  rewrite IHm, Qred_correct, F. ring.
Qed.

Definition product_along (fs : factors) (w : name -> word) : Q := fold_right (fun t p => term (fst t) (w (snd t)) * p) 1 fs.

Lemma tensor_start fs w : times_column (tensor (map (fun t => first_row (fst t)) fs)) (along_words fs w) == product_along fs w.
Proof.
  induction fs as [|[a x] fs IH]. { cbn. ring. }
  cbn [map fst]. rewrite (tensor_cons _ _ (from a (w x)) (along_words fs w)) by (intros; reflexivity).
  cbn [product_along fold_right fst snd]. fold (product_along fs w). now rewrite IH, from_term.
Qed.

(** The rows of the factors at a place, for the digits that are known. *)
Fixpoint next_rows (fs : factors) (known : digits_known) (l : list place_in) : list entries :=
  match fs, l with
  | [], [] => []
  | (a, x) :: fs, i :: l => match lookup x known with Some d => next_row a d i | None => [] end :: next_rows fs known l
  | _, _ => [[]]
  end.

Definition has_digits (fs : factors) (known : digits_known) : bool :=
  forallb (fun t => match lookup (snd t) known with Some _ => true | None => false end) fs.

Lemma tensor_next c w fs known : has_digits fs known = true -> agrees known c -> forall l,
  times_column (tensor (next_rows fs known l)) (along_words fs w) == along_words fs (fun x => c x :: w x) l.
Proof.
  intros H A. induction fs as [|[a x] fs IH]; intros [|i l]; try (cbn; ring).
  cbn [has_digits forallb snd] in H. apply andb_true_iff in H as [D H].
  cbn [next_rows]. rewrite (tensor_cons _ _ (from a (w x)) (along_words fs w)) by (intros; reflexivity).
  rewrite IH by exact H. destruct (lookup x known) as [d|] eqn:L; try discriminate. apply A in L. subst d. reflexivity.
Qed.

Section Products.
Variable products : list (Q * factors).

Definition at_number (k : nat) (r : list (list place_in * Q)) : list (place_of_products * Q) :=
  map (fun t => ((k, fst t), snd t)) r.

Lemma column_at_number k r f : times_column (at_number k r) f == times_column r (fun l => f (k, l)).
Proof. induction r as [|t r IH]; simpl; [reflexivity|]. now rewrite IH. Qed.

Fixpoint starts (k : nat) (l : list (Q * factors)) : list (place_of_products * Q) :=
  match l with
  | [] => []
  | (q, fs) :: l => at_number k (scale_row q (tensor (map (fun t => first_row (fst t)) fs))) ++ starts (S k) l
  end.

Definition whole (w : name -> word) (i : place_of_products) : Q :=
  match nth_error products (fst i) with Some (_, fs) => along_words fs w (snd i) | None => 0 end.

Definition sum_along (l : list (Q * factors)) (w : name -> word) : Q :=
  fold_right (fun t s => fst t * product_along (snd t) w + s) 0 l.

Lemma starts_sum w : times_column (starts 0 products) (whole w) == sum_along products w.
Proof.
  assert (G : forall l before, products = before ++ l -> times_column (starts (length before) l) (whole w) == sum_along l w).
  { induction l as [|[q fs] l IH]; intros before E; [reflexivity|]. cbn [starts]. rewrite column_app, column_at_number, column_scale.
    specialize (IH (before ++ [(q, fs)])). rewrite app_length, Nat.add_1_r in IH. rewrite IH by (now rewrite <- app_assoc).
    cbn [sum_along fold_right fst snd]. fold (sum_along l w). rewrite <- tensor_start.
    apply Qplus_comp; [|reflexivity]. apply Qmult_comp; [reflexivity|]. apply column_ext. intros i. unfold whole. cbn [fst snd].
    rewrite E, nth_error_app2, Nat.sub_diag by auto. reflexivity. }
  apply (G products []). reflexivity.
Qed.

Definition next_places (known : digits_known) (i : place_of_products) : list (place_of_products * Q) :=
  match nth_error products (fst i) with
  | Some (_, fs) => at_number (fst i) (tensor (next_rows fs known (snd i)))
  | None => []
  end.

Definition known_digits (known : digits_known) : bool := forallb (fun t => has_digits (snd t) known) products.

Lemma next_places_whole c w known i : known_digits known = true -> agrees known c ->
  times_column (next_places known i) (whole w) == whole (fun x => c x :: w x) i.
Proof.
  intros K A. unfold next_places, whole. destruct (nth_error products (fst i)) as [[q fs]|] eqn:E; [|reflexivity].
  rewrite column_at_number. cbn [fst snd]. rewrite E. apply tensor_next; auto.
  unfold known_digits in K. rewrite forallb_forall in K. apply nth_error_In in E. apply (K _ E).
Qed.

(** ** Along a relation

    Of each state a basis is guessed of the rows that reach it along words: the matrices lead from the rows of a basis to
    sums of those of the next one, and where the state accepts, the columns make 0 of them. *)
Notation basis := (list (list (place_of_products * Q))).
Variable bases : PositiveMap.t basis.

Definition basis_at (q : positive) : basis := match PositiveMap.find q bases with Some b => b | None => [] end.

Definition in_basis (q : positive) (r : list (place_of_products * Q)) : bool := nothing (reduce_row places_compare (basis_at q) r).

Definition check_state (r : relation) (t : positive * (Z * row)) : bool :=
  let '(q, (z, next)) := t in
  match basis_at q with
  | [] => true
  | rows =>
      ((z =? 0)%Z || forallb (fun b => Qeq_bool (times_column b (whole (fun _ => []))) 0) rows)
      && forallb (fun '(known, there) =>
           known_digits known
           && forallb (fun b => in_basis there (row_times places_compare (next_places known) b)) rows)
         (expand next (names r) [])
  end.

Definition vanishes (r : relation) : bool :=
  in_basis 1 (starts 0 products) && forallb (check_state r) (PositiveMap.elements (machine r)).

Notation tracks_of cs := (fun x => track_of x cs).

Lemma in_basis_column q r w : in_basis q r = true -> (forall b, In b (basis_at q) -> times_column b (whole w) == 0) -> times_column r (whole w) == 0.
Proof.
  intros H B. rewrite <- (column_reduce places_compare places_compare_eq _ _ B). now apply nothing_column.
Qed.

Lemma rows_vanish r : vanishes r = true -> forall cs q, accepting (machine r) (fold_left (step (machine r)) (read_by r cs) (Some q)) = true ->
  forall b, In b (basis_at q) -> times_column b (whole (tracks_of cs)) == 0.
Proof.
  intros V. apply andb_true_iff in V as [_ V]. rewrite forallb_forall in V.
  assert (N : forall l, fold_left (step (machine r)) l None = None) by (induction l; auto).
  induction cs as [|c cs IH]; intros q A b I.
  - cbn in A. unfold accepting, output in A. destruct (PositiveMap.find q (machine r)) as [[z next]|] eqn:F; try discriminate.
    apply PositiveMap.elements_correct, V in F. cbn in A. unfold check_state in F.
    destruct (basis_at q) as [|b0 rest] eqn:B; [destruct I|]. apply andb_true_iff in F as [F _].
    apply negb_true_iff in A. rewrite A in F. cbn [orb] in F. rewrite forallb_forall in F. apply Qeq_bool_eq. now apply F.
  - cbn [read_by map fold_left] in A. unfold step at 2 in A.
    destruct (PositiveMap.find q (machine r)) as [[z next]|] eqn:F; [|rewrite N in A; discriminate].
    destruct (target next (map c (names r))) as [t|] eqn:T; [|rewrite N in A; discriminate].
    apply PositiveMap.elements_correct, V in F. unfold check_state in F.
    destruct (basis_at q) as [|b0 rest] eqn:B; [destruct I|]. apply andb_true_iff in F as [_ F]. rewrite forallb_forall in F.
    destruct (expand_sound c (names r) next [] t) as (known & K & G); auto. { intros x d. discriminate. }
    apply F in K. apply andb_true_iff in K as [D K]. rewrite forallb_forall in K. apply K in I.
    apply in_basis_column with (w := tracks_of cs) in I; [|now apply IH].
    rewrite column_times in I by exact places_compare_eq. rewrite <- I. apply column_ext. intros i.
    rewrite (next_places_whole c) by auto. reflexivity.
Qed.

Lemma vanishes_sum r cs : vanishes r = true -> accepts_columns r cs = true -> sum_along products (tracks_of cs) == 0.
Proof.
  intros V A. rewrite <- starts_sum. pose proof V as W. apply andb_true_iff in W as [S _].
  apply (in_basis_column 1); auto. intros b I. apply (rows_vanish r V cs 1); auto.
Qed.
End Products.

(** * Equations *)

Section Equations.
Variable d : declarations.
Variable pumps : PositiveMap.t pump.
Variable table : automata.
Hypothesis good : systems_good d pumps = true.
Hypothesis classic : excluded_middle.
Notation tr := (true_of (lf d) (cf d)).

(** ** Sequences have terms *)

Definition sequences_good : bool := forallb (fun '(_, (_, m)) => zeros_good m) (PositiveMap.elements (sequences d)).

Lemma sequence_good a i m : sequences_good = true -> PositiveMap.find a (sequences d) = Some (i, m) -> zeros_good m = true.
Proof.
  unfold sequences_good. rewrite forallb_forall. intros G F. apply PositiveMap.elements_correct in F. exact (G _ F).
Qed.

Lemma same_term m s p n u w : well_formed s p = true -> zeros_good m = true -> represents s u n -> represents s w n ->
  term m u == term m w.
Proof.
  intros G Z U W. set (l := max (length u) (length w)).
  rewrite <- (term_zeros m (l - length u) u Z), <- (term_zeros m (l - length w) w Z).
  assert (E : repeat 0%nat (l - length u) ++ u = repeat 0%nat (l - length w) ++ w).
  { apply (represents_unique s _ _ n n); try (eapply represents_zeros; eauto).
    - rewrite !app_length, !repeat_length. lia.
    - reflexivity. }
  now rewrite E.
Qed.

Lemma in_words k w : Forall (fun a => (a < k)%nat) w -> In w (words k (length w)).
Proof.
  induction 1 as [|a w A _ IH]; [now left|]. cbn [length words]. apply in_flat_map. exists a. split.
  - apply in_seq. lia.
  - now apply in_map.
Qed.

Definition the_term (a : name) (n : nat) : Q :=
  match PositiveMap.find a (sequences d) with
  | Some (i, m) =>
      match PositiveMap.find i (systems d), PositiveMap.find i pumps with
      | Some s, Some p =>
          match find (fun w => in_system s w && (place s w =? n)%nat) (words (digits s) (length (long p n))) with
          | Some w => term m w
          | None => 0
          end
      | _, _ => 0
      end
  | None => 0
  end.

Lemma the_term_declared a : sequences_good = true -> declared_terms d a (the_term a).
Proof.
  intros SG i m s w n A S R. unfold the_term. rewrite A, S.
  pose proof (sequence_good _ _ _ SG A) as Z.
  unfold systems_good in good. rewrite forallb_forall in good. pose proof S as E. apply PositiveMap.elements_correct, good in E.
  cbn in E. destruct (PositiveMap.find i pumps) as [p|]; try discriminate.
  destruct (place_onto s (long p n) n (long_in_system s p E n) (long_place s p E n)) as (u & L & U).
  destruct (find _ _) as [w'|] eqn:F.
  - apply find_some in F as [_ F]. apply andb_true_iff in F as [I P]. apply Nat.eqb_eq in P.
    apply (same_term m s p n); auto. split; auto.
  - exfalso. pose proof U as [I P]. assert (J : In u (words (digits s) (length (long p n)))).
    { rewrite <- L. apply in_words. unfold in_system in I. apply andb_true_iff in I as [I _]. now apply digits_forall in I. }
    apply (find_none _ _ F) in J. rewrite I, P, Nat.eqb_refl in J. discriminate.
Qed.

(** ** Equations hold *)

Definition factor_of (f : name * name) : option (sequence * name) :=
  match PositiveMap.find (fst f) (sequences d), system_of d (snd f) with
  | Some (i, m), Some (j, _) => if Pos.eqb i j then Some (m, snd f) else None
  | _, _ => None
  end.

Definition products_of (e : equation) : option (list (Q * factors)) :=
  all_some (map (fun t => option_map (pair (fst t)) (all_some (map factor_of (snd t)))) ((-1, [left_side e]) :: right_side e)).

Section Values.
Variable terms : name -> nat -> Q.
Hypothesis declared : forall a, declared_terms d a (terms a).
Variables (v : values) (cs : list column).
Hypothesis written_here : written d cs v.
Notation tracks_of := (fun x => track_of x cs).

Lemma factor_term f m x : factor_of f = Some (m, x) -> terms (fst f) (v (snd f)) == term m (track_of x cs).
Proof.
  unfold factor_of. destruct (PositiveMap.find _ _) as [[i m']|] eqn:A; try discriminate.
  destruct (system_of d (snd f)) as [[j s]|] eqn:S; try discriminate.
  destruct (Pos.eqb_spec i j) as [->|]; try discriminate. intros [= -> <-].
  pose proof (written_here _ _ _ S) as R. eapply declared; [exact A| |exact R].
  unfold system_of in S. destruct (PositiveMap.find (snd f) _) as [k|]; try discriminate.
  destruct (PositiveMap.find k _) eqn:K; try discriminate. injection S as -> ->. exact K.
Qed.

Lemma product_term l fs : all_some (map factor_of l) = Some fs -> product terms v l == product_along fs tracks_of.
Proof.
  revert fs. induction l as [|f l IH]; intros fs H; cbn [map all_some] in H. { injection H as <-. reflexivity. }
  destruct (factor_of f) as [[m x]|] eqn:F; try discriminate. destruct (all_some _) as [gs|]; try discriminate.
  injection H as <-. cbn [product fold_right product_along fst snd]. fold (product terms v l). fold (product_along gs tracks_of).
  now rewrite (IH gs), (factor_term f m x).
Qed.

Lemma sum_term l ps : all_some (map (fun t => option_map (pair (fst t)) (all_some (map factor_of (snd t)))) l) = Some ps ->
  sum_of_products terms v l == sum_along ps tracks_of.
Proof.
  revert ps. induction l as [|[q f] l IH]; intros ps H; cbn [map all_some] in H. { injection H as <-. reflexivity. }
  cbn [fst snd] in H. destruct (all_some (map factor_of f)) as [fs|] eqn:F; try discriminate. cbn [option_map] in H.
  destruct (all_some _) as [gs|]; try discriminate. injection H as <-.
  cbn [sum_of_products fold_right sum_along fst snd]. fold (sum_of_products terms v l). fold (sum_along gs tracks_of).
  now rewrite (IH gs), (product_term f fs).
Qed.
End Values.

(** A claim has the condition, without guards; its relation names all variables. *)
Definition check_holds (e : equation) (c : claim) (bases : PositiveMap.t (list (list (place_of_products * Q)))) : bool :=
  match norm (condition e), guards c, products_of e with
  | Some f, [], Some ps => form_eqb f (fact c) && vanishes ps bases (resolve table (rel c))
  | _, _, _ => false
  end.

Lemma check_holds_sound terms e c bases : (forall a, declared_terms d a (terms a)) -> check_holds e c bases = true -> ok d table c ->
  forall v, means (lf d) (cf d) (condition e) v ->
  terms (fst (left_side e)) (v (snd (left_side e))) == sum_of_products terms v (right_side e).
Proof.
  unfold check_holds. intros D H [V _] v M. destruct (norm (condition e)) as [f|] eqn:N; try discriminate.
  destruct (guards c) eqn:G; try discriminate. destruct (products_of e) as [ps|] eqn:P; try discriminate.
  apply andb_true_iff in H as [E H]. apply form_eqb_eq in E. subst f.
  destruct (can_write d pumps good v) as (cs & W).
  assert (A : accepts_columns (resolve table (rel c)) cs = true).
  { apply (V v cs W). { rewrite G. intros q []. } now apply (norm_true _ _ classic _ _ v N). }
  pose proof (vanishes_sum ps bases _ cs H A) as S. unfold products_of in P.
  rewrite <- (sum_term terms D v cs W _ _ P) in S. cbn [sum_of_products fold_right fst snd product] in S.
  fold (sum_of_products terms v (right_side e)) in S.
  set (x := terms _ _) in *. set (y := sum_of_products _ _ _) in *.
  setoid_replace x with (x + (-1 * (x * 1) + y)) by (rewrite S; ring). ring.
Qed.

(** ** They have no other solution

    For each n some equation says what the n-th term is, by terms that come before it: their number is less, or it is n and
    their sequence comes before this one. *)
Section Order.
Variable order : list name.

Fixpoint place_from (k : nat) (l : list name) (a : name) : option nat :=
  match l with [] => None | b :: l => if Pos.eqb b a then Some k else place_from (S k) l a end.

Definition place_of (a : name) : option nat := place_from 0 order a.

Lemma place_in_order a : In a order -> exists k, place_of a = Some k.
Proof.
  unfold place_of. generalize 0%nat. induction order as [|b l IH]; intros k [].
  - subst. cbn [place_from]. rewrite Pos.eqb_refl. eauto.
  - cbn [place_from]. destruct (Pos.eqb b a); eauto.
Qed.

Lemma place_none a : place_of a = None -> ~ In a order.
Proof. intros N I. apply place_in_order in I as (k & E). congruence. Qed.

Definition comes_before (k : nat) (x : name) (f : name * name) : list form :=
  match place_of (fst f) with
  | Some j => [Forms.linear [(snd f, 1%Z); (x, (-1)%Z)] true (if (j <? k)%nat then 1 else 0)%Z]
  | None => []
  end.

Definition branch (e : equation) : option form :=
  let (a, x) := left_side e in
  match norm (condition e), place_of a with
  | Some f, Some k =>
      option_map (fun w => exists_form (without [x] (free w)) w)
        (conjunction (f :: flat_map (comes_before k x) (flat_map snd (right_side e))))
  | _, _ => None
  end.

Definition about (a : name) (e : equation) : bool := Pos.eqb (fst (left_side e)) a.

Definition check_says (of : list claim) (es : list equation) (a : name) : bool :=
  match filter (about a) es with
  | [] => false
  | (e :: _) as own =>
      let x := snd (left_side e) in
      forallb (fun e => Pos.eqb (snd (left_side e)) x) own
      && match all_some (map branch own) with
         | Some bs =>
             match conjunction (map negation bs) with
             | Some f => existsb (fun c => says table c (negation (exists_form [x] (negation (negation f))))) of
             | None => false
             end
         | None => false
         end
  end.

Definition earlier (v : values) (k n : nat) (f : name * name) : Prop :=
  forall j, place_of (fst f) = Some j -> (v (snd f) < n \/ v (snd f) = n /\ j < k)%nat.

Lemma branch_true e b v : branch e = Some b -> tr b v ->
  exists k w, place_of (fst (left_side e)) = Some k /\ w (snd (left_side e)) = v (snd (left_side e))
  /\ means (lf d) (cf d) (condition e) w
  /\ forall t, In t (right_side e) -> forall f, In f (snd t) -> earlier w k (v (snd (left_side e))) f.
Proof.
  unfold branch. destruct (left_side e) as [a x]. cbn [fst snd]. destruct (norm (condition e)) as [f|] eqn:N; try discriminate.
  destruct (place_of a) as [k|]; try discriminate. destruct (conjunction _) as [w|] eqn:C; try discriminate.
  cbn [option_map]. intros [= <-] T. apply exists_true in T as (u & S & T). apply (conjunction_true _ _ _ _ u C) in T.
  assert (X : u x = v x). { apply S. rewrite without_in. intros [_ M]. apply M. now left. }
  exists k, u. repeat split; auto.
  - apply (norm_true _ _ classic _ _ u N). apply T. now left.
  - intros t I g J j P.
    assert (L : In (Forms.linear [(snd g, 1%Z); (x, (-1)%Z)] true (if (j <? k)%nat then 1 else 0)%Z) (flat_map (comes_before k x) (flat_map snd (right_side e)))).
    { apply in_flat_map. exists g. split. { apply in_flat_map. eauto. } unfold comes_before. rewrite P. now left. }
    specialize (T _ (or_intror L)). apply linear_true in T. unfold sat in T. cbn [lin_value fold_right fst snd] in T.
    rewrite X in T. destruct (Nat.ltb_spec j k); lia.
Qed.

Lemma check_says_sound of es a : check_says of es a = true -> (forall c, In c of -> ok d table c) -> forall n,
  exists e k w, In e es /\ fst (left_side e) = a /\ place_of a = Some k /\ w (snd (left_side e)) = n
  /\ means (lf d) (cf d) (condition e) w
  /\ forall t, In t (right_side e) -> forall f, In f (snd t) -> earlier w k n f.
Proof.
  unfold check_says. intros H O n. destruct (filter (about a) es) as [|e0 own'] eqn:F; try discriminate.
  set (x := snd (left_side e0)) in *. set (own := e0 :: own') in *. apply andb_true_iff in H as [X H]. rewrite forallb_forall in X.
  destruct (all_some _) as [bs|] eqn:A; try discriminate. destruct (conjunction _) as [f|] eqn:C; try discriminate.
  apply existsb_exists in H as (c & I & H). pose proof (fun v => says_true d pumps table good c _ v H (O c I)) as S. clear H.
  set (v := fun _ : name => n). specialize (S v). apply negation_true in S; auto.
  assert (B : exists b, In b bs /\ tr b v).
  { destruct (classic (exists b, In b bs /\ tr b v)) as [|N]; auto. exfalso. apply S. apply exists_true. exists v.
    split; [intros y; auto|]. apply negation_true; auto. rewrite negation_true by auto. intros Z. apply Z.
    apply (conjunction_true _ _ _ _ v C). intros g G. apply in_map_iff in G as (b & <- & G).
    apply negation_true; auto. intros T. apply N. eauto. }
  destruct B as (b & J & T). apply all_some_in in A as [_ A]. destruct (A b J) as (e & K & E).
  destruct (branch_true e b v E T) as (k & w & P & W & M & R). pose proof (X e K) as Y. apply Pos.eqb_eq in Y.
  assert (Q : In e es /\ about a e = true). { apply filter_In. rewrite F. exact K. }
  destruct Q as [Q U]. unfold about in U. apply Pos.eqb_eq in U. exists e, k, w. rewrite U in P. repeat split; auto.
Qed.
End Order.

Definition check_sequences (of : list claim) (order : list name) (es : list equation)
  (proofs : list (claim * PositiveMap.t (list (list (place_of_products * Q))))) : bool :=
  sequences_good && (length es =? length proofs)%nat
  && forallb (fun t => check_holds (fst t) (fst (snd t)) (snd (snd t))) (combine es proofs)
  && forallb (check_says order of es) order.

Lemma product_same terms others v l : (forall f, In f l -> others (fst f) (v (snd f)) == terms (fst f) (v (snd f))) ->
  product others v l == product terms v l.
Proof.
  induction l as [|f l IH]; intros H; [reflexivity|]. cbn [product fold_right]. fold (product others v l). fold (product terms v l).
  rewrite IH by (intros; apply H; now right). rewrite H by now left. reflexivity.
Qed.

Lemma sum_same terms others v l : (forall t, In t l -> forall f, In f (snd t) -> others (fst f) (v (snd f)) == terms (fst f) (v (snd f))) ->
  sum_of_products others v l == sum_of_products terms v l.
Proof.
  induction l as [|t l IH]; intros H; [reflexivity|]. cbn [sum_of_products fold_right].
  fold (sum_of_products others v l). fold (sum_of_products terms v l).
  rewrite IH by (intros u U; apply H; now right). rewrite (product_same terms others v (snd t)); [reflexivity|].
  apply H. now left.
Qed.

Theorem check_sequences_sound of order es proofs : check_sequences of order es proofs = true ->
  (forall c, In c of -> ok d table c) -> (forall t, In t proofs -> ok d table (fst t)) -> only_sequences d order es.
Proof.
  unfold check_sequences. intros H O OP. rewrite !andb_true_iff in H. destruct H as [[[G L] H] C].
  apply Nat.eqb_eq in L. rewrite forallb_forall in H, C.
  exists the_term. assert (D : forall a, declared_terms d a (the_term a)) by (intros a; now apply the_term_declared).
  assert (S : satisfy_equations d the_term es).
  { intros e I v M. apply In_nth_error in I as (k & I).
    destruct (nth_error proofs k) as [[c b]|] eqn:P.
    2:{ apply nth_error_None in P. assert (k < length es)%nat by (apply nth_error_Some; congruence). lia. }
    assert (J : In (e, (c, b)) (combine es proofs)).
    { clear - I P. revert proofs k I P. induction es as [|e0 es IH]; intros [|p ps] [|k] I P; try discriminate; cbn in *.
      - injection I as <-. injection P as <-. now left.
      - right. eapply IH; eauto. }
    apply (check_holds_sound the_term e c b D (H _ J)); auto. apply nth_error_In in P. exact (OP _ P). }
  repeat split; auto. intros others A S' a n. revert a.
  induction n as [n IHn] using lt_wf_ind. intros a.
  destruct (place_of order a) as [k|] eqn:K; [|apply A; eapply place_none; eauto].
  revert a K. induction k as [k IHk] using lt_wf_ind. intros a K.
  assert (I : In a order).
  { destruct (in_dec a order) as [|N]; auto. exfalso. revert K. clear - N. unfold place_of. generalize 0%nat.
    induction order as [|b l IH]; intros j K; try discriminate. cbn [place_from] in K. destruct (Pos.eqb_spec b a).
    - apply N. now left.
    - apply (IH ltac:(intros X; apply N; now right) _ K). }
  destruct (check_says_sound order of es a (C a I) O n) as (e & k' & w & E & LA & K' & W & M & R).
  assert (k' = k) by congruence. subst k'.
  pose proof (S e E w M) as X. pose proof (S' e E w M) as Y. rewrite LA, W in X, Y. rewrite X, Y.
  apply sum_same. intros t T f F. specialize (R t T f F).
  destruct (place_of order (fst f)) as [j|] eqn:J; [|apply A; eapply place_none; eauto].
  destruct (R j J) as [Z|[Z1 Z2]].
  - apply IHn; auto.
  - rewrite Z1. apply (IHk j); auto.
Qed.
End Equations.

Close Scope Q_scope.
