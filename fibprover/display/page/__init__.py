"""HTML pages of theorems and games: one file that needs no network (docs/page.md).

In come the report of `fibprover prove` or the theorem about a game; out goes index.html. Begin with `theorems` and
`game`, which make the content as JSON; `figures` holds its automata and drawings, `names` the meaning of the names in
formulas; `document` puts the content, the style and the scripts in assets/ into the file.
"""
