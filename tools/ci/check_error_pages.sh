#!/usr/bin/env bash
# Holds that docs/errors is what the catalogue of errors gives.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python3 "$root/tools/docs/error_pages.py" --check
