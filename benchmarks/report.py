"""Turns what surefoot_benchmarks printed into docs/benchmarks.json and a page to read.

    report.py RESULT.json FOLDER [ROWS.json…]

Rows of the further files replace those of the same name, or follow.
"""

import json
import os
import pathlib
import platform
import subprocess
import sys


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def machine():
    return {
        "processor": processor(),
        "cpus": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": platform.freedesktop_os_release().get("PRETTY_NAME", platform.system()),
        "kernel": platform.release(),
        "compiler": subprocess.run(["c++", "--version"], capture_output=True, text=True).stdout.splitlines()[0],
    }


def time_text(microseconds):
    if not microseconds:
        return ""
    return f"{microseconds:.2f} µs" if microseconds < 1000 else f"{microseconds / 1000:.2f} ms"


def ratio_text(ratio):
    return f"{ratio:.3f}" if abs(ratio) >= 0.01 or ratio == 0 else f"{ratio:.5f}"


def page(document):
    facts = document["machine"]
    lines = [
        "# Benchmarks",
        "",
        "Surefoot beside ORT's C API used by hand, in one process and one run, the sides in turn; a ratio of 1 is",
        "the other side's cost, less is better; memory is compared task by task, each in a process of its own. Made by",
        "`benchmarks/run`. The Rust crates are the published ones at the versions that `benchmarks/crates` locks, built where",
        "cargo is: same library of ORT, CPU provider alone, one thread, all graph optimizations, each on its fastest path.",
        "",
        f"ONNX Runtime {document['onnxruntime']}; {facts['processor']}, {facts['cpus']} CPUs, {facts['system']}; {facts['compiler']}.",
        "",
        "| comparison | ratio | goal | met | spread | ours | other | rounds |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in document["rows"]:
        met = "yes" if row["ratio"] <= row["goal"] else "no"
        lines.append(
            f"| {row['what']} | {ratio_text(row['ratio'])} | {row['goal']:.2f} | {met} | {row['spread']:.3f} "
            f"| {time_text(row['ours_us'])} | {time_text(row['other_us'])} | {row['rounds']} |"
        )
    lines += ["", "Ratio: the median over the rounds. Spread: the distance of its quartiles.", ""]
    return "\n".join(lines)


def main():
    result, folder, *further = map(pathlib.Path, sys.argv[1:])
    document = json.loads(result.read_text(encoding="utf-8"))
    rows = {row["name"]: row for row in document["rows"]}
    for path in further:
        rows |= {row["name"]: row for row in json.loads(path.read_text(encoding="utf-8"))}
    document = {"onnxruntime": document["onnxruntime"], "machine": machine(), "rows": list(rows.values())}
    folder.mkdir(exist_ok=True)
    (folder / "benchmarks.json").write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "benchmarks.md").write_text(page(document), encoding="utf-8")


main()
