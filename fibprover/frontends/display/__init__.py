"""Display of values, drawings and progress, in notebooks, on terminals, in files and on HTML pages.

In come verdicts, relations, words, automata, games and theorems; out go HTML, text, SVG, PNG, PDF, DOT and TikZ.
Begin with `values` (how each kind of value is displayed, for IPython and Jupyter), `drawing` (an automaton in any
form, on top of `diagram`, which places it by `layout`), `board` (sets of positions, with `board_svg` and `line`), and
`progress` (how far a computation is, shown by `terminal` and `notebook_output`). `page` writes HTML pages of
theorems.
"""
