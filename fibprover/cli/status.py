"""Exit statuses, the same for every command."""

#: True, or done.
TRUE = 0
#: False.
FALSE = 1
#: A mistake in a formula, a file or the command line; or a defect of fibprover.
ERROR = 2
#: A budget was spent before there was an answer.
SPENT = 3
#: Ctrl-C.
INTERRUPTED = 130
#: Whoever read the output went away.
NO_READER = 141
