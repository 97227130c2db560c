"""What editors ask about scripts and Python files: problems, meanings, completions, places and verdicts.

In: the text of a file as it is typed, and a place in it.  Out: what is at that place, as plain data.  `outline.py`
reads a file without deciding anything, `answers.py` answers from what was read, `running.py` evaluates on request, in a
process of its own, and `server.py` speaks the Language Server Protocol.  Begin with `outline.py`.
"""
