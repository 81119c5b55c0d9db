"""Léa: what people say to her in the course of a demonstration, what she understands of it, and what she answers."""
