"""Long work in tasks: carried out by several processes, and kept in a file.

A function and its cases come in; a record for each case goes out, in the order of the cases.  Begin with `sweep.py`.
What is in a store (`store.py`, one SQLite file) is not done a second time, and a process that dies (`processes.py`) is
replaced.  Proving theorems uses the same processes and the same store.
"""
