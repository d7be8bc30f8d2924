# shellcheck shell=bash disable=SC2154
# The wheel of the stable ABI: built once, by the oldest Python here that has it, and tested on every one.

# Pythons from 3.12 on, oldest first, one of each minor version.
stable_abi_pythons() {
  local found
  for found in $(compgen -c python3. | grep -xE 'python3\.[0-9]+' | sort -u) \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3; do
    "$found" -c 'import ensurepip, sys; v = sys.version_info; v < (3, 12) or print(v[1], sys.executable)' 2>/dev/null || true
  done | sort -n -u -k 1,1 | cut -d' ' -f2
}

# What the tests of the package itself need, at the versions of its environment.
own_requirements() {
  grep -E '^(ml_dtypes|nanobind|numpy|onnx|onnxruntime|pytest|scikit-build-core)==' "$package_requirements"
}

# test_wheel_on PYTHON WHEEL
test_wheel_on() {
  "$1" -m pip --disable-pip-version-check install --no-deps --force-reinstall "$2" &&
    PATH="$(dirname "$1"):$PATH" VIRTUAL_ENV="$(dirname "$(dirname "$1")")" \
      SUREFOOT_TEST_FAULT_EP="$root/build/dev/lib/libsurefoot_fault_ep.so" \
      "$1" -m pytest -q -p no:cacheprovider -rs -k 'not flat' \
      "$root"/tests/python/test_{session,values,drop_in,create_session,prepared_run,model,errors,comparing,compile,measuring}.py
}

stable_abi() {
  local base environment wheel='' requirements="$root/build/wheels/requirements.txt" status=0
  mkdir -p "$root/build/wheels" && own_requirements >"$requirements"
  for base in $(stable_abi_pythons); do
    environment="$cache/wheel-venv-$("$base" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-$(cksum <"$requirements" | cut -d' ' -f1)"
    venv_with "$environment" "$requirements" "$base" || return
    if [[ -z $wheel ]]; then
      logged build-wheel install_wheel "$environment/bin/python" "$root/build/wheels/stable" || return
      wheel=$(echo "$root"/build/wheels/stable/*-abi3-*.whl)
    fi
    LOG_TAIL=60 logged pytest-wheel test_wheel_on "$environment/bin/python" "$wheel" || status=1
    counts+=("$(basename "$environment"): $(tail -n 1 "$logs/pytest-wheel.log")")
  done
  [[ -n $wheel ]] || step "stable ABI: no Python from 3.12 on is here, and its wheel is not built"
  return "$status"
}
