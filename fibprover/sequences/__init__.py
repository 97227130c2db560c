"""Sequences of numbers with a linear representation, as values to calculate with.

In: a relation. Out: the `Series` (series.py) of the counts of its tuples (counting.py), with arithmetic, sums, equality
and sets of values. Further modules: a(kn+b) (subsequence.py), signs (negative_values.py), the automaton of the pairs
(n, a(n)) (synchronized.py), a recursion (recursion.py), recurrences along numbers whose digits repeat
(recurrence_along.py), growth (growth.py), values at long numbers (long_products.py), and matrices for other programs
(matrices.py). guess.py guesses a sequence from terms; rational.py has the linear algebra.

Begin with `Series`.
"""
