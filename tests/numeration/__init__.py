"""Tests of fibprover.numeration."""
