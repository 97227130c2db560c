"""The languages that users write: formulas, regular expressions, macros and scripts, read into syntax trees.

In: a text. Out: frozen values with their places in the text (`formula.Source`, `commands.Command`), or a TextError that
shows the place. Nothing here knows what a name means; the prover (`fibprover.prover.bind`) resolves names.
Begin with `formula.parse_formula`; `macros` expands text before that, `diagnose` explains syntax errors, and `lint`
warns about formulas that say less than they seem to.
"""
