"""The commands of scripts, apart from `eval` and `def`.

In: a session (as an `interpreter.Interpreter`) and the arguments of a command. Out: the new value, which the session's
namespace then has under its name, or the answer to a question. Begin with `table.COMMANDS`, which gives the function of
each command; `Session` names the same functions as methods, one line each.
"""
