"""Runs the commands that a Markdown file shows, and compares what they print with what it shows.

    check_console.py FILE

Commands are the lines that begin with `$ ` in `console` blocks; they run in the repository's root with
PATH as it is. The folder of the ONNX Runtime library differs by machine, and is left out of the comparison.
"""

import difflib
import pathlib
import re
import subprocess
import sys

from code_block import code_blocks

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = re.compile(r"\([^()]*/(libonnxruntime\.so[\d.]*)\)")


def masked(text):
    return LIBRARY.sub(r"(\1)", text)


def shown(block):
    """Pairs of a command and the text below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, text = part.partition("\n")
        yield command, text


def difference(command, text):
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    printed = masked(done.stdout).splitlines()
    found = list(difflib.unified_diff(masked(text).splitlines(), printed, "shown", "printed", lineterm=""))
    return [f"$ {command}", *found, done.stderr] if found else []


def main():
    blocks = code_blocks(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"), "console")
    pairs = [pair for block in blocks for pair in shown(block)]
    if not pairs:
        sys.exit(f"{sys.argv[1]} shows no command")
    found = [line for pair in pairs for line in difference(*pair)]
    print("\n".join(found) if found else f"{len(pairs)} commands print what {sys.argv[1]} shows")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
