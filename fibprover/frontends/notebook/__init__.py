"""Jupyter and IPython: cells of commands in Python notebooks (`%load_ext fibprover`), and a kernel for such cells.

In: the text of a cell. Out: answers as text and HTML. Begin with `conversation`, which executes a cell in a session.
`cells` splits a cell into commands, formulas and magics. `magic` registers `%%fibprover` with IPython. `kernel` is the
Jupyter kernel that `fibprover kernel install` installs. `completion` serves the Tab key in both.
"""
