"""Holds the layers: who may include whom, and what may not be seen outside its part.

    check_layers.py [ROOT]

Prints each offence as FILE:LINE: TEXT; exit code 1 when there is one. Tests (`*_test.cpp`) and headers
that only tests include may look anywhere. A part that is new needs a row in MAY_USE; a header named
unlike its part, one in HEADER_PART.
"""

import pathlib
import re
import sys

from source_text import without_comments, without_comments_and_strings

# Each part of src/, and what it may use beside itself; whatever those use is allowed too.
MAY_USE = {
    "error": [],
    "tensor": ["error"],
    "difference": ["tensor"],
    "file": ["error"],
    "cache": ["file"],
    "onnx": ["tensor", "file"],
    "ort": ["tensor"],
    "runtime": ["ort", "file"],
    "provider": ["runtime"],
    "plan": ["provider"],
    "profile": ["provider"],
    "probe": ["provider", "cache"],
    "session": ["plan", "onnx", "cache", "profile", "probe", "difference"],
    "model": ["session"],
    "compile": ["session", "file"],
    "diagnose": ["model", "compile"],
    "report": ["diagnose"],
    "isolate": ["session"],
}

# Public headers (include/surefoot) that are not named like their part.
HEADER_PART = {
    "attribute_kind": "tensor",
    "bench": "diagnose",
    "bisect": "diagnose",
    "compare": "diagnose",
    "doctor": "diagnose",
    "dlpack": "session",
    "element_type": "tensor",
    "explain": "diagnose",
    "float_types": "tensor",
    "memory": "diagnose",
    "memory_owner": "tensor",
    "isolated_probe": "probe",
    "log": "ort",
    "memory_owner": "tensor",
    "model_check": "diagnose",
    "model_diff": "model",
    "model_info": "tensor",
    "model_interface": "model",
    "nodes": "model",
    "optimization_level": "ort",
    "patch": "model",
    "placement": "session",
    "prepared_run": "session",
    "probe": "session",  # in this process; src/probe does it in another
    "result": "error",
    "sample_inputs": "diagnose",
    "tune": "diagnose",
    "value": "tensor",
    "weights": "model",
}

# Our own names that begin like ORT's: the variable ORT_DYLIB_PATH, the .ort file format.
OUR_NAMES = {"OrtFormat", "OrtVariable"}

QUOTED_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
ORT_NAME = re.compile(r"\bOrt[A-Z]\w*")
LIBRARY_OPENING = re.compile(r"\b(?:dlopen|dlmopen|dlsym|dlvsym|LoadLibrary\w*|GetProcAddress)\b")
ROW_NAME = re.compile(r'\.(?:ort_)?name\s*=\s*"([^"]+)"')
ALIAS_LIST = re.compile(r"k\w*Aliases\{([^}]*)\}")


def allowed(part):
    """The part and everything below it."""
    return {part}.union(*(allowed(below) for below in MAY_USE[part]))


def part_of_public_header(name):
    stem = pathlib.PurePath(name).stem
    return HEADER_PART.get(stem, stem)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def provider_names(root):
    """Every spelling of a provider that the catalogue's rows hold, read from the rows themselves."""
    names = set()
    for rows in sorted((root / "src/provider").glob("rows_*.cpp")):
        text = without_comments(rows.read_text(encoding="utf-8"))
        names.update(ROW_NAME.findall(text))
        for spellings in ALIAS_LIST.findall(text):
            names.update(re.findall(r'"([^"]+)"', spellings))
    return names


def comparison_with(names):
    if not names:
        return None
    literal = '"(?:' + "|".join(sorted(map(re.escape, names))) + ')"s?v?'
    return re.compile(rf"[=!]=\s*{literal}|{literal}\s*[=!]=")


def include_offence(part, target):
    """What is wrong with `part` including `target`, or None."""
    folder = target.split("/", 1)[0]
    used = part_of_public_header(target) if folder == "surefoot" else folder
    if "/" not in target or used not in MAY_USE:
        return f'"{target}" belongs to no part: write "part/header.hpp", or name the part in {pathlib.Path(__file__).name}'
    return None if used in allowed(part) else f'`{part}` may not use `{used}`: it includes "{target}"'


def part_of_file(relative):
    """The part that a file belongs to; None for applications and bindings, which may use every part."""
    top = relative.parts[0]
    if top == "src":
        return relative.parts[1]
    return part_of_public_header(relative.name) if top == "include" else None


def include_offences(part, text):
    for include in QUOTED_INCLUDE.finditer(text):
        if found := include_offence(part, include[1]):
            yield line_of(text, include.start(1)), found


def ort_offences(text, public):
    for name in ORT_NAME.finditer(text):
        if name[0] not in OUR_NAMES:
            where = "in a public header" if public else "outside src/ort"
            yield line_of(text, name.start()), f"ORT's `{name[0]}` {where}"
    for call in LIBRARY_OPENING.finditer(text):
        yield line_of(text, call.start()), f"`{call[0]}` outside src/ort, the only part that opens libraries"


def comparison_offences(text, comparison):
    for found in comparison.finditer(text) if comparison else ():
        yield line_of(text, found.start()), f"a provider's name is compared outside src/provider: {found[0]}"


def offences(relative, source, comparison):
    part = part_of_file(relative)
    code = without_comments(source)
    if part is not None and part not in MAY_USE:
        yield 1, f"`{part}` is no part: name it in {pathlib.Path(__file__).name}"
        return
    if part is not None:
        yield from include_offences(part, code)
    public = relative.parts[0] == "include"
    if public or part != "ort":
        yield from ort_offences(without_comments_and_strings(source), public)
    if part != "provider":
        yield from comparison_offences(code, comparison)


def is_test(relative):
    return relative.stem.endswith("_test")


def read_sources(root):
    """Every C and C++ file that the layers are about, by path relative to `root`."""
    paths = [path for top in ("include", "src", "apps", "bindings") for path in sorted((root / top).rglob("*"))]
    kept = (path for path in paths if path.suffix in (".hpp", ".cpp", ".h", ".c"))
    return {path.relative_to(root): path.read_text(encoding="utf-8") for path in kept}


def only_for_tests(sources):
    """The tests, and the headers of src/ that nothing but they include."""
    includers = {}
    for relative, source in sources.items():
        for target in QUOTED_INCLUDE.findall(source):
            includers.setdefault(pathlib.Path("src") / target, set()).add(relative)
    found = {relative for relative in sources if is_test(relative)}
    while more := {header for header, by in includers.items() if header not in found and by <= found}:
        found |= more
    return found


def check(root):
    """Every offence below `root`, as lines of text."""
    comparison = comparison_with(provider_names(root))
    sources = read_sources(root)
    tests = only_for_tests(sources)
    found = []
    for relative, source in sources.items():
        if relative not in tests:
            found += [f"{relative.as_posix()}:{line}: {text}" for line, text in offences(relative, source, comparison)]
    return found


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    found = check(root)
    print("\n".join(found) if found else "layers: no offence")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
