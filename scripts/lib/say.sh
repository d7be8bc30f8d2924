# Steps, failures and logs of the scripts: one line a step, the whole output in build/logs.
# Sourced; wants `root` (the repository) and sets `logs`, `cache`.

logs="$root/build/logs"
cache="${SUREFOOT_CACHE:-${XDG_CACHE_HOME:-${HOME:?neither HOME nor SUREFOOT_CACHE is set}/.cache}/surefoot}"
mkdir -p "$logs" "$cache"
script=$(basename "$0")

say() { printf '%s\n' "$*"; }
step() { printf '%s: %s\n' "$script" "$*"; }

# die WHAT HINT
die() {
  printf 'error: %s\n\nhint: %s\n' "$1" "$2" >&2
  exit 1
}

# logged NAME COMMAND...: runs it with its output in build/logs/NAME.log; shows the tail when it fails.
logged() {
  local log="$logs/$1.log"
  shift
  "$@" >"$log" 2>&1 </dev/null && return 0
  local status=$?
  tail -n "${LOG_TAIL:-25}" "$log" | sed 's/^/    /' >&2
  printf '    (exit %s; all of it: %s)\n' "$status" "${log#"$root"/}" >&2
  return "$status"
}

# One compiler per core, but no more than the memory carries (about 1 GB for a large file of ours).
build_jobs() {
  local cores memory
  cores=$(nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1000000) }' /proc/meminfo 2>/dev/null || true)
  memory=${memory:-$cores}
  ((memory < 1)) && memory=1
  echo $((cores < memory ? cores : memory))
}
