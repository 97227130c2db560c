"""The atlas: a list of games with their sources, and the result of a search for each of them.

In: TOML files (`entries`). Out: one `Result` for each game, kept as a JSON file (`results`). The search continues where
an earlier one ended (`run`). `summaries` makes sentences and tables for the terminal, for the page of
`fibprover.frontends.display.page.atlas` and for docs/atlas.md. Begin with `entries.read_atlas`.
"""
