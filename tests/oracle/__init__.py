"""Oracles for the prover: evaluators and generators that share no code with what they judge."""
