"""Sessions: the names that a user has defined, the commands of scripts, and their files.

In: formulas and commands, as trees or texts. Out: outcomes, and values under names. `session` is what users call,
`namespace` looks names up, `storage` keeps their values in the folders of Walnut, whose files `walnut` reads and
writes, `commands` carries commands out, and `guard` ends work that no budget reaches.

Begin with `session.Session`.
"""
