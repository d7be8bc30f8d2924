#!/usr/bin/env bash
# Every C and C++ file is laid out as .clang-format says, by the version that tests/requirements.txt pins:
# another one lays the same code out differently.
#
#   tools/ci/check_format.sh          names the places that are not; exit 1 when there are any
#   tools/ci/check_format.sh --fix    lays the files out
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

pinned=$(sed -n 's/^clang-format==//p' tests/requirements.txt)
found=$(clang-format --version 2>/dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1 || true)
if [[ $found != "$pinned" ]]; then
  printf 'error: clang-format %s is wanted, found %s\n\n' "$pinned" "${found:-none}" >&2
  printf 'hint: put the one of tests/requirements.txt first in PATH (scripts/test does)\n' >&2
  exit 2
fi

sources() { python3 -B tools/ci/repository_files.py | grep -zE '\.([ch]pp|[ch])$'; }

if [[ ${1:-} == --fix ]]; then
  sources | xargs -0 clang-format -i
else
  sources | xargs -0 clang-format --dry-run -Werror
fi
