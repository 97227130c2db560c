"""Long work in tasks, executed by several processes and kept in a file.

In: a function and its cases. Out: a record for each case, in the order of the cases. Begin with `sweep.py`. A task in a
store (`store.py`, one SQLite file) is not executed again, and a process that dies (`processes.py`) is replaced. Proving
theorems uses the same processes and the same store.
"""
