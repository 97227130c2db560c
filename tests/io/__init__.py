"""Tests of fibprover.automata.formats."""
