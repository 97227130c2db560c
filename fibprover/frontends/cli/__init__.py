"""The command line: `fibprover COMMAND ...`.

Begin with `main`, which imports only the module of the requested command: `eval` is the shortest, and each has
`add_arguments` and `run`. `options` has the options that commands share and the session that these describe, `output`
JSON and text of outcomes, `status` the exit statuses, `progress` the display on standard error. The prompt is in
`prompt`, with `entry` (formula or command?), `completion` and `help`.
"""
