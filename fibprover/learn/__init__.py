"""Relations that are defined by a recursion: learned from data, and proved.

A recursion (`recursion.py`) and an environment come in; the automaton of the one relation that satisfies it goes out,
with the theorem that says so.  Begin with `solving.py`.  The learner (`tree.py`) asks whether single tuples are in the
relation, which `evaluation.py` answers; `solving.py` decides whether a candidate is the relation, by the prover alone.
"""
