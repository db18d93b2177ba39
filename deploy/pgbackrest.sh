#!/bin/sh
# Backups of PostgreSQL on another machine, with pgBackRest (docs/offsite.md), whose stanza has the
# name of the database. brickmark-pgbackrest@.service starts it, as the user postgres:
#   pgbackrest.sh save DATABASE    makes a full backup on Sundays, otherwise what changed since
#   pgbackrest.sh check DATABASE   restores the last one into a temporary PostgreSQL, and reads it
# CACHE_DIRECTORY is a folder with room for the database. The running PostgreSQL is not touched, and
# nobody else can connect to the temporary one.
set -eu
umask 077
database=${2:?}
work=${CACHE_DIRECTORY:?}
data=$work/data
programs=

clean() {
  if [ -e "$data/postmaster.pid" ]; then
    "$programs/pg_ctl" -D "$data" -m immediate stop || true
  fi
  rm -rf "$data" "$work/tablespaces"
}

save() {
  type='diff'
  if [ "$(date +%u)" = 7 ]; then type=full; fi
  # It also removes what is older than the retention of its settings.
  pgbackrest --stanza="$database" --type="$type" backup
}

check() {
  trap clean EXIT
  trap 'exit 1' HUP INT TERM
  rm -rf "$data" "$work/tablespaces"
  pgbackrest --stanza="$database" check
  restore
  start
  # Reads every row, in one snapshot.
  "$programs/pg_dump" --host="$work" --username=postgres --dbname="$database" \
    --file="${DUMP_FILE:-/dev/null}"
  # Refuses tables that are not as it made them.
  BRICKMARK_DATABASE_URL="postgres:///$database?host=$work&user=postgres" \
    brickmark account list > /dev/null
  echo "The last backup of $database was restored and read."
}

restore() {
  mkdir "$data" "$work/tablespaces"
  # Without archiving, which would write into the archive of the running one.
  pgbackrest --stanza="$database" --pg1-path="$data" --tablespace-map-all="$work/tablespaces" \
    --archive-mode=off restore
}

start() {
  programs=/usr/lib/postgresql/$(cat "$data/PG_VERSION")/bin
  # Debian keeps these files elsewhere. hot_standby would need the limits of the running one.
  : > "$data/check.conf"
  echo 'local all all trust' > "$data/check-hba.conf"
  "$programs/pg_ctl" -D "$data" -l "$data/check.log" -t 7200 start -o "\
    -c config_file=$data/check.conf -c hba_file=$data/check-hba.conf -c shared_preload_libraries= \
    -c listen_addresses= -c unix_socket_directories=$work -c hot_standby=off -c ssl=off" || fail
  # It has started, and accepts connections when it has read the archive.
  until "$programs/pg_isready" --quiet --host="$work"; do
    [ -e "$data/postmaster.pid" ] || fail
    sleep 1
  done
}

fail() {
  cat "$data/check.log" >&2
  exit 1
}

case $1 in
  save) save ;;
  check) check ;;
  *)
    echo 'Usage: pgbackrest.sh save|check DATABASE' >&2
    exit 2
    ;;
esac
