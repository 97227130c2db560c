"""Theorems declared in scripts, proved and reported: what `fibprover prove` does.

Scripts go in.  `collect` imports them and returns their chapters (`chapter.Chapter`, a list of declarations).
`runner.run` carries out the declarations and returns a row (`report.Row`) for each claim; `report.ProofReport`
makes the table, the JSON list, the Markdown page and the exit status of them.

Begin with `chapter`, then `task` (`carry_out`: one declaration, a value in and a value out), `schedule` (which one
comes next) and `runner` (in this process or in several).  `counts` keeps the sizes that the textbook plan has.
"""
