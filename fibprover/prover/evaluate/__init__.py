"""Evaluation: carries out a plan, bottom up, with automata.

In comes a `Plan` with a budget and a cache; out goes an `Evaluation`: the minimal automaton over the free
variables, and the `Trace` of what was done. executor.py evaluates every step; blocks.py evaluates blocks, by
joining.py, projection.py, subtraction.py and witnesses.py, in an order that schedule.py chooses by sizes; atoms.py
builds the automata of atoms; regular_language.py compiles regular expressions, for `reg`.

Begin with `evaluate` in executor.py.
"""
