#!/usr/bin/env bash
# Sizes, names, addresses, leftovers, dead references, forgotten sources: see check_style.py. Its own tests come first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export PYTHONDONTWRITEBYTECODE=1
python3 -m unittest -q test_check_style
python3 check_style.py
