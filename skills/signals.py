"""What this room tells the rooms above it, and asks of them."""

from django.dispatch import Signal

# Sent inside the deciding transaction with `skill` (about to be published) and `replaced` (just archived).
skill_replaced = Signal()

# Sent when a reviewer looks at `skill`, which would take the place of `replaced`: what stands on the one and would not
# stand on the other? A receiver answers with a list of `skills.changes.Broken`.
replacement_weighed = Signal()
