"""Reads quoted.txt: blocks of `[slug]`, `from: …`, and the message up to the next block."""

import pathlib
import re

FILE = pathlib.Path(__file__).with_name("quoted.txt")


def quoted():
    """(slug, where it is quoted from, the message) of each block."""
    lines = [line for line in FILE.read_text().splitlines() if not line.startswith("#")]
    blocks = re.split(r"^\[([a-z0-9-]+)\]$", "\n".join(lines), flags=re.MULTILINE)[1:]
    found = []
    for slug, block in zip(blocks[::2], blocks[1::2]):
        origin, _, message = block.strip().partition("\n")
        found.append((slug, origin.removeprefix("from: "), message))
    return found
