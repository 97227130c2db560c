"""Compiled kernels on automata in CSR arrays; `fibprover.automata.kernels` is the door to them.

One operation a module; what begins with an underscore is shared.  Nothing here imports fibprover,
keeps state between calls, or knows what a track is called.
"""
