"""Twins in Python of the compiled kernels of games and inference: the same results, by the contract of the stubs.

`games` and `inference` have the names of the modules in `fibprover_ext`; arrays and budgets are those of the kernels in
Python of `fibprover.automata.kernels`.  tests/games/test_twins.py and tests/infer/test_twins.py compare them.
"""
