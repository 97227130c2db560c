"""Tests of fibprover.show."""
