"""Sheets of theorems about a word or a sequence: what `fibprover study` does.  Begin with `study.py`.

In: a word, or the terms of a sequence. Out: a sheet of theorems. `asked.py` has what is asked: `questions.py` of words
(and `branching.py`, `abelian.py`, `derived.py`, `closed_form.py`), `two_indices.py`, `families.py`, `sequence.py`.
`vocabulary.py` has the parts of their formulas, `kinds.py` the kinds of questions, `predicates.py` what is made before
them, `allowance.py` what they may spend. `subject.py` makes the word; `conjecture.py`, `recognition.py`, `k_kernel.py`
find what terms suggest. `desubstitution.py` needs no formulas. A `Sheet` (`sheet.py`) has lines (`line.py`,
`sentences.py`) and is written by `sheet_text.py` and `script.py`; `comparison.py` compares two.
"""
