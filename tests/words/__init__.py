"""Tests of fibprover.words."""
