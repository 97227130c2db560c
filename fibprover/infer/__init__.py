"""Inference of automata from data: guesses that fit all the data and have to be proved afterwards.

In: a sequence, a set of number tuples, a set of points, or a word. Out: a morphism with its word, an automaton, or
slopes with suggested numeration systems, each with its evidence. Begin with `words.py` (words, by t-types of the tree
in `tree.py`) or `residuals.py` (sets of tuples, by merging residuals); `word_predicates.py` has equality of factors and
palindromes of a word. `slopes.py` and `beatty.py` fit quadratic numbers.
"""
