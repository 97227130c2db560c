"""Factors of fixed points of morphisms, by desubstitution: no numbers are added, and no formulas decided.

In: the images of letters, and what the letters become. Out: a `Desubstituted` word (word.py), with its bispecial
factors in families (bispecial.py), numbers of factors for all lengths (counts.py), repetitions (repetitions.py), return
words (returns.py), and suprema of quotients of lengths (suprema.py). Begin with `word.py`; language.py has the exact
sets of factors, desubstitution.py the places where images of letters begin, sequences.py what is proved of lengths.
"""
