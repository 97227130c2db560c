"""How far a computation is: one account of it, shown on a terminal, in a notebook or as plain lines."""
