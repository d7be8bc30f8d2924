# Configuring and building a preset. Sourced after say.sh.

cmake_needed=3.25
cmake_from_pip=3.31.6

cmake_is_new_enough() {
  local have
  have=$("$1" --version 2>/dev/null | awk 'NR == 1 { print $3 }')
  [[ -n $have && $(printf '%s\n%s\n' "$cmake_needed" "$have" | sort -V | head -n 1) == "$cmake_needed" ]]
}

# Distributions of before 2023 carry an older CMake: take PyPI's, into the cache.
ensure_cmake() {
  cmake_is_new_enough cmake && return
  local folder="$cache/cmake-$cmake_from_pip"
  if [[ ! -d $folder ]]; then
    step "cmake: the system's is older than $cmake_needed; getting $cmake_from_pip from PyPI"
    logged cmake with_fresh_folder "$folder" python3 -m pip --disable-pip-version-check install \
      --only-binary=:all: "cmake==$cmake_from_pip" --target ||
      die "CMake $cmake_needed or newer is needed" "install it, then run $script again"
  fi
  export PATH="$folder/cmake/data/bin:$PATH"
}

# build PRESET [CMAKE ARGUMENTS...]: a second run with nothing changed takes a moment.
build() {
  local preset=$1
  shift
  local folder="$root/build/$preset"
  if [[ ! -f $folder/build.ninja || $# -gt 0 ]]; then
    logged "configure-$preset" cmake -S "$root" --preset "$preset" "$@" || return
  fi
  logged "build-$preset" cmake --build "$folder" --parallel "$(build_jobs)"
}
