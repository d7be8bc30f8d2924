# The stages of scripts/test. Each is a function `stage_NAME` that logs to build/logs and returns its
# success; the runner prints one line for each. Sourced after the other parts.

models="$root/build/test-models"
venv="$cache/venv-$(cksum <"$root/tests/requirements.txt" | cut -d' ' -f1)"
python="$venv/bin/python"

# ---- what the tests need -----------------------------------------------------------------------

fetch_listed() {
  local client package version folder what
  while read -r client package version folder what; do
    [[ -z $client || $client == '#'* ]] || fetch "$client" "$package" "$version" "$what" "$cache/$folder-$version"
  done <"$root/tests/packages.txt"
}

stage_runtimes() {
  fetch_onnxruntime
  mkdir -p "$cache/ort"
  ln -sfn "../onnxruntime-$onnxruntime_version" "$cache/ort/cpu-$onnxruntime_version"
  fetch_listed
}

# venv_with FOLDER REQUIREMENTS [PYTHON]
venv_with() {
  [[ -f $1/.complete ]] && return
  rm -rf "$1"
  logged "$(basename "$1")" make_venv "$@" && touch "$1/.complete"
}

make_venv() {
  "${3:-python3}" -m venv "$1" &&
    "$1/bin/python" -m pip --disable-pip-version-check install --only-binary=:all: -r "$2"
}

stage_venv() { venv_with "$venv" "$root/tests/requirements.txt"; }

# Without headers (another distribution, an old mirror) the two tests that need them are left out.
stage_headers() {
  headers=$("$root/scripts/fetch-ort-headers" "$cache/ort-headers" 2>"$logs/headers.log") && return
  local status=$?
  headers=''
  ((status == 3)) && say "    no official headers here: $(tail -n 1 "$logs/headers.log")" && return
  tail -n 10 "$logs/headers.log" >&2
  return 1
}

# A Vulkan driver for WebGPU; without one (another distribution) its tests skip with the reason.
stage_vulkan() {
  SUREFOOT_TEST_VULKAN=$("$root/scripts/fetch-vulkan-driver" "$cache/vulkan" 2>"$logs/vulkan.log") &&
    export SUREFOOT_TEST_VULKAN && return
  local status=$?
  unset SUREFOOT_TEST_VULKAN
  ((status == 3)) && say "    no Vulkan driver here: $(tail -n 1 "$logs/vulkan.log")" && return
  tail -n 10 "$logs/vulkan.log" >&2
  return 1
}

stage_models() { logged models "$python" "$root/tests/models/make_models.py" "$models"; }

# ---- checks and tests --------------------------------------------------------------------------

configure_arguments() { [[ -z ${headers:-} ]] || echo "-DSUREFOOT_ORT_HEADERS=$headers"; }

# shellcheck disable=SC2046  # no argument when there are no headers
build_for_tests() { build "$1" $(configure_arguments); }

stage_checks() {
  local check
  local result=0
  for check in "$root"/tools/ci/*.sh; do
    logged "$(basename "$check" .sh)" bash "$check" || result=1
  done
  return "$result"
}

stage_build() { build_for_tests dev; }

run_ctest() { # PRESET ARGUMENTS...
  local preset=$1
  shift
  LOG_TAIL=60 logged "ctest-$preset" "${without_aslr[@]}" ctest --test-dir "$root/build/$preset" --output-on-failure \
    --parallel "$(build_jobs)" --timeout 300 --no-tests=error "$@"
  local status=$?
  counts+=("$(grep -E '^[0-9]+% tests passed' "$logs/ctest-$preset.log" || echo "ctest $preset: no count")")
  return "$status"
}

run_pytest() { # FOLDER ENVIRONMENT...
  local name=$1
  shift
  LOG_TAIL=60 logged "pytest-$name" env "$@" "$python" -m pytest -q -p no:cacheprovider -rs "$root/tests/$name"
  local status=$?
  counts+=("$(grep -E '^[=]* ?([0-9]+ [a-z]+, )*[0-9]+ (passed|failed|skipped|error)' "$logs/pytest-$name.log" |
    tail -n 1 || true)")
  return "$status"
}

stage_unit() { run_ctest dev; }

stage_cli() { run_pytest cli; }  # whole commands

stage_real() { run_pytest real; }

# The Python package: one wheel, installed into an environment of its own, and everything that tests it there.
package_requirements="$root/tests/python/requirements.txt"
package_venv="$cache/package-venv-$(cksum <"$package_requirements" | cut -d' ' -f1)"

# install_wheel PYTHON FOLDER: builds the one wheel of this version in FOLDER, and installs it from there.
install_wheel() {
  rm -rf "$2" && CMAKE_BUILD_PARALLEL_LEVEL=$(build_jobs) "$1" -m pip --disable-pip-version-check wheel \
    --no-build-isolation --no-deps --wheel-dir "$2" "$root" &&
    "$1" -m pip --disable-pip-version-check install --no-deps --force-reinstall "$2"/surefoot-*.whl
}

install_package() { install_wheel "$package_venv/bin/python" "$root/build/wheels/own"; }

stage_python() {
  venv_with "$package_venv" "$package_requirements" && logged build-python install_package || return
  local python="$package_venv/bin/python" status=0
  run_pytest python PATH="$package_venv/bin:$PATH" VIRTUAL_ENV="$package_venv" \
    SUREFOOT_TEST_WHEEL="$(echo "$root"/build/wheels/own/*.whl)" \
    SUREFOOT_TEST_FAULT_EP="$root/build/dev/lib/libsurefoot_fault_ep.so" || status=1
  stable_abi || status=1
  return "$status"
}

stage_install() { logged install bash "$root/tests/install/run.sh"; }

# Leaks inside ONNX Runtime and its threads' own locks are not ours to fix: tests/*.supp name them.
# intercept_tls_get_addr=0: the guess of where glibc keeps a library's thread-local block may be wrong, and
# LeakSanitizer then ends with "Tracer caught signal 11" instead of a finding (GCC 12).
stage_asan() {
  build_for_tests asan &&
    ASAN_OPTIONS="detect_leaks=1:detect_odr_violation=0:intercept_tls_get_addr=0" LSAN_OPTIONS="suppressions=$root/tests/lsan.supp" \
      run_ctest asan --label-exclude 'no_asan'
}

# ThreadSanitizer takes one ORT a process (its suppression `called_from_lib` matches one library) and ends
# the process on an allocation that must fail.
several_runtimes='^(OpenLibrary|Environment|OrtValue|OpenChecked|Judge|ProcessTest|EachRuntime|OutsideData|SharedThreadsTest|SharedArenaTest|MakeReport|WriteReport|FaultReport)\.|SeveralVersions|EveryRuntime|RealRuntimes|WhereOrtTellsNothing|ExaminesThisMachine|^TensorZeros\.'

# ThreadSanitizer's fixed memory layout does not stand newer kernels' randomisation (GCC 12).
stage_tsan() {
  build_for_tests tsan || return
  local without_aslr=()
  setarch "$(uname -m)" -R true 2>/dev/null && without_aslr=(setarch "$(uname -m)" -R)
  TSAN_OPTIONS="halt_on_error=1:suppressions=$root/tests/tsan.supp" run_ctest tsan --exclude-regex "$several_runtimes"
}

stage_tidy() { ensure_packages 'command:clang-tidy clang-tidy clang-tools-extra clang' && build_for_tests tidy; }
