"""The kernels in Python: the functions of `fibprover_ext`, by its stubs, without a compiler.

In and out: the arrays, classes and exceptions that the stubs of `fibprover_ext` declare.  Begin with `automata.py`,
`games.py` and `inference.py`, which list them.  Nothing here imports the rest of fibprover; what computes automata
does not import numpy.
"""
