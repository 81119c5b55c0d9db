"""Language: from a page's scan to user goals, and from a question to the steps that answer it.

Plain Python. It knows no database, no web framework and no other room; `engine.service` is its front door.
"""
