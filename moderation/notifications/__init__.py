"""Telling people: the outbox, and one module for each channel."""
