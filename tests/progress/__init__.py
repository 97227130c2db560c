"""Tests of fibprover.display.progress."""
