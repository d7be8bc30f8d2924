#!/usr/bin/env python3
"""Builds every model that the end-to-end tests use into a folder, with a manifest.

    python3 tests/models/make_models.py FOLDER

FOLDER/manifest.json: {"models": [{"name", "file", "about", "expect"}, ...]} where expect says what
ORT's CPU provider makes of the file:
    runs         opens and runs
    fails_open   a model that cannot be opened (optimizer_bug: not at the default level)
    fails_run    opens; some inputs make it fail inside
    not_a_model  no ONNX model at all
Needs the packages onnx, numpy and ml_dtypes. The same bytes come out on every run. A folder whose
stamp matches these scripts is left alone.
"""

import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import onnx  # noqa: E402

import faulty  # noqa: E402,F401  (each import registers its models)
import sizes  # noqa: E402,F401
import tensors  # noqa: E402,F401
import values  # noqa: E402,F401
import writing  # noqa: E402


def recipe():
    """What the files depend on: these scripts and the version of the onnx package."""
    digest = hashlib.sha256(onnx.__version__.encode())
    for script in sorted(HERE.glob("*.py")):
        digest.update(script.read_bytes())
    return digest.hexdigest()


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_models.py FOLDER")
    folder = pathlib.Path(sys.argv[1])
    stamp = folder / ".recipe"
    if stamp.is_file() and stamp.read_text() == recipe():
        print(f"models: {folder} is up to date")
        return
    rows = writing.write_all(folder)
    stamp.write_text(recipe())
    print(f"models: {len(rows)} written to {folder}")


if __name__ == "__main__":
    main()
