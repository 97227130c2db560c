"""The command line: `fibprover COMMAND ...`.

Begin with `main`, which imports only the module of the requested command. `eval` is the shortest such module; each has
`add_arguments` and `run`. `status` defines the exit statuses, and `prompt` is the prompt, with `help`. The modules that
the notebook uses as well are in `fibprover.frontends.conversation`.
"""
