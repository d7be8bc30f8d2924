"""Holds what STYLE asks of files as such: size, names, no addresses, no leftovers, no dead references.

    check_style.py [ROOT]

Prints each offence as FILE[:LINE]: TEXT; exit code 1 when there is one.
"""

import pathlib
import re
import statistics
import sys

from repository_files import ROOT, repository_files

MEDIAN_LINES = 150
MOST_LINES = 600
TABLES = re.compile(r"(^|/)rows_\w+\.cpp$|\.def$")  # one row a line: as long as the world makes them
CPP = {".cpp", ".hpp", ".c", ".h"}

DRAWERS = {"util", "utils", "helper", "helpers", "manager", "common", "misc", "base"}
DRAWER_STEMS = re.compile(r"impl_?2$")

# Packages come by name and version through the package managers' own clients, never by address. The
# brackets keep the patterns from finding themselves.
ADDRESSES = re.compile(
    r"https?://[^\s\"'`<>]+\.(?:whl|tgz|tar\.(?:gz|xz|bz2|zst)|zip|deb|rpm|jar|crate)\b"
    r"|--?(?:extra-)?index[-]url|--registr[y]\b"
)
LEFTOVERS = re.compile(r"\b(?:TO[D]O|FIXM[E]|XX[X])\b")

DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
CODE_SPAN = re.compile(r"`([^`\s]+)`")
LINK = re.compile(r"\]\(([^)#\s]+)\)")
FILE_SUFFIX = re.compile(r"\.(?:cpp|hpp|h|c|def|md|py|sh|cmake|txt|json|onnx|png)$")


def line_count(path):
    return len(path.read_bytes().splitlines())


def size_offences(root, names):
    sizes = {name: line_count(root / name) for name in names if name.suffix in CPP}
    for name, lines in sizes.items():
        if lines > MOST_LINES and not TABLES.search(name.as_posix()):
            yield f"{name}: {lines} lines, {MOST_LINES} at most"
    if sizes and (median := statistics.median(sizes.values())) > MEDIAN_LINES:
        yield f"half of the C++ files have more than {median:g} lines, {MEDIAN_LINES} at most"


def name_offences(names):
    for name in names:
        for part in name.parts:
            stem = part.split(".", 1)[0].lower()
            if DRAWERS.intersection(re.split(r"[_\-]", stem)) or DRAWER_STEMS.search(stem):
                yield f"{name}: `{part}` is a drawer's name: name what is in it"


def text_of(path):
    """The lines of a text file, or none for anything else."""
    data = path.read_bytes()
    return [] if b"\0" in data else data.decode("utf-8", "replace").splitlines()


def text_offences(root, names):
    for name in names:
        for number, line in enumerate(text_of(root / name), 1):
            if found := ADDRESSES.search(line):
                yield f"{name}:{number}: a download address or registry: `{found[0]}`"
            if found := LEFTOVERS.search(line):
                yield f"{name}:{number}: `{found[0]}`: do it, or delete it"


def is_path(word):
    """Whether a code span names a file or folder of the repository, rather than code or a built file."""
    if not re.fullmatch(r"[\w.*/+-]+", word) or word.startswith(("build/", "/", "-")):
        return False
    return bool(FILE_SUFFIX.search(word)) or "/" in word


def reference_offences(root):
    for document in DOCUMENTS:
        if not (root / document).is_file():
            yield f"{document}: missing"
            continue
        for number, line in enumerate((root / document).read_text(encoding="utf-8").splitlines(), 1):
            named = [word for word in CODE_SPAN.findall(line) if is_path(word)]
            named += [target for target in LINK.findall(line) if "://" not in target]
            for word in named:
                if not any(root.glob(word.rstrip("/"))):
                    yield f"{document}:{number}: names `{word}`, which does not exist"


def is_named(source, text):
    """Whether a CMake list names the file: as a word of its own, or behind a variable that holds a folder."""
    return re.search(rf'(?:^|[\s("]|\}}/){re.escape(source)}(?=$|[\s)"])', text) is not None


def list_offences(root, names):
    """Every source stands in the CMakeLists.txt above it, or by its whole path in another: none is forgotten in silence."""
    texts = {name.parent: (root / name).read_text(encoding="utf-8") for name in names if name.name == "CMakeLists.txt"}
    for name in names:
        folder = next((above for above in name.parents if above in texts), None)
        if name.suffix != ".cpp" or folder is None:
            continue
        listed = is_named(name.relative_to(folder).as_posix(), texts[folder])
        if not listed and not any(is_named(name.as_posix(), text) for text in texts.values()):
            yield f"{name}: no CMakeLists.txt names it"


def check(root):
    """Every offence below `root`, as lines of text."""
    names = repository_files(root)
    return [
        *size_offences(root, names),
        *name_offences(names),
        *text_offences(root, names),
        *reference_offences(root),
        *list_offences(root, names),
    ]


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    found = check(root)
    print("\n".join(found) if found else "style: no offence")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
