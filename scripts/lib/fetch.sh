# Getting pinned packages from PyPI and npm through their own clients, whose own configuration
# (mirror, proxy, certificates) is all that is used. Nothing is installed: a package is unpacked into
# a folder of the cache, and the folder's existence is the stamp. Sourced after say.sh.

onnxruntime_version=1.32.0

# One wheel serves whatever Python runs here, since only the files inside are wanted.
wheel_tags() {
  local machine
  machine=$(uname -m)
  echo "--python-version 3.12 --implementation cp --abi cp312 --platform manylinux_2_27_$machine" \
    "--platform manylinux_2_28_$machine --platform manylinux_2_35_$machine"
}

# keep_members ARCHIVE FOLDER PATTERN...: unpacks what matches, less the first folder of each name.
keep_members() { python3 "$root/scripts/lib/unpack.py" "$@"; }

# with_fresh_folder FOLDER COMMAND...: COMMAND fills a folder named by its last argument, which takes
# FOLDER's place only when it succeeds.
with_fresh_folder() {
  local folder=$1 partial="$cache/.partial/$$"
  shift
  rm -rf "$partial"
  mkdir -p "$partial"
  if "$@" "$partial"; then
    mv -T "$partial" "$folder" 2>/dev/null || { rm -rf "$partial"; [[ -d $folder ]]; }  # another run was faster
  else
    rm -rf "$partial"
    return 1
  fi
}

pip_unpack() { # NAME VERSION PATTERNS FOLDER
  local patterns
  read -ra patterns <<<"$3"  # an array, so that the shell does not match them against its own folder
  # shellcheck disable=SC2046  # a list of words
  python3 -m pip --disable-pip-version-check download --no-deps --only-binary=:all: $(wheel_tags) \
    --dest "$4/.archive" "$1==$2" && keep_members "$4"/.archive/*.whl "$4" "${patterns[@]}" && rm -rf "$4/.archive"
}

npm_unpack() { # NAME VERSION PATTERNS FOLDER
  local patterns
  read -ra patterns <<<"$3"
  mkdir -p "$4/.archive"
  npm pack --ignore-scripts --silent --pack-destination "$4/.archive" "$1@$2" &&
    keep_members "$4"/.archive/*.tgz "$4" "${patterns[@]}" && rm -rf "$4/.archive"
}

# fetch CLIENT NAME VERSION PATTERNS FOLDER
fetch() {
  [[ ! -d $5 ]] || return 0
  step "$1: getting $2 $3"
  mkdir -p "$(dirname "$5")"
  LOG_TAIL=8 logged "fetch-$2-$3" with_fresh_folder "$5" "${1}_unpack" "$2" "$3" "$4" ||
    die "could not get $2 $3 from the package registry" \
      "check the network, or the mirror that \`$1 config list\` shows"
}

# The folder of the pinned ONNX Runtime that the quickstart and the tests use.
onnxruntime_folder() { echo "$cache/onnxruntime-$onnxruntime_version"; }

fetch_onnxruntime() {
  fetch pip onnxruntime "$onnxruntime_version" 'onnxruntime/capi/lib* onnxruntime/LICENSE onnxruntime/ThirdPartyNotices.txt' \
    "$(onnxruntime_folder)"
}

onnxruntime_library() {
  compgen -G "$(onnxruntime_folder)/capi/libonnxruntime.so.*" | head -n 1 ||
    die "there is no library in $(onnxruntime_folder)" "remove that folder, then run $script again"
}
