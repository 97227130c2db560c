"""Tests of sequences with linear representations."""
