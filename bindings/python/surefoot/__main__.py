"""``python -m surefoot run app.py ARGUMENTS…`` runs an unchanged program on our sessions; ``run -m package`` likewise.

At the end it says on stderr what each session ran on, and what was given up.
"""

from __future__ import annotations

import os
import runpy
import sys

from surefoot.patching import install, report

USAGE = "usage: python -m surefoot run [-m MODULE | FILE] [ARGUMENTS…]"


def _run(arguments: list[str]) -> None:
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path.insert(0, os.getcwd())
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    sys.argv = arguments
    sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))
    runpy.run_path(arguments[0], run_name="__main__")


def main(arguments: list[str]) -> int:
    if len(arguments) < 2 or arguments[0] != "run" or arguments[1:] == ["-m"]:
        print(USAGE, file=sys.stderr)
        return 2
    install()
    try:
        _run(arguments[1:])
    finally:
        said = report()
        print(f"surefoot: {said or 'no session was opened'}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
