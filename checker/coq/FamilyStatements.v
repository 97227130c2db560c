(** What a certificate about a family states, in version 3 of the format: formulas are those of [Statements].

    It is about infinite sequences a_1, a_2, ... of numbers from 1 on, here a 0, a 1, ...: of choices between 1 and some
    number, or of any numbers, the partial quotients of a slope. *)

From Coq Require Import List Bool Arith ZArith PArith FMapPositive.
From Fibcheck Require Import Statements.
Import ListNotations.

Inductive family := Choices (number : nat) | Slopes.

Definition in_family (f : family) (a : nat -> nat) : Prop :=
  forall i, 1 <= a i /\ match f with Choices number => a i <= number | Slopes => True end.

(** A choice is written as a digit, a partial quotient in binary with 2 for its first digit; a beginning with a_1 last. *)
Fixpoint binary (fuel n : nat) : word :=
  match fuel with
  | 0 => []
  | S fuel => if n <? 2 then [2] else binary fuel (n / 2) ++ [n mod 2]
  end.

Definition digits_of (f : family) (n : nat) : word := match f with Choices _ => [n] | Slopes => binary n n end.

Fixpoint beginning (f : family) (a : nat -> nat) (n : nat) : word :=
  match n with 0 => [] | S n => digits_of f (a n) ++ beginning f a n end.

(** Beside a beginning, the automaton of a system accepts some words of its length.  They represent 0, 1, 2, ... in the
    order of the alphabet, the same numbers with zeros beside a longer beginning ([FamilyNumeration.represents_longer]). *)
Definition number_beside (s : system) (b w : word) : bool :=
  (length w =? length b) && forallb (fun d => d <? digits s) w
  && accepts (numbers s) (map (fun t => [fst t; snd t]) (combine w b)).

Definition represents_beside (s : system) (b w : word) (n : nat) : Prop :=
  number_beside s b w = true
  /\ length (filter (fun u => number_beside s b u && before u w) (words (digits s) (length b))) = n.

(** Words of these numbers are the tracks of letters; the last track is the beginning. *)
Definition read_beside (d : declarations) (b : word) (of : list name) (ls : list letter) (ns : list nat) : Prop :=
  length of = length ns /\ (forall l, In l ls -> length l = S (length of)) /\ track (length of) ls = b
  /\ forall i, i < length of -> exists s, PositiveMap.find (nth i of 1%positive) (systems d) = Some s
                               /\ represents_beside s b (track i ls) (nth i ns 0).

(** What automata say of numbers beside all beginnings but finitely many. *)
Definition in_the_limit (P : nat -> Prop) : Prop := exists n, forall m, n <= m -> P m.

Definition letters_along (f : family) (d : declarations) (a : nat -> nat) (w : name) (ns : list nat) (z : Z) : Prop :=
  exists of m, PositiveMap.find w (word_automata d) = Some (of, m) /\ in_the_limit (fun n =>
    exists ls, read_beside d (beginning f a n) of ls ns /\ output m (run m ls) = Some z).

Definition accepted_along (f : family) (d : declarations) (a : nat -> nat) (p : name) (ns : list nat) : Prop :=
  exists of m, PositiveMap.find p (predicates d) = Some (of, m) /\ in_the_limit (fun n =>
    exists ls, read_beside d (beginning f a n) of ls ns /\ accepts m ls = true).

Definition means_along (f : family) (d : declarations) (a : nat -> nat) (g : formula) (v : values) : Prop :=
  let letters := letters_along f d a in
  means letters (calls_by letters (accepted_along f d a) (definitions d)) g v.

(** The statement is true for all sequences, or it is false for one that repeats some numbers after the first ones. *)
Inductive verdict := ForAll | FailsFor (first period : list nat).

Definition repeating (first period : list nat) (i : nat) : nat :=
  if i <? length first then nth i first 0 else nth ((i - length first) mod length period) period 0.

Definition holds_along (f : family) (d : declarations) (statement : formula) (which : verdict) : Prop :=
  match which with
  | ForAll => forall a, in_family f a -> forall v, means_along f d a statement v
  | FailsFor first period => let a := repeating first period in
                             in_family f a /\ forall v, ~ means_along f d a statement v
  end.
