"""PostgreSQL and Valkey without installing anything: on demand, inside the data folder, on Unix sockets only."""
