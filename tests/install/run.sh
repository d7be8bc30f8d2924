#!/usr/bin/env bash
# Installs a release build into an empty folder, moves it, and builds the README's own C++ example against
# it as a stranger would, with CMake and with pkg-config; once with a static library, once with a shared one.
#
#   tests/install/run.sh     wants SUREFOOT_TEST_ORT_ROOT, as scripts/test lays it out
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'status=$?; ((status == 0)) || cat "$work/log" >&2; rm -rf "$work"' EXIT
: >"$work/log"
export ORT_DISABLE_TELEMETRY=1 PYTHONDONTWRITEBYTECODE=1
export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-$(command -v ccache || true)}
jobs=$(nproc)

say() { printf 'install: %s\n' "$*"; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

newest_runtime() { # FLAVOUR
  find -L "${SUREFOOT_TEST_ORT_ROOT:?names no folder of ONNX Runtimes: run scripts/test install}" \
    -path "*/$1-*" -name 'libonnxruntime.so.*' | sort -V | tail -n 1
}

# install_as NAME CMAKE_ARGUMENTS...: the prefix is moved afterwards, which no installed file may mind.
install_as() {
  local name=$1
  shift
  cmake -S "$root" --preset release -B "$work/build-$name" -DCMAKE_INSTALL_PREFIX="$work/first-$name" "$@" >"$work/log"
  cmake --build "$work/build-$name" --parallel "$jobs" >"$work/log"
  cmake --install "$work/build-$name" >"$work/log"
  mv "$work/first-$name" "$work/$name"
}

expect_file() { # PREFIX GLOB WHAT
  compgen -G "$1/$2" >/dev/null || fail "$3 is not installed: no $2 in $(find "$1" -type f | sed "s|^$1/||" | sort | tr '\n' ' ')"
}

check_layout() {
  local file
  for file in include/surefoot/session.hpp 'lib*/libsurefoot.*' 'lib*/pkgconfig/surefoot.pc' \
    'lib*/cmake/surefoot/surefoot-config.cmake' 'share/doc/surefoot/LICENSE'; do
    expect_file "$1" "$file" "a part of the package"
  done
  expect_file "$1" bin/surefoot "the command"
  expect_file "$1" libexec/surefoot/surefoot-probe "the program that probes providers"
  expect_file "$1" 'share/man/man1/surefoot.1' "the manual page"
  expect_file "$1" 'share/bash-completion/completions/surefoot' "bash's completion"
  expect_file "$1" 'share/zsh/*/_surefoot' "zsh's completion"
  expect_file "$1" 'share/fish/vendor_completions.d/surefoot.fish' "fish's completion"
  ! grep -rIlF -e "$work/" -e "$root/" "$1" || fail "the files above hold a path of the machine that built them"
}

# The command answers from where it was moved to, with the version that the package has.
check_command() {
  local version
  version=$(cat "$root/VERSION")
  [[ $("$1/bin/surefoot" version) == *"$version"* ]] || fail "\`surefoot version\` does not say $version"
  SUREFOOT_ONNXRUNTIME=$(newest_runtime cpu) XDG_CACHE_HOME="$work/cache-$(basename "$1")" \
    "$1/bin/surefoot" providers --json | grep -q '"outcome": "works"' || fail "no probe of a provider works"
}

# What the README shows of the command is what the command prints, where the machine is as the README says.
check_readme_console() {
  local runtime
  runtime=$(newest_runtime gpu)
  if [[ -z $runtime ]] || grep -qE 'lib(cudart|cuda|nvinfer|cublas)\.so' <<<"$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p || true)"; then
    say "README's console: skipped, since it shows the GPU build of ONNX Runtime on a machine without CUDA"
    return
  fi
  PATH="$1/bin:$PATH" SUREFOOT_ONNXRUNTIME="$runtime" LD_LIBRARY_PATH='' \
    python3 "$root/tests/docs/check_console.py" "$root/README.md"
}

# run_example PROGRAM: the README promises a plan, a probability, and the provider.
run_example() {
  local said
  said=$(cd "$root" && "$1") || fail "$1 ended with $?: $said"
  grep -qE '^cpu +viable' <<<"$said" || fail "$1 printed no plan: $said"
  grep -qE ' on cpu$' <<<"$said" || fail "$1 did not say where it ran: $said"
}

with_cmake() {
  cmake -S "$root/tests/install" -B "$work/cmake-$1" -G Ninja -DCMAKE_PREFIX_PATH="$work/$1" \
    -DSTRANGER_SOURCE="$work/stranger.cpp" >"$work/log"
  cmake --build "$work/cmake-$1" >"$work/log"
  run_example "$work/cmake-$1/stranger"
  say "$1 library, CMake: built and ran"
}

with_pkg_config() {
  local flags
  PKG_CONFIG_PATH=$(dirname "$(compgen -G "$work/$1/lib*/pkgconfig/surefoot.pc")")
  export PKG_CONFIG_PATH
  read -ra flags <<<"$(pkg-config --cflags --libs surefoot)"
  "${CXX:-g++}" -std=c++20 -Wall -Wextra -Wpedantic -Werror "$work/stranger.cpp" "${flags[@]}" -o "$work/plain-$1"
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir surefoot) run_example "$work/plain-$1"
  say "$1 library, pkg-config: built and ran"
}

SUREFOOT_ONNXRUNTIME=$(newest_runtime cpu)
export SUREFOOT_ONNXRUNTIME
[[ -n $SUREFOOT_ONNXRUNTIME ]] || fail "no CPU ONNX Runtime below $SUREFOOT_TEST_ORT_ROOT"
python3 "$root/tests/docs/code_block.py" "$root/README.md" cpp >"$work/stranger.cpp"
for kind in static shared; do
  install_as "$kind" -DBUILD_SHARED_LIBS="$([[ $kind == shared ]] && echo ON || echo OFF)"
  check_layout "$work/$kind"
  check_command "$work/$kind"
  with_cmake "$kind"
  with_pkg_config "$kind"
done
check_readme_console "$work/static"
