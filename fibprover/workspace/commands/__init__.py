"""The commands of scripts, apart from `eval` and `def`.

In: a session (as an `interpreter.Interpreter`) and the arguments of a command. Out: the new value, which the namespace
of the session then has under its name, or the answer to a question. Begin with `table.COMMANDS`, which maps each
command to its function; `Session` has the same functions as methods, one line each.
"""
