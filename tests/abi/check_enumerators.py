"""Checks that enumerators.def, which abi_test.cpp is made from, names every enumerator of abi.hpp.

usage: check_enumerators.py ABI_HPP ENUMERATORS_DEF
"""

import re
import sys
from pathlib import Path


def declared(text: str) -> set[str]:
    text = re.sub(r"//.*", "", text)
    bodies = re.findall(r"^enum \w+ : int \{(.*?)\}", text, re.DOTALL | re.MULTILINE)
    return {part.split("=")[0].strip() for body in bodies for part in body.split(",")} - {""}


def main(abi_hpp: str, enumerators_def: str) -> int:
    wanted = declared(Path(abi_hpp).read_text())
    listed = set(re.findall(r"^ENUMERATOR\((\w+)\)", Path(enumerators_def).read_text(), re.MULTILINE))
    for name in sorted(wanted - listed):
        print(f"{name}: declared in abi.hpp, missing in enumerators.def")
    for name in sorted(listed - wanted):
        print(f"{name}: in enumerators.def, not declared in abi.hpp")
    print(f"{len(wanted)} enumerators declared, {len(listed)} listed")
    return 0 if wanted and wanted == listed else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
