"""How a channel says that a message did not arrive."""


class DeliveryError(Exception):
    """A failed delivery. ``retry_after``: seconds the provider asks to wait; ``permanent``: trying again is useless."""

    def __init__(self, message: str, *, retry_after: int | None = None, permanent: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.permanent = permanent
