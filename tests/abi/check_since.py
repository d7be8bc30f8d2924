"""Compares the `since` of each row in a table of functions with the `\\since Version 1.N` of ORT's official header.

usage: check_since.py FUNCTIONS_DEF STRUCT ONNXRUNTIME_C_API_H

Rows since 1 stand for all that ORT 1.10 already had, most of which the header leaves undated.
"""

import re
import sys
from pathlib import Path

OLDEST_DATED = 11

ROW = re.compile(r"^ORT_(?:COMPILE_)?FUNCTION\(\s*(\d+),\s*(\d+),\s*(\w+),", re.MULTILINE)
ENTRY = re.compile(
    r"(?P<comment>/\*\*.*?\*/)"
    r"|ORT_API2_STATUS\(\s*(?P<status>\w+)"
    r"|ORT_CLASS_RELEASE\(\s*(?P<release>\w+)"
    r"|ORT_API_T\([^,]+,\s*(?P<plain>\w+)"
    r"|\(ORT_API_CALL\*\s*(?P<pointer>\w+)\)",
    re.DOTALL,
)
SINCE = re.compile(r"\\since\s+(?:Version\s+)?1\.(\d+)", re.IGNORECASE)


def official_versions(header: str, struct: str) -> dict[str, int | None]:
    """First minor version of each function of a table; None where its comment does not tell."""
    table = re.search(rf"^struct {struct} \{{(.*?)^\}};", header, re.DOTALL | re.MULTILINE)
    if table is None:
        sys.exit(f"the header has no `struct {struct} {{`")
    versions: dict[str, int | None] = {}
    since = None
    for entry in ENTRY.finditer(table.group(1)):
        if entry["comment"]:
            told = SINCE.search(entry["comment"])
            since = int(told.group(1)) if told else since if is_group_marker(entry["comment"]) else None
            continue
        name = entry["status"] or entry["plain"] or entry["pointer"] or "Release" + entry["release"]
        versions[name] = since
        since = None
    return versions


def is_group_marker(comment: str) -> bool:
    """`/// @}` and the like may stand between a function and its own comment."""
    return "\\brief" not in comment and len(comment) < 80


def dated_neighbours(name: str, versions: dict[str, int | None]) -> tuple[int, int]:
    """The versions that an undated function lies between: the table only grows."""
    names = list(versions)
    at = names.index(name)
    before = [version for each in names[:at] if (version := versions[each])]
    after = [version for each in names[at:] if (version := versions[each])]
    return max(before, default=1), min(after, default=1)


def problem(name: str, since: int, versions: dict[str, int | None]) -> str | None:
    if name not in versions:
        return f"{name}: not in the header's table"
    official = versions[name]
    if since < OLDEST_DATED:
        return None if (official or 0) < OLDEST_DATED else f"{name}: since 1 here, 1.{official} in the header"
    if official is None:
        oldest, newest = dated_neighbours(name, versions)
        fits = oldest <= since <= newest
        return None if fits else f"{name}: since 1.{since} here, between 1.{oldest} and 1.{newest} in the header"
    return None if official == since else f"{name}: since 1.{since} here, 1.{official} in the header"


def main(functions_def: str, struct: str, header: str) -> int:
    rows = ROW.findall(Path(functions_def).read_text())
    versions = official_versions(Path(header).read_text(), struct)
    problems = [text for _, since, name in rows if (text := problem(name, int(since), versions))]
    for text in problems:
        print(text)
    dated = sum(int(since) >= OLDEST_DATED for _, since, _ in rows)
    print(f"{len(rows)} rows, {dated} of them dated, {len(problems)} wrong")
    return 0 if dated and not problems else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
