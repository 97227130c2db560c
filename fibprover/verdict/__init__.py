"""Answers: what a formula that has been evaluated says.

In comes the automaton of an evaluation; out goes a `Verdict` (verdict.py), the truth of a closed formula, or a
`Relation` (relation.py), the tuples of numbers that satisfy an open one. Computed on request: the least witness or
counterexample (evidence.py), the parts of a true formula that do not matter (vacuity.py), and the vectors and
matrices that count the tuples of a relation (linear_representation.py).

Begin with `Verdict` and `Relation`.
"""
