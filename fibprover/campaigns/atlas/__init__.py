"""The atlas: a list of games with their sources, and what the search finds out about each of them.

Input: TOML files (`entries`).  Output: one `Result` for each game, kept as a file of JSON (`results`), made by a search
that continues where an earlier one ended (`run`); sentences and tables for the terminal, the page of
`fibprover.frontends.display.page.atlas` and docs/atlas.md (`report`).  Begin with `entries.read_atlas`.
"""
