"""HTML pages of theorems, games and words: one file that needs no network (docs/page.md).

In: the report of `fibprover prove`, a theorem about a game, or the sheet of a word. Out: index.html. Begin with
`theorems`, `game` and `sheet`, which make the content as JSON. `figures` has the automata and drawings of the content,
`glossary` the meanings of the names in formulas. `document` puts the content, the style and the scripts in assets/ into
the file.
"""
