"""Replay of the peer's own test cases (data outside the checkout), compared as languages."""
