"""Tests of fibprover.prover.verdict."""
