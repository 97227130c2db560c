"""Automatic words: sequences whose n-th letter is the output of an automaton that reads n.

In: a morphism with a coding, a file of words, a transition function or an automaton. Out: an `AutomaticWord`. Begin
with `automatic.py`, the word itself. `morphism.py` defines words by morphisms, `catalogue.py` has the built-in words,
and `transducers.py` and `algebra.py` make new words from given ones.  `letter_comparison.py` says how letters of two
words compare.
"""
