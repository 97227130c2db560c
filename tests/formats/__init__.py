"""Tests of fibprover.formats."""
