"""What this room tells the rooms above it."""

from django.dispatch import Signal

# Sent inside the organization's scope with `organization` and `before`: delete personal rows older than that.
retention_due = Signal()
