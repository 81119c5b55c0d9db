"""What can go wrong with the embedded services, in words for the operator."""


class EmbeddedError(Exception):
    """A service could not be started or has ended; the text is one plain sentence."""
