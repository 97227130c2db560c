"""Compiled kernels: `automata` on automata in CSR arrays, `inference` of automata from data, `games` on positions of
two-pile games.

Only `fibprover.automata.kernels`, `fibprover.infer.residuals` and `fibprover.games.kernels` import them.
"""
