"""Sessions: the names that a user has defined, the commands of scripts, and their files.

In: formulas and commands, as trees or texts. Out: outcomes, and values under names. `session` is the interface for
users, `namespace` looks names up, and `storage` keeps their values in Walnut's folders, whose files `walnut` reads and
writes. `commands` executes commands, and `guard` interrupts work that does not poll its budget.

Begin with `session.Session`.
"""
