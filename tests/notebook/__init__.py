"""Tests of fibprover.notebook."""
