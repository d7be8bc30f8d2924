"""The files of the repository: what git tracks or would track. Without git (an unpacked archive), all but builds.

    repository_files.py     prints them, each ended by a zero byte
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_OURS = {".git", "build", "__pycache__", "shared"}


def _listed_by_git(root):
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        answer = subprocess.run(command, capture_output=True, check=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return [pathlib.Path(name) for name in answer.stdout.split("\0") if name]


def _found_below(root):
    for path in root.rglob("*"):
        relative = path.relative_to(root)
        if path.is_file() and not NOT_OURS.intersection(relative.parts):
            yield relative


def repository_files(root=ROOT):
    """Sorted paths relative to `root`, files that exist only."""
    listed = _listed_by_git(root)
    names = _found_below(root) if listed is None else (name for name in listed if (root / name).is_file())
    return sorted(set(names))


if __name__ == "__main__":
    sys.stdout.write("".join(f"{name.as_posix()}\0" for name in repository_files()))
