(** The checker as a program in OCaml. *)

From Coq Require Import NArith FMapPositive QArith Extraction ExtrOcamlBasic.
From Fibcheck Require Import Statements Forms Sequences Integers Check FamilyStatements FamilyClaims FamilyCheck.

Extraction "checker.ml" check check_family family_good add_family_line start_family readings_good integers_facts factor comparison_body add_line start_state norm free N.add N.sub N.mul N.leb PositiveMap.add PositiveMap.empty
  Qred Qinv zeros_good first_row next_row last_entry times_column row_times scale_row reduce_row places_compare products_of starts next_places.
