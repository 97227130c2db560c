(** Definitions call earlier ones: so they mean what their formulas say, and those that do not call a predicate do not
    depend on it. *)

From Coq Require Import List Bool Arith NArith ZArith PArith FMapPositive Lia.
From Fibcheck Require Import Statements Forms.
Import ListNotations.

Fixpoint called (f : formula) : list name :=
  match f with
  | Truth _ | Compare _ _ _ | LetterAt _ _ _ => []
  | Call p _ => [p]
  | Not f | Exists _ f | All _ f | AtLeast _ _ f => called f
  | And f g | Or f g | Implies f g | Iff f g => called f ++ called g
  end.

Fixpoint definitions_good (defs : list definition) : bool :=
  match defs with
  | [] => true
  | e :: earlier => forallb (fun o => negb (mem (defined e) (called (body o)))) (e :: earlier) && definitions_good earlier
  end.

Lemma means_calls letters c1 c2 f : (forall p ns, In p (called f) -> c1 p ns <-> c2 p ns) ->
  forall v, means letters c1 f v <-> means letters c2 f v.
Proof.
  induction f; intros H v; cbn [means called] in *; try reflexivity;
    repeat match goal with
      | IH : (forall p ns, In p (called ?f) -> _) -> _, H : forall p ns, In p (called ?f ++ _) -> _ |- _ =>
          specialize (IH ltac:(intros; apply H; apply in_app_iff; auto))
      | IH : (forall p ns, In p (called ?f) -> _) -> _, H : forall p ns, In p (_ ++ called ?f) -> _ |- _ =>
          specialize (IH ltac:(intros; apply H; apply in_app_iff; auto))
      | IH : (forall p ns, In p (called ?f) -> _) -> _, H : forall p ns, In p (called ?f) -> _ |- _ => specialize (IH H)
      end.
  - apply H. now left.
  - now rewrite IHf.
  - now rewrite IHf1, IHf2.
  - now rewrite IHf1, IHf2.
  - now rewrite IHf1, IHf2.
  - now rewrite IHf1, IHf2.
  - split; intros (w & S & T); exists w; split; auto; now apply IHf.
  - split; intros A w S; apply IHf; auto.
  - split; intros (found & L & D & T); exists found; repeat split; auto; try (apply T; auto); apply IHf; apply T; auto.
Qed.

Lemma definition_meaning letters base defs e p : definitions_good defs = true ->
  find (fun e => Pos.eqb (defined e) p) defs = Some e -> forall ns,
  calls_by letters base defs p ns <-> exists v, map v (parameters e) = ns /\ means letters (calls_by letters base defs) (body e) v.
Proof.
  induction defs as [|e0 earlier IH]; intros G F ns; [discriminate|].
  cbn [definitions_good] in G. apply andb_true_iff in G as [C G]. rewrite forallb_forall in C.
  assert (A : forall o, In o (e0 :: earlier) -> forall v,
            means letters (calls_by letters base earlier) (body o) v <-> means letters (calls_by letters base (e0 :: earlier)) (body o) v).
  { intros o I. apply means_calls. intros q ms Q. cbn [calls_by]. destruct (Pos.eqb_spec (defined e0) q) as [<-|]; [|reflexivity].
    apply C in I. apply negb_true_iff, mem_not in I. contradiction. }
  cbn [find] in F. destruct (Pos.eqb (defined e0) p) eqn:E.
  - injection F as <-. transitivity (exists v, map v (parameters e0) = ns /\ means letters (calls_by letters base earlier) (body e0) v).
    + cbn [calls_by]. rewrite E. reflexivity.
    + split; intros (v & M & T); exists v; split; auto; apply A; auto; now left.
  - transitivity (calls_by letters base earlier p ns). { cbn [calls_by]. rewrite E. reflexivity. }
    rewrite (IH G F ns). pose proof (proj1 (find_some _ _ F)) as I.
    split; intros (v & M & T); exists v; split; auto; apply A; auto; now right.
Qed.

(** A predicate that no definition has the name of. *)
Lemma calls_of_base letters base defs p ns : existsb (fun e => Pos.eqb (defined e) p) defs = false ->
  calls_by letters base defs p ns <-> base p ns.
Proof.
  induction defs as [|e defs IH]; simpl; [reflexivity|]. intros H. apply orb_false_iff in H as [-> H]. auto.
Qed.

(** ** What calls some predicates, by definitions, too *)

Section Touched.
Variable d : declarations.
Variable some : list name.

Fixpoint touched (defs : list definition) : list name :=
  match defs with
  | [] => some
  | e :: earlier => let t := touched earlier in if disjoint (called (body e)) t then t else defined e :: t
  end.

Lemma untouched base others : (forall p, ~ In p some -> forall ns, others p ns <-> base p ns) ->
  forall defs p, ~ In p (touched defs) -> forall ns, calls_of d others defs p ns <-> calls_of d base defs p ns.
Proof.
  intros A defs. induction defs as [|e earlier IH]; intros p N ns; cbn [touched calls_by] in *; auto.
  destruct (disjoint (called (body e)) (touched earlier)) eqn:D.
  - destruct (Pos.eqb (defined e) p); auto.
    split; intros (v & M & T); exists v; split; auto; revert T; apply means_calls; intros q ms Q;
      [symmetry|]; apply IH; eapply disjoint_not; eauto.
  - simpl in N. destruct (Pos.eqb_spec (defined e) p) as [E|]; [tauto|]. apply IH. tauto.
Qed.
End Touched.
