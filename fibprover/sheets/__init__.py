"""A word comes in; a sheet of theorems about it goes out.

`questions.py` lists what is asked of every word, with `branching.py`, `abelian.py`, `derived.py` and `closed_form.py`
for some sections, and `tables.py` of words with two indices; `vocabulary.py` has what their formulas are made of. Each
kind of question is a class (`question.py`, `kinds.py`), and `sheet.py` answers each question within its time. `return_words.py` finds the morphism of a derived word. `subject.py` makes the word of a name,
a morphism or a file; `suprema.py` finds the least upper bound of quotients, and `best_paths.py` their limit superior,
in the graph of `pair_graph.py`; `frequencies.py` those of letters. `conjecture.py` makes the word of terms, by
`recognition.py` or a guess, with the recursion of `kernel.py`, or `no_automaton.py` says what was tried;
`sequence_sheet.py` is for numbers. `report.py` writes text, JSON and Markdown, `latex.py` LaTeX, `script.py` scripts;
`comparison.py` compares two words, `library.py` does all. Begin with `sheet.py`.
"""
