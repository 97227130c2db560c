"""Tests of fibprover.verdict."""
