"""Statements that follow from the automaton of the P-positions of a game, each with a proof of its own.

Input: a `Discovery` whose status is "proved".  Output: `Finding`s, and the names of what the limits left undecided.
Begin with `collect.collect_findings`; all parts work on the session of a `GameContext` (`context`).
"""
