"""Measurements: seconds, memory and sizes of automata, written as Markdown tables (see README.md).

Begin with run.py.  No test asserts a number; tests only check that the measurements run.
"""
