"""Tests of fibprover.io."""
