"""Prints one fenced block of a Markdown file, so that what a reader copies is what a test runs.

    code_block.py FILE LANGUAGE [NUMBER]     the NUMBER-th block of that language, the first by default
"""

import pathlib
import re
import sys

# One inside a list is indented as the list's text is.
BLOCK = re.compile(r"^(?P<indent>[ \t]*)```(?P<language>\S*)\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)


def text_of(block):
    return re.sub(f"^{block['indent']}", "", block["text"], flags=re.MULTILINE)


def code_blocks(markdown, language):
    return [text_of(block) for block in BLOCK.finditer(markdown) if block["language"] == language]


def main():
    file, language = sys.argv[1:3]
    number = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    blocks = code_blocks(pathlib.Path(file).read_text(encoding="utf-8"), language)
    if not 1 <= number <= len(blocks):
        sys.exit(f"{file} has {len(blocks)} blocks of `{language}`, number {number} is wanted")
    sys.stdout.write(blocks[number - 1])


if __name__ == "__main__":
    main()
