# What this machine lacks, and the package manager's names for it. Sourced after say.sh.
#
# A row: probe, then the package in apt, dnf and pacman. Probes ask for the thing itself (a command,
# a header, a Python module, a file), so a copy from elsewhere serves as well as the package.
# SUREFOOT_SKIP_PACKAGES=1 leaves packages alone: for what the probes cannot see.

build_needs='
command:g++               g++                gcc-c++              gcc
command:cmake             cmake              cmake                cmake
command:ninja             ninja-build        ninja-build          ninja
command:pkg-config        pkg-config         pkgconf-pkg-config   pkgconf
command:python3           python3            python3              python
python:pip                python3-pip        python3-pip          python-pip
header:fmt/core.h         libfmt-dev         fmt-devel            fmt
header:CLI/CLI.hpp        libcli11-dev       cli11-devel          cli11
header:nlohmann/json.hpp  nlohmann-json3-dev json-devel           nlohmann-json
header:protozero/pbf_reader.hpp libprotozero-dev protozero-devel  protozero
header:xxhash.h           libxxhash-dev      xxhash-devel         xxhash
header:stb/stb_image.h    libstb-dev         stb-devel            stb
header:zip.h              libzip-dev         libzip-devel         libzip
header:sndfile.h          libsndfile1-dev    libsndfile-devel     libsndfile
'

test_needs='
header:gtest/gtest.h      libgtest-dev       gtest-devel          gtest
header:gmock/gmock.h      libgmock-dev       gmock-devel          gtest
header:dlpack/dlpack.h    libdlpack-dev      dlpack-devel         dlpack
python:ensurepip          python3-venv       python3              python
header:python3*/Python.h  python3-dev        python3-devel        python
command:ccache            ccache             ccache               ccache
command:strace            strace             strace               strace
command:espeak-ng         espeak-ng          espeak-ng            espeak-ng
command:npm               npm                npm                  npm
command:zsh               zsh                zsh                  zsh
command:fish              fish               fish                 fish
file:/usr/share/fonts/*/*/DejaVuSans.ttf|/usr/share/fonts/*/DejaVuSans.ttf fonts-dejavu-core dejavu-sans-fonts ttf-dejavu
'

# Without these the tests that need them skip.
browser_wishes='
command:chromium          chromium           chromium             chromium
command:chromedriver      chromium-driver    chromedriver         chromium
'

header_exists() {
  local folder prefixes=${CPATH:-}
  for folder in ${prefixes//:/ } /usr/local/include /usr/include /usr/include/*-linux-gnu /opt/homebrew/include; do
    compgen -G "$folder/$1" >/dev/null && return 0
  done
  return 1
}

file_exists() {
  local pattern
  for pattern in ${1//|/ }; do
    compgen -G "$pattern" >/dev/null && return 0
  done
  return 1
}

is_there() {
  local wanted=${1#*:}
  case $1 in
    command:*) command -v "$wanted" >/dev/null ;;
    python:*) python3 -c "import $wanted" 2>/dev/null ;;
    header:*) header_exists "$wanted" ;;
    file:*) file_exists "$wanted" ;;
  esac
}

# missing_packages COLUMN ROWS: the names of what the probes do not find, each once.
missing_packages() {
  local probe names
  while read -r probe names; do
    [[ -z $probe ]] || is_there "$probe" || awk -v column="$1" '{ print $column }' <<<"$names"
  done <<<"$2" | sort -u | tr '\n' ' '
}

# Runs a command as root; 126 when that cannot be had without a question that nobody can answer.
as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
    sudo "$@"
  else
    return 126
  fi
}

apt_install() {
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  as_root "${apt[@]}" update && as_root "${apt[@]}" install -y --no-install-recommends "$@"
}

# How a person would get the missing packages, or nothing for an unknown system.
install_command() {
  local sudo=''
  ((EUID == 0)) || sudo='sudo '
  case $1 in
    apt) echo "${sudo}apt-get update && ${sudo}apt-get install -y $2" ;;
    dnf) echo "${sudo}dnf install -y $2" ;;
    pacman) echo "${sudo}pacman -S --needed $2" ;;
  esac
}

package_manager() {
  local manager
  for manager in apt-get dnf pacman; do
    command -v "$manager" >/dev/null && { echo "${manager%-get}"; return; }
  done
  echo none
}

# ensure_packages ROWS: installs what is missing (apt), or says what to run (all others).
ensure_packages() {
  [[ -z ${SUREFOOT_SKIP_PACKAGES:-} ]] || { step "packages: left alone (SUREFOOT_SKIP_PACKAGES)"; return; }
  local manager column missing
  manager=$(package_manager)
  case $manager in dnf) column=2 ;; pacman) column=3 ;; *) column=1 ;; esac
  missing=$(missing_packages "$column" "$1")
  missing=${missing% }
  [[ -n $missing ]] || { step "packages: all there"; return; }
  case $manager in
    apt) install_with_apt "$missing" "$1" ;;
    none) die "this machine lacks $missing" "install these (Debian's names) with your system's package manager, then run $script again" ;;
    *) die "this machine lacks $missing" "run: $(install_command "$manager" "$missing")" ;;
  esac
}

install_with_apt() {
  as_root true || die "these packages are missing, and this user cannot install them: $1" "run: $(install_command apt "$1")"
  step "packages: installing $1"
  # shellcheck disable=SC2086  # a list of names
  if ((EUID != 0)) && [[ -t 0 ]]; then
    apt_install $1 || true  # unlogged: sudo may ask for a password
  else
    logged packages apt_install $1 || true
  fi
  local left
  left=$(missing_packages 1 "$2")
  [[ -z $left ]] || die "these packages are still missing: $left" "run: $(install_command apt "$left")"
}

# offer_packages WHAT ROWS: installs what is missing where that asks nobody (apt, as root), and goes on without it
# everywhere else.
offer_packages() {
  local missing
  missing=$(missing_packages 1 "$2")
  [[ -n $missing ]] || return 0
  if [[ -z ${SUREFOOT_SKIP_PACKAGES:-} && $(package_manager) == apt ]] && ((EUID == 0)); then
    (install_with_apt "${missing% }" "$2") && return 0
  fi
  say "    no $1 here: its tests skip; Debian's packages are ${missing% }"
}
