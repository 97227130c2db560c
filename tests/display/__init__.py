"""Tests of fibprover.display: values, boards, drawings and progress; those of its pages are in tests/page."""
