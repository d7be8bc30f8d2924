"""magika: the type of a file from its bytes, on the files of this repository."""

import json

import numpy as np

import packages
from surefoot_command import ROOT, run_like_reference

FILES = {
    "CMakeLists.txt": "cmake",
    "include/surefoot/tensor.hpp": "cpp",
    "tools/models/train_digits.py": "python",
    "scripts/lib/packages.sh": "shell",
    "CMakePresets.json": "json",
    "models/digits/digits.onnx": "onnx",
    "models/digits/LICENSE.md": "markdown",
    "examples/digits/3.png": "png",
}


def features(content, config):
    """The first and the last bytes without the blanks around them, filled up with a token."""
    begin_size, end_size, token = config["beg_size"], config["end_size"], config["padding_token"]
    begin = content[: config["block_size"]].lstrip()[:begin_size]
    end = content[-config["block_size"] :].rstrip()[-end_size:]
    return [*begin, *[token] * (begin_size - len(begin)), *[token] * (end_size - len(end)), *end]


def test_files_of_this_repository_are_told_apart(tmp_path):
    folder = packages.folder("magika") / "models/standard_v3_3"
    config = json.loads((folder / "config.min.json").read_text())
    rows = np.array([features((ROOT / name).read_bytes(), config) for name in FILES], np.int32)
    (scores,) = run_like_reference(folder / "model.onnx", {"bytes": rows}, tmp_path).values()
    told = [config["target_labels_space"][best] for best in scores.argmax(axis=1)]
    assert dict(zip(FILES, told)) == FILES
