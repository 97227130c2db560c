"""What every other package may use: errors, limits, immutable values, names, plurals, and files.

In: nothing of fibprover. Out: `errors` (exceptions with a place, a cause and a way out), `limits` (budgets and the
signals that end long work), `values` (the classes of immutable values), `names` (the form of names), `wording`
(plurals), `meanwhile` (what holds within a block), `files` (a file written in one step), `locks` (a file
that several programs change), `folders` (the places of a session's files), `markdown` and `csv_text` (texts that their
readers show as they are), `screen` (what terminals show as it is) and `windows` (memory on Windows).

Begin with `errors.FibproverError` and `limits.Limits`.
"""
