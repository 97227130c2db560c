"""Long work on many statements: chapters of theorems, the atlas of games, sheets of all words, families of games.

In: lists of tasks. Out: reports, and stores that keep results so that interrupted work can continue. `sweeps` has
tasks, the processes and clusters that execute them, and the store. `theorems` proves chapters, `atlas` searches a list
of games, `word_sheets` makes the sheets of the library, `kept_lines` keeps the lines of one sheet, `stored_line` has
lines as values of JSON, and `game_families` searches a game for many values of its parameters.  `bundled` finds what
comes with fibprover.

Begin with `sweeps.sweep` and `theorems.scripts`.
"""
