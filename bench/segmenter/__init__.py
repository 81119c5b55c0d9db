"""How well demonstrations are understood: recordings, and pages driven as people do: `make bench-segmenter`."""
