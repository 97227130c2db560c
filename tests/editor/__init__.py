"""Tests of fibprover.frontends.editor."""
