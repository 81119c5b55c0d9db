"""Django's PostgreSQL backend over the embedded server."""
