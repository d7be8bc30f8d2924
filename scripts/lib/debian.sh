# Taking files out of Debian packages with apt's own client, out of the archive that this machine's apt is
# configured for (mirror, proxy and credentials included). Nothing is installed and no system folder is
# written: lists and packages live in `work`. Sourced; wants `work`, a folder, and a function `say`.

package_sources() {
  apt-get indextargets "$@" --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null
}

# The first Debian archive among apt's sources. Other distributions have a label of their own, and so
# has Debian's security archive. Labels are known once lists were fetched; before that, the archive's
# usual name has to do.
debian_archive() {
  local labelled
  labelled=$(package_sources)
  if [[ -n $labelled ]]; then
    awk '$1 == "Debian" && !found++ { print $2 }' <<<"$labelled"
  else
    package_sources --no-release-info | awk '$2 ~ /\/debian\/?$/ && !found++ { print $2 }'
  fi
}

keyring() {
  local file
  for file in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
    if [[ -r $file ]]; then echo "$file"; return; fi
  done
}

# Read after the machine's own settings, which keep proxies and credentials. The hooks go: they tidy
# and index the system's folders, which are none of our business.
write_apt_settings() {
  mkdir -p "$work"/{lists,cache/archives}/partial "$work/state"
  cat >"$work/apt.conf" <<SETTINGS
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Update::Error-Mode "any";
APT::Sandbox::User "root";
Acquire::Retries "3";
Acquire::Languages "none";
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State "$work/state";
Dir::State::Lists "$work/lists";
Dir::State::status "/var/lib/dpkg/status";
Dir::Cache "$work/cache";
SETTINGS
}

# read_lists ARCHIVE KEYS SUITE...: what the archive offers in these suites, from now on.
read_lists() {
  local archive=$1 keys=$2 suite
  shift 2
  : >"$work/sources.list"
  for suite in "$@"; do echo "deb [signed-by=$keys] $archive $suite main" >>"$work/sources.list"; done
  say "reading the package lists of Debian $*"
  apt-get -q -c "$work/apt.conf" update >"$work/log" 2>&1
}

# download_packages PACKAGE[/SUITE]...: the packages' files, into `work`.
download_packages() {
  say "downloading $*"
  (cd "$work" && rm -f ./*.deb && apt-get -q -c "$work/apt.conf" download "$@") >>"$work/log" 2>&1
}
