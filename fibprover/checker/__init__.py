"""The checker of certificates: `fibcheck.py`, one file that imports nothing but Python's standard library.

A file goes in, and out comes whether it is a valid proof. It is part of no computation of fibprover: `fibprover check`
runs it, and a copy of the file runs without fibprover. Begin with its docstring.
"""
