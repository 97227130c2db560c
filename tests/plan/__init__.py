"""Tests of fibprover.plan."""
