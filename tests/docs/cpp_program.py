"""Makes one program of all C++ blocks of a Markdown file, in order, so that a test compiles and runs what it shows.

    cpp_program.py FILE OUT.cpp

Includes come first; everything else is the body of one function, so that a block may use what those before it made.
A block that fails ends the program by its exception.
"""

import pathlib
import sys

from code_block import code_blocks


def main():
    file, out = map(pathlib.Path, sys.argv[1:])
    lines = [line for block in code_blocks(file.read_text(encoding="utf-8"), "cpp") for line in block.splitlines()]
    includes = sorted({line for line in lines if line.startswith("#include")})
    body = ["  " + line for line in lines if not line.startswith("#include")]
    text = [*includes, "", "int main() {", *body, "}", ""]
    out.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
