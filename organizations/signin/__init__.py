"""Signing in: allauth's flows behind our own doors, words and limits."""
