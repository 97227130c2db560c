"""Sheets of theorems about a word or a sequence: what `fibprover study` does.  Begin with `study.py`.

In: a word, or the terms of a sequence. Out: a sheet of theorems. `questions.py` lists the questions about every word;
`branching.py`, `abelian.py`, `derived.py` and `closed_form.py` have those of some sections, `two_indices.py` those on
words with two indices, `families.py` those on words over a family, `sequence.py` those on numbers. `vocabulary.py` has
the parts of their formulas, `kinds.py` the kinds of questions (`question.py`), with `suprema.py` and `best_paths.py`
for suprema in the graph of `pair_graph.py`, and `frequencies.py`. `subject.py` makes the word, `return_words.py` a
morphism of a derived word; `conjecture.py`, `recognition.py` and `k_kernel.py` find what terms suggest,
`no_automaton.py` has the error. `sheet_text.py` and `script.py` write a `Sheet` (`sheet.py`) and its lines (`line.py`),
`comparison.py` compares two.
"""
