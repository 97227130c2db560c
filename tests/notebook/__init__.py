"""Tests of fibprover.frontends.notebook."""
