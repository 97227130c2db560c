"""Sequences of numbers with a linear representation, as values to calculate with.

A relation comes in, and out comes the `Series` (series.py) of the counts of its tuples (counting.py).  Asked of
sequences: arithmetic, sums, equality, sets of values (series.py), a(kn+b) (subsequence.py), comparison
(comparison.py), the automaton of the pairs (n, a(n)) (synchronized.py), the recursion that determines one
(recursion.py), recurrences along numbers whose digits repeat (recurrence_along.py), growth (growth.py), values at long
numbers (long_products.py), matrices for other programs (matrices.py).  guess.py guesses one from terms.  rational.py
has the linear algebra.

Begin with `Series`.
"""
