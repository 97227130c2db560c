"""Certificates: what is written is checked, what is checked is true."""
