"""HTML pages of theorems, games and words: one file that needs no network (docs/page.md).

In come the report of `fibprover prove`, the theorem about a game or the sheet of a word; out goes index.html.  Begin
with `theorems`, `game` and `sheet`, which make the content as JSON; `figures` holds its automata and drawings, `names`
the meaning of the names in formulas; `document` puts the content, the style and the scripts in assets/ into the file.
"""
