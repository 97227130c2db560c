"""Sheets of theorems about a word or a sequence: what `fibprover study` does.

In: a word, or the terms of a sequence. Out: a sheet of theorems. `questions.py` lists the questions about every word,
as formulas; `branching.py`, `abelian.py`, `derived.py` and `closed_form.py` have those of some sections,
`two_indices.py` those about words with two indices. `sheet.py` answers them by `answers.py`. `subject.py` makes the
word, `return_words.py` a morphism of a derived word, `suprema.py` and `best_paths.py` suprema in the graph of
`pair_graph.py`, `frequencies.py` frequencies. `conjecture.py` finds the word of terms by `recognition.py` or a guess,
`sequence_sheet.py` a sequence of numbers; `no_automaton.py` has the error. `sheet_text.py`, `latex.py` and `script.py`
write sheets, and `comparison.py` compares two. Begin with `sheet.py`.
"""
