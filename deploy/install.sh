#!/bin/sh
# Installs the executable of a Brickmark release for this machine, without root.
#
#   install.sh --from URL-or-folder [--to FOLDER]
#   install.sh --uninstall [--to FOLDER]
#
# The release is a folder with the executables and SHA256SUMS, on this machine or on a web server.
# The executable goes into ~/.local/bin or FOLDER, complete and with the right checksum, or not at
# all. Beside it is a list of the checksums that were installed, .brickmark-installed: a program
# that is not in it is neither replaced nor removed.
set -eu

fail() {
  printf '%s\n' "$1" >&2
  exit "${2:-1}"
}

usage='Usage: install.sh --from URL-or-folder [--to FOLDER], or install.sh --uninstall [--to FOLDER].'

# What remains after a failure or Ctrl-C: nothing, and no folder that was not there before.
work=
made=
clean() {
  if [ -n "$work" ]; then rm -rf "$work"; fi
  if [ -n "$made" ]; then rmdir "$made" 2>/dev/null || true; fi
}

# The architecture, as executables are named.
find_architecture() {
  [ "$(uname -s)" = Linux ] ||
    fail "There is no executable for $(uname -s): install the npm package instead."
  case $(uname -m) in
    x86_64 | amd64) architecture=amd64 ;;
    aarch64 | arm64) architecture=arm64 ;;
    *) fail "There is no executable for $(uname -m), only for amd64 and arm64." ;;
  esac
}

# Copies or downloads a file of the release into the working folder.
get() {
  case $from in
    http://* | https://*)
      if command -v curl >/dev/null; then
        curl --fail --silent --location --output "$work/$1" "$from/$1"
      elif command -v wget >/dev/null; then
        wget --quiet --tries 2 --output-document "$work/$1" "$from/$1"
      else
        fail 'Install curl or wget first, or copy the release to this machine.'
      fi || fail "$from/$1 cannot be downloaded."
      ;;
    *)
      [ -f "$from/$1" ] || fail "There is no file $from/$1."
      cp "$from/$1" "$work/$1" || fail "$from/$1 cannot be copied to $to."
      ;;
  esac
}

checksum() {
  sum=$(sha256sum "$1")
  printf '%s' "${sum%% *}"
}

# Whether the program is one that this script put there.
is_ours() {
  [ -f "$list" ] && [ ! -L "$program" ] && grep -qxF "$(checksum "$program")" "$list"
}

install() {
  [ -n "$from" ] || fail "$usage" 2
  find_architecture
  if [ ! -d "$to" ]; then
    mkdir -p "$to" 2>/dev/null || fail "The folder $to cannot be created."
    made=$to
  fi
  if [ -e "$program" ] || [ -L "$program" ]; then
    is_ours || fail "$program was not installed by this script: move it away, or use --to FOLDER."
  fi
  # In the same file system, so that the program can be renamed into place.
  work=$(mktemp -d "$to/.brickmark-XXXXXX" 2>/dev/null) || fail "The folder $to is not writable."
  get SHA256SUMS
  lines=$(grep -E "^[0-9a-f]{64}  brickmark-[^ /]*-linux-$architecture\$" "$work/SHA256SUMS") ||
    fail "$from has no executable for $architecture in SHA256SUMS."
  [ "$(printf '%s\n' "$lines" | wc -l)" -eq 1 ] ||
    fail "$from has several executables for $architecture in SHA256SUMS."
  name=${lines#*  }
  get "$name"
  [ "$(checksum "$work/$name")" = "${lines%% *}" ] ||
    fail "$from/$name does not have the checksum in SHA256SUMS: it is damaged or was changed."
  chmod 755 "$work/$name"
  version=$("$work/$name" version) ||
    fail "$name does not run on this machine: it needs Linux with glibc, and $to must allow programs."
  # First the list, so that an interrupted upgrade can be repeated.
  if [ -f "$list" ]; then cat "$list"; fi >"$work/list"
  printf '%s\n' "${lines%% *}" >>"$work/list"
  mv "$work/list" "$list"
  mv "$work/$name" "$program"
  made=
  printf '%s is installed as %s.\n' "$version" "$program"
  case :$PATH: in
    *":$to:"*) printf 'Next: brickmark demo\n' ;;
    *) printf 'Next: %s demo (or add %s to PATH)\n' "$program" "$to" ;;
  esac
}

uninstall() {
  [ -f "$list" ] || fail "There is nothing to remove: this script has not installed Brickmark in $to."
  if [ -e "$program" ] || [ -L "$program" ]; then
    is_ours || fail "$program is not the file that this script installed, so it stays: remove it yourself."
    rm -f "$program" 2>/dev/null || fail "$program cannot be removed."
  fi
  rm -f "$list"
  printf '%s is removed. Its data, in the folders where you ran it, is not.\n' "$program"
}

main() {
  from=
  to=${HOME:-}/.local/bin
  work_to_do=install
  while [ $# -gt 0 ]; do
    case $1 in
      --uninstall) work_to_do=uninstall ;;
      --from | --to)
        [ -n "${2:-}" ] || fail "$usage" 2
        if [ "$1" = --from ]; then from=${2%/}; else to=${2%/}; fi
        shift
        ;;
      --help)
        printf '%s\n' "$usage"
        exit
        ;;
      *) fail "$usage" 2 ;;
    esac
    shift
  done
  case $to in
    /*) ;;
    *) to=$PWD/$to ;;
  esac
  program=$to/brickmark
  list=$to/.brickmark-installed
  trap clean EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  "$work_to_do"
}

# Last, so that a script that was cut off while it was piped into a shell does nothing.
main "$@"
