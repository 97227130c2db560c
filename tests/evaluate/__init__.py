"""Tests of fibprover.prover.evaluate."""
