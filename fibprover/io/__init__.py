"""Files and other programs: automata and other values in the formats of Walnut, of graphviz and of Python libraries.

In: a `Dfa`, or a file. Out: a file or text, or a `Dfa`. FormatError names the file and the line that is malformed.
`walnut` has Walnut's formats, `folders` its folders, `exports` and `arrays` are for other programs and NumPy, `dot` and
`labels` for drawings, and `files` writes a file in one step. Begin with `walnut.read_automaton`.
"""
