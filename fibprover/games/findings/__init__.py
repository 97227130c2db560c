"""Theorems that follow from the automaton of the P-positions of a game, each proved separately.

In: a `Discovery` whose status is "proved". Out: `Finding`s, and the names of those that the limits left undecided.
Begin with `collect.collect_findings`; all parts use the session of a `GameContext` (`context`).
"""
