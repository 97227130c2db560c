"""The languages that users write: formulas, regular expressions, macros and scripts, as texts and as values.

In: a text. Out: immutable values with their places in the text (`source.Source`, `commands.Command`), or a TextError
that shows the place. `tree` has the nodes of formulas, `builder` makes them from Python, `parser` reads them (by
`lalr`, with the `tables` of grammar.lark), and `printer` writes them. `fibprover.prover.bind` knows what names mean.

Begin with `tree` and `parser.parse_formula`; `macros` expands text before that, and `diagnose` explains syntax errors.
"""
