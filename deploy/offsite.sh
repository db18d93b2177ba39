#!/bin/sh
# Backups on another machine, with restic (docs/offsite.md). brickmark-offsite@.service starts it:
#   offsite.sh save    backs up the store into the repository, and removes old backups from it
#   offsite.sh check   restores the last backup into a temporary folder, and verifies it
# RESTIC_REPOSITORY and RESTIC_PASSWORD_FILE say where backups go and what encrypts them;
# BRICKMARK_DATA which store. CACHE_DIRECTORY is a folder with room for two copies of the store.
set -eu
umask 077
work=${CACHE_DIRECTORY:?}
copy=$work/store
export RESTIC_CACHE_DIR="$work/restic"

clean() {
  rm -rf "$copy" "$work/restored" "$work/verified"
}

save() {
  brickmark backup "$copy"
  # Always the same folder, because restic compares with the last backup of it.
  restic backup --tag brickmark "$copy"
  restic forget --tag brickmark --keep-daily 14 --keep-weekly 8 --keep-monthly 12 --prune
}

check() {
  restic check
  restic restore latest --tag brickmark --target "$work/restored"
  # `restore` verifies signature, checksums, schema, and references between rows.
  brickmark restore "$work/restored$copy" --data "$work/verified"
}

trap clean EXIT
trap 'exit 1' HUP INT TERM
clean
# A run that was killed has left a lock; those of running programs stay.
restic unlock
case ${1:-} in
  save) save ;;
  check) check ;;
  *)
    echo 'Usage: offsite.sh save|check' >&2
    exit 2
    ;;
esac
