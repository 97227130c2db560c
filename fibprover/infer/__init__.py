"""Inference of automata from data: guesses that fit all the data, to be proved afterwards.

A sequence, a set of number tuples or a set of points comes in; a morphism with its word, an automaton, or slopes and
the numeration systems they suggest go out, each with the evidence for it.  Begin with `words.py` (words, by t-types
of the tree in `tree.py`) or `residuals.py` (sets of tuples, by merging residuals); `slopes.py` and `beatty.py` fit
quadratic numbers.
"""
