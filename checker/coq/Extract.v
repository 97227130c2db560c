(** The checker as a program in OCaml. *)

From Coq Require Import NArith FMapPositive Extraction ExtrOcamlBasic.
From Fibcheck Require Import Statements Forms Check.

Extraction "checker.ml" check add_line start_state norm free N.add N.sub N.mul N.leb PositiveMap.add PositiveMap.empty.
