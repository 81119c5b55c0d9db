"""Measurements. Each prints a table and, on its last line, JSON; none writes in the repository."""
