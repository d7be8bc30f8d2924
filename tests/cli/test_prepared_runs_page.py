"""docs/prepared-runs.md states of each provider what its row states."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def rows():
    """What turns graph capture on, and whether only the thread that captured may replay, by provider's title."""
    found = {}
    for file in (ROOT / "src/provider").glob("rows_*.cpp"):
        for row in re.split(r"constinit const ProviderSpec ", file.read_text())[1:]:
            rule = re.search(r"\.graph_capture = \{(.*?)\}", row, re.DOTALL)
            if rule:
                title = re.search(r'\.title = "(.*?)"', row).group(1)
                key = re.search(r'\.(?:option|entry) = "(.*?)"', rule.group(1)).group(1)
                found[title] = (key, ".by_thread = true" in rule.group(1))
    return found


def test_the_table_of_graph_capture_is_that_of_the_rows():
    page = (ROOT / "docs/prepared-runs.md").read_text()
    table = re.findall(r"^\| ([\w ]+) \| `([\w.]+)` \| (yes|no) \|$", page, re.MULTILINE)
    assert {title: (key, thread == "yes") for title, key, thread in table} == rows()
    assert len(table) == 6
