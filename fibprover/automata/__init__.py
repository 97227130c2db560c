"""Automata on tuples of digit words, and operations on them.

A `Dfa` (`dfa`) reads one digit a track in each step, the most significant digit first, and gives an output after every
word; a relation is a Dfa with outputs 0 and 1.  `kernels` calls the compiled operations, `operations` composes them
into operations on relations and on languages, `language` answers questions, and `outputs` and `alphabets` change what
an automaton gives and reads.  `digit_order` reverses automata on their way from and to users, who read some systems
least significant digit first; `expression` and `listing` write an automaton as text.  Nothing here knows what number
a word stands for.  Begin with `dfa` and `operations`.
"""
