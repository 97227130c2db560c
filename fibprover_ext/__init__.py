"""Compiled kernels: `automata` on automata in CSR arrays, `inference` of automata from data, `games` on positions of
two-pile games.

Only `fibprover.automata.kernel_calls`, `fibprover.infer.residuals` and `fibprover.games.kernel_calls` import them.
"""
