"""Measurements; nothing here is asserted by a test but that it runs."""
