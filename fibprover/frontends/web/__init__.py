"""The page of cells: `fibprover web` serves it on this machine, and the playground of the site runs it in a browser.

In: cells of formulas, commands or Python, as the page sends them.  Out: events, which are objects of JSON.  Both
engines answer by the same `cells.py`: here in a process of its own (`process.py`), behind a server (`server.py`,
`guard.py`); in a browser on Pyodide.  Begin with `cells.py`; the page is in `assets`.
"""
