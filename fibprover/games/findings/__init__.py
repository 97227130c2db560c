"""What follows from the automaton of the P-positions of a game, each proved by itself."""
