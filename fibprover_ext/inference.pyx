"""Compiled kernels that infer automata from data; `fibprover.infer.residuals` calls them.

Each included file holds one kernel, or what several kernels share.  Nothing here imports fibprover or keeps state
between calls.
"""

from fibprover_ext.automata cimport (
    BYTES, Block, Csr, Meter, Probe, Rows, Table, enter, ints, longs, look_up, mix, new_ints, new_longs,
    poll_meter, progress, push_int, push_long, push_transition, sort_polled, work
)
from fibprover_ext.automata import InvalidArrayError, TooLargeError

include "trie.pxi"
include "residuals.pxi"
include "guesses.pxi"
include "extensions.pxi"
