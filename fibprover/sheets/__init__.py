"""A word comes in, or the terms of a sequence; a sheet of theorems about it goes out.  Begin with `study.py`.

`questions.py` lists what is asked of every word, with `branching.py`, `abelian.py`, `derived.py` (`return_words.py`)
and `closed_form.py` for some sections, `tables.py` of words with two indices, `sequence.py` of numbers. Their formulas
are made of `vocabulary.py`. `kinds.py` has a class for each kind of `question.py`, `suprema.py` and `best_paths.py` the
bounds of quotients in a graph (`pair_graph.py`), `frequencies.py` those of letters. `subject.py` makes the word of a
text, `from_terms.py` a word (`conjecture.py`, `recognition.py`, `k_kernel.py`) or numbers of terms, or says what was
tried (`no_automaton.py`). A `Sheet` (`sheet.py`) has lines (`line.py`), and is written by `report.py`, `latex.py` and
`script.py`; `comparison.py` compares two.
"""
