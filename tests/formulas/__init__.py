"""Whole formulas: the prover's two plans against brute force, and families with known answers."""
