"""Results of an evaluation: verdicts of closed formulas and relations of open ones.

The automaton of an evaluation goes in, and out comes a `Verdict` (verdict.py), the truth of a closed formula, or a
`Relation` (relation.py), the tuples of numbers that satisfy an open one. Computed on request: the least witness or
counterexample (evidence.py), and the parts of a true formula that do not matter (vacuity.py).

Begin with `Verdict` and `Relation`.
"""
