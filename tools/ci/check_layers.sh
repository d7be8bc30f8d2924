#!/usr/bin/env bash
# Dependencies point down only, ORT is touched in src/ort only, a provider's name is compared in
# src/provider only: see check_layers.py. Its own tests come first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export PYTHONDONTWRITEBYTECODE=1
python3 -m unittest -q test_check_layers
python3 check_layers.py
