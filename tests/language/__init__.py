"""Tests of formulas as values: trees, the printer, the builder."""
