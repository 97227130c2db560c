"""Automata on tuples of digit words, and operations on them.

A `Dfa` (`dfa`) reads one digit on each track in each step, most significant digit first, and has an output after every
word; a relation is a Dfa with outputs 0 and 1. `kernel_calls` calls the kernels, `operations` composes them into
operations on relations and languages, `language` answers questions, and `outputs` and `alphabets` change the outputs
and alphabets of an automaton. `digit_order` reverses automata for users, who read some systems least significant digit
first. `expression`, `word_expression` and `listing` write automata as text. This package does not know which number a
word represents. Begin with `dfa` and `operations`.
"""
