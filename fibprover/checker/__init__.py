"""The checker of certificates: `fibcheck.py`, one file that imports only Python's standard library.

In: a file. Out: whether it is a valid proof. No computation of fibprover uses it: `fibprover check` runs it, and a copy
of the file runs without fibprover. Begin with the docstring of `fibcheck.py`.
"""
