"""Automata in the formats of other programs: graphviz, Python libraries, NumPy.

In: a `Dfa`, or a file or value of another program. Out: a text or value, or a `Dfa`; FormatError names what is wrong.
`exports` and `arrays` are for other programs and NumPy, `dot` and `labels` for drawings. Walnut's files are in
`fibprover.workspace.walnut`, as they also hold words and systems.

Begin with `exports`.
"""
