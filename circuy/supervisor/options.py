"""`manage.py up`'s options: shorthand for variables, so that every process sees the same settings."""

import argparse
import os
import time
from collections.abc import Sequence

# This module is the first that `manage.py up` loads: what is measured from here is what the operator waits for.
BEGAN = time.monotonic()

_VARIABLES = {"host": "WEB_HOST", "port": "WEB_PORT", "workers": "WEB_WORKERS"}


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options, for the command's help and for `adopt`."""
    for name, variable in _VARIABLES.items():
        parser.add_argument(f"--{name}", metavar=name.upper(), help=f"same as {variable}={name.upper()}")
    parser.add_argument("--no-demo", action="store_true", help="without Maison Orée, same as DEMO=false")


def adopt(arguments: Sequence[str]) -> None:
    """Puts the options into the environment; to be called before the settings are read.

    What is not an option of ours is left for Django's own parser to accept or refuse.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    add_options(parser)
    options, _rest = parser.parse_known_args(arguments)
    for name, variable in _VARIABLES.items():
        if (value := getattr(options, name)) is not None:
            os.environ[variable] = value
    if options.no_demo:
        os.environ["DEMO"] = "false"
