"""The user interfaces: `cli`, the command line, and `notebook`, Jupyter and IPython.

In come command lines, entries at a prompt and cells; out go text, JSON, files and exit status. Both execute commands
in a `fibprover.workspace.session.Session`; begin with `cli.main` or `notebook.magic`.
"""
