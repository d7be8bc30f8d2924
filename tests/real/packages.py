"""Where the files of published packages lie: scripts/test unpacks what tests/packages.txt lists."""

import os
import pathlib

LIST = pathlib.Path(__file__).resolve().parents[1] / "packages.txt"


def default_cache():
    home = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(os.environ.get("SUREFOOT_CACHE") or pathlib.Path(home) / "surefoot")


def folder(package):
    """The unpacked folder of a listed package."""
    for line in LIST.read_text().splitlines():
        words = line.split()
        if len(words) > 3 and words[1] == package:
            found = default_cache() / f"{words[3]}-{words[2]}"
            assert found.is_dir(), f"{found} is not there; `scripts/test real` fetches it"
            return found
    raise LookupError(f"{package} does not stand in {LIST}")


def models(package):
    return sorted(folder(package).rglob("*.onnx"))
