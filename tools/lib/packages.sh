# shellcheck shell=sh
# To be sourced. Installs what is missing, by Debian package name.

_package_is_installed() {
  dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# Runs a command as root: as we are, or through sudo.
_as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Runs apt-get without questions and, unless it fails, without its output.
_apt_get() {
  _log=$(mktemp)
  if _as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
    "$@" >"$_log" 2>&1 </dev/null; then
    rm -f "$_log"
  else
    cat "$_log" >&2
    rm -f "$_log"
    return 1
  fi
}

# Says in apt-get's words what it will download and how much of the disk that takes.
_announce_sizes() {
  # Not -s, which leaves the figures out.
  _as_root env LC_ALL=C apt-get -q -o DPkg::Lock::Timeout=300 install --assume-no --no-install-recommends "$@" \
    2>/dev/null </dev/null | grep -E '^(Need to get|After this operation)' || true
}

# install_packages NAME... : installs those that are missing, and says before how large they are; says nothing if none is. Leaves the shell with
# exit code 3 if that cannot be done.
install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "Not a Debian system: going on without installing packages. Needed is what Debian calls" >&2
    echo "  $*" >&2
    return 0
  fi
  _missing=
  for _package in "$@"; do
    _package_is_installed "$_package" || _missing="$_missing $_package"
  done
  [ -n "$_missing" ] || return 0

  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    echo "These packages are missing, and installing them needs root or sudo:" >&2
    echo "  apt-get install --no-install-recommends$_missing" >&2
    exit 3
  fi
  echo "==> installing packages:$_missing"
  # The list of names is split on purpose: names of packages have no spaces.
  # shellcheck disable=SC2086
  if ! _apt_get update || ! _announce_sizes $_missing || ! _apt_get install -y --no-install-recommends $_missing; then
    echo "They could not be installed, see above. As root, this would do it:" >&2
    echo "  apt-get install --no-install-recommends$_missing" >&2
    exit 3
  fi
}
