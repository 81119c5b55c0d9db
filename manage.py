#!/usr/bin/env python
"""Django's command line for Circuy."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "circuy.settings")
    if sys.argv[1:2] == ["up"]:
        from circuy.supervisor.options import adopt

        adopt(sys.argv[2:])
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
