"""Tests of fibprover.automata."""
