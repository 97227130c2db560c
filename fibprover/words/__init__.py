"""Automatic words: sequences whose n-th letter is the output of an automaton that reads n.

A morphism with a coding, a file of words, a transition function or an automaton comes in; an `AutomaticWord` goes
out.  Begin with `automatic.py`, the word itself; `morphism.py` defines words by morphisms, `catalogue.py` has the
words that exist by name, `transducers.py` and `algebra.py` make new words of old ones.
"""
