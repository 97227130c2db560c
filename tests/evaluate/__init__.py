"""Tests of fibprover.evaluate."""
