"""Jupyter: cells of commands in notebooks of Python (`%load_ext fibprover`), and a kernel of such cells alone."""
