"""Relations that are defined by a recursion: learned from data, and proved.

A recursion (`recursion.py`) and an environment come in; the automaton of the one relation that satisfies it goes out,
with the theorem that says so.  Begin with `solving.py`, which decides by the prover alone whether a candidate is the
relation.  The learner (`tree.py`) asks whether single tuples are in the relation, which `evaluation.py` answers, one by
one or from a board that is filled layer by layer (`boards.py`).  Where all members below a bound are known
(`samples.py`), the first candidates are inferred from these.
"""
