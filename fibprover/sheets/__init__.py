"""A word comes in; a sheet of theorems about it goes out.

`questions.py` lists what is asked of every word, as formulas; `sheet.py` answers each question within its time and
returns a `Sheet`.  `subject.py` makes the word of a name, a morphism or a file; `suprema.py` finds the least upper
bound of quotients; `report.py` writes sheets as text, JSON and Markdown.  Begin with `sheet.py`.
"""
