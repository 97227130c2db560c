"""Tests of fibprover.progress."""
