"""Compiled kernels on automata in CSR arrays; `fibprover.automata.kernel_calls` calls them.

Each included file holds one kernel, or what several kernels share.  Nothing here imports fibprover, keeps state
between calls, or knows the name of a track.
"""

# Shared: budgets, arrays, automata, recoded letters, the hash table.
include "budget.pxi"
include "block.pxi"
include "csr.pxi"
include "recode.pxi"
include "hash_table.pxi"

# Unreachable states, minimization, questions.
include "trim.pxi"
include "splitters.pxi"
include "minimize.pxi"
include "reach.pxi"
include "words.pxi"
include "collisions.pxi"
include "reorder.pxi"
include "numbered_words.pxi"

# Files and drawings.
include "lines.pxi"
include "edges.pxi"

# Products of two automata.
include "pairs.pxi"
include "join.pxi"
include "union.pxi"
include "difference.pxi"

# Subset constructions.
include "subsets.pxi"
include "simulation.pxi"
include "determinize.pxi"
include "guarded_difference.pxi"
include "counting.pxi"

# Linear atoms over a recurrence.
include "remainders.pxi"
include "linear.pxi"
include "join_linear.pxi"
include "congruence.pxi"
