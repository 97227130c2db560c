"""The numeration systems in which a sequence is looked for.

They have a module of their own since sheets name them, and what looks for sequences imports numpy.
"""

from __future__ import annotations

#: Systems that are tried unless others are named, the simplest first.
SYSTEMS = (
    "msd_2", "msd_3", "msd_fib", "msd_trib", "msd_5", "msd_6", "msd_7", "msd_10", "msd_wythoff_2", "msd_pell",
    "msd_lucas", "msd_narayana", "msd_4bonacci", "msd_rec_2_2", "msd_wythoff_3",
)
