"""Pages of the back-office. Each view parses, calls one service, and presents."""
