"""How fast the scanner is, how much it keeps and how much it says, beside its peers: `make bench-scan`."""
