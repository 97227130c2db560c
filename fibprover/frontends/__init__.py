"""The user interfaces: `cli`, the command line, `notebook`, Jupyter and IPython, and `editor`, for editors.

In: command lines, entries at a prompt, and cells. Out: text, JSON, files and exit statuses. Both execute commands in a
`fibprover.workspace.session.Session`. Begin with `cli.main` or `notebook.magic`.
"""
