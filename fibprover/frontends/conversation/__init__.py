"""What the command line and the notebook share when they talk with a user.

In: entries of a user. Out: what an entry is (`entry`), how it can be completed (`completion`), what help says
(`topics`), remarks on an answer (`remarks`), the names of a session (`names`), JSON and text of outcomes (`output`),
the options of a session (`options`) and progress on standard error (`progress`).

Begin with `entry`.
"""
