"""Tests of fibprover.prover.plan."""
