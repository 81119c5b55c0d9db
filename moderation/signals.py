"""What this room tells the rooms above it."""

from django.dispatch import Signal

# Sent inside the transaction of a decision, before the status changes, with `subject` and `verb`; the sender is
# the subject's model. A receiver may return a dict of columns to set in the same UPDATE.
deciding = Signal()

# Sent inside the same transaction after the change, with `subject` (fresh from the database) and `decision`.
# A receiver that raises undoes the decision.
decided = Signal()
