"""Automata in the formats of other programs: graphviz, Python libraries, NumPy.

In: a `Dfa`, or a file or value of another program. Out: a text or value, or a `Dfa`; a FormatError names the problem.
`exports` and `arrays` serve other programs and NumPy, `dot` and `labels` serve drawings. Walnut's files are in
`fibprover.workspace.walnut`, since they also hold words and systems.

Begin with `exports`.
"""
