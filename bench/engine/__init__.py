"""How often the engine points at the right element for what people ask: `make bench-engine`."""
