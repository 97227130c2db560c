"""Tests of fibprover.frontends.display: values, boards, drawings and progress; those of its pages are in tests/page."""
