"""Compiled solvers of games on two and three piles; `fibprover.games.kernel_calls` calls them.

Each included file holds one solver, or what several solvers share.  Nothing here imports fibprover or keeps state
between calls.
"""

from fibprover_ext.automata cimport (
    Block, Meter, ints, longs, new_ints, new_longs, push_int, push_long, work
)
from fibprover_ext.automata import InvalidArrayError, TooLargeError

# Shared: terminal positions, the positions found, moves as polyhedra.
include "positions.pxi"
include "regions.pxi"

# P-positions.
include "line_positions.pxi"
include "region_positions.pxi"
include "table_positions.pxi"
include "cube_positions.pxi"

# Residuals of P-positions.
include "queen_residuals.pxi"

# Sprague-Grundy values.
include "region_grundy.pxi"
include "table_grundy.pxi"
