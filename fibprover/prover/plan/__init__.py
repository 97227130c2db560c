"""Plans: from the syntax tree of a formula to the automaton operations that evaluate it.

In comes a `Source` (language/source.py) and an `Environment`, which says what names mean; out goes a `Plan`
(steps.py), a tree of steps without automata. Before, `prover/bind.py` gives each variable an identity and a sort, and
`prover/lower.py` takes terms apart (`ResolvedFormula`, `prover/logic.py`); textbook.py or optimize.py makes the plan of
that. rules.py lists the rewrite rules of the optimized plan, which are in conjunction.py, rewrite.py, sharing.py,
sums.py and counting.py.

Begin with `optimized` in optimize.py; `fibprover.prover.decide` shows the stations in order.
"""
