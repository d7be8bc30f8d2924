"""unpack.py ARCHIVE FOLDER PATTERN...: takes the members that match, less the first folder of each name.

ARCHIVE is a wheel (zip) or an npm package (tar). A pattern that matches nothing is an error only
when none does.
"""

import fnmatch
import pathlib
import shutil
import sys
import tarfile
import zipfile


def zip_members(path):
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield info.filename, lambda info=info: archive.open(info)


def tar_members(path):
    with tarfile.open(path) as archive:
        for info in archive:
            if info.isfile():
                yield info.name, lambda info=info: archive.extractfile(info)


def safe_target(folder, name):
    inner = pathlib.PurePosixPath(name).parts[1:]
    if not inner or ".." in inner:
        sys.exit(f"{name} does not belong in a package")
    return folder.joinpath(*inner)


def main():
    source, folder, patterns = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    members = tar_members if source.suffix == ".tgz" else zip_members
    kept = 0
    for name, opened in members(source):
        if not any(fnmatch.fnmatch(name, pattern) for pattern in patterns):
            continue
        target = safe_target(folder, name)
        target.parent.mkdir(parents=True, exist_ok=True)
        with opened() as stream, open(target, "wb") as file:
            shutil.copyfileobj(stream, file)
        kept += 1
    if not kept:
        sys.exit(f"{source.name} holds none of {' '.join(patterns)}")


if __name__ == "__main__":
    main()
