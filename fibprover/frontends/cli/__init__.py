"""The command line: `fibprover COMMAND ...`.

Begin with `main`, which imports only the module of the requested command: `eval` is the shortest, and each has
`add_arguments` and `run`. `status` has the exit statuses; the prompt is in `prompt`, with `help`. What the notebook
uses as well is in `fibprover.frontends.conversation`.
"""
