"""What the command line and the notebook share when they talk with a user.

In: entries of a user. Out: the kind of an entry (`entry`), its completions (`completion`), help (`topics`), warnings
about formulas (`warnings`), the names of a session (`session_names`), JSON and text of outcomes (`output`), the options
of a session (`options`) and progress on standard error (`progress`).

Begin with `entry`.
"""
