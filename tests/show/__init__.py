"""Tests of fibprover.display."""
