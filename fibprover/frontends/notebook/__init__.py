"""Jupyter and IPython: cells of commands in Python notebooks (`%load_ext fibprover`), and a kernel of such cells.

In comes the text of a cell; out go answers as text and HTML. Begin with `conversation`, which executes a cell in a
session; `cells` splits it into commands, formulas and magics; `magic` registers `%%fibprover` with IPython; `kernel`
is the Jupyter kernel that `fibprover kernel install` makes known; `completion` serves the Tab key in both.
"""
