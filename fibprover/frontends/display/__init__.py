"""Display of values, drawings and progress, in notebooks, on terminals, in files and on HTML pages.

In: verdicts, relations, words, automata, games and theorems. Out: HTML, text, SVG, PNG, PDF, DOT and TikZ. Begin with
`values`, which displays each kind of value in IPython and Jupyter. `drawing` draws an automaton in any form; `diagram`
and `layout` place its states. `board` draws sets of positions, with `board_svg` and `board_lines`. `progress` shows how
far a computation is, on `terminal` and `notebook_output`. `page` writes HTML pages of theorems.
"""
