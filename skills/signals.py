"""What this room tells the rooms above it."""

from django.dispatch import Signal

# Sent inside the deciding transaction with `skill` (about to be published) and `replaced` (just archived).
skill_replaced = Signal()
