"""Sumgait Driller."""
