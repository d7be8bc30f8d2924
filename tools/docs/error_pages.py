"""Writes docs/errors out of the catalogue of errors: a page a topic, and one that lists them all.

    error_pages.py            writes the pages
    error_pages.py --check    says which pages are not what the catalogue gives; exit code 1 when there is one
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "src/diagnose/catalogue"
PAGES = ROOT / "docs/errors"
CODE = {"shell": "sh", "python": "python", "cpp": "cpp"}

TITLES = {
    "library": "Finding and opening ONNX Runtime",
    "python": "The Python package",
    "provider": "Execution providers",
    "cuda": "CUDA, cuDNN and the driver",
    "tensorrt": "TensorRT",
    "vendors": "OpenVINO, DirectML, Core ML, QNN, WebGPU, ROCm",
    "model": "The model's file and graph",
    "weights": "Weights and external data",
    "operator": "Operators and types",
    "input": "Inputs and outputs",
    "running": "Failures inside a run",
    "memory": "Memory",
    "threads": "Threads and processes",
    "options": "Options and configuration",
    "compiled": "Compiled models",
}


class Entry:
    """One entry: its fields in the order of the file, each a list of texts."""

    def __init__(self, slug):
        self.slug, self.fields = slug, {}

    def begin(self, field, text):
        self.fields.setdefault(field, []).append(text)

    def extend(self, field, line):
        texts = self.fields[field]
        texts[-1] += line[2:] + "\n" if field in CODE else (" " if texts[-1] else "") + line.strip()

    def one(self, field):
        return self.fields[field][0]


def read(text):
    """The entries of one file; src/diagnose/catalogue_reader.hpp describes the form and refuses mistakes."""
    entries, field = [], None
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("["):
            entries.append(Entry(line.strip("[] ")))
        elif line.startswith(" "):
            entries[-1].extend(field, line)
        else:
            field, _, value = line.partition(":")
            entries[-1].begin(field, value.strip())
    return entries


def prose(text):
    """Placeholders stand as code: Markdown would take them for HTML."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"<([a-z_]+|\*)>", r"`<\1>`", part) for part in parts)


def bullets(texts):
    return "".join(f"- {prose(text)}\n" for text in texts)


def section(entry):
    fields = entry.fields
    lines = [f"## {entry.slug}\n\n{prose(entry.one('meaning'))}\n"]
    lines.append("```text\n" + "\n".join(seen.replace("\\n", "\n") for seen in fields["seen"]) + "\n```\n")
    lines.append(f"**Happens when**\n\n{bullets(fields['when'])}")
    lines.append(f"**Often met**\n\n{bullets(fields['often'])}")
    steps = "".join(f"{number}. {prose(text)}\n" for number, text in enumerate(fields["do"], 1))
    lines.append(f"**What to do**\n\n{steps}")
    for field, language in CODE.items():
        lines += [f"```{language}\n{code}```\n" for code in fields.get(field, [])]
    lines.append(f"**Check beforehand:** `{entry.one('check')}`\n")
    lines.append(f"**Prevent**\n\n{bullets(fields['prevent'])}")
    about = f"{entry.one('severity')}; ONNX Runtime: {entry.one('versions')}; tags: {entry.one('tags')}"
    lines.append(f"<sub>{about}</sub>\n")
    return "\n".join(lines)


def page(topic, entries):
    return f"# {TITLES[topic]}\n\n" + "\n".join(section(entry) for entry in entries)


def index(by_topic):
    lines = [
        "# Errors, and what to do about them\n",
        "Made by `tools/docs/error_pages.py` from `src/diagnose/catalogue`; `surefoot explain` prints the same, with the",
        "paths and names of your own message filled in:\n",
        "```sh\npython app.py 2>&1 | surefoot explain -\n```\n",
    ]
    for topic, entries in by_topic.items():
        lines.append(f"## [{TITLES[topic]}]({topic}.md)\n")
        lines += [f"- [{entry.slug}]({topic}.md#{entry.slug}): {prose(entry.one('meaning'))}" for entry in entries]
        lines.append("")
    return "\n".join(lines)


def pages():
    """Each page's name and content."""
    by_topic = {topic: read((CATALOGUE / f"{topic}.txt").read_text(encoding="utf-8")) for topic in TITLES}
    return {"README.md": index(by_topic), **{f"{topic}.md": page(topic, entries) for topic, entries in by_topic.items()}}


def check(wanted):
    on_disk = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.md")}
    unlike = sorted(name for name in wanted.keys() | on_disk.keys() if wanted.get(name) != on_disk.get(name))
    unlisted = sorted(path.name for path in CATALOGUE.glob("*.txt") if path.stem not in TITLES)
    for name in unlike:
        print(f"docs/errors/{name}: not what the catalogue gives: run tools/docs/error_pages.py")
    for name in unlisted:
        print(f"src/diagnose/catalogue/{name}: has no title in tools/docs/error_pages.py")
    return 1 if unlike or unlisted else 0


def main():
    wanted = pages()
    if sys.argv[1:] == ["--check"]:
        sys.exit(check(wanted))
    PAGES.mkdir(parents=True, exist_ok=True)
    for name, text in wanted.items():
        (PAGES / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
