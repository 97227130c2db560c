"""Theorems declared in scripts, proved and reported: what `fibprover prove` does.

In: scripts. Out: a report. `scripts` imports them and returns their chapters (`chapter.Chapter`, a list of
declarations). `runner.run` executes the declarations and returns a row (`proof_report.Row`) for each claim.
`proof_report.ProofReport` makes the table, the JSON list, the Markdown page and the exit status.

Begin with `chapter`, then `task` (`carry_out`: one declaration), `schedule` (the order) and `runner` (in this process
or in several). `counts` has the sizes of the textbook plan.
"""
