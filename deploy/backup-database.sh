#!/bin/sh
# Makes a backup of a PostgreSQL database in a folder every day, and removes what is older than two
# weeks: the service `backup` of compose.yaml. PGHOST and the like say which database. With `--once`
# it makes one and ends. A backup that fails removes nothing, and is tried again an hour later.
set -eu
folder=$1
once=${2:-}
umask 077

is_due() {
  # A start soon after the last backup makes no other one.
  [ -z "$(find "$folder" -name '*.dump' -mmin -1380)" ]
}

backup() {
  name=$(date -u +%Y-%m-%dT%H%M%SZ)
  rm -f "$folder"/*.part
  pg_dump --format=custom --file="$folder/$name.part" || return 1
  mv "$folder/$name.part" "$folder/$name.dump"
  find "$folder" -name '[0-9]*Z.dump' -mtime +14 -delete
  echo "made $name.dump"
}

if [ "$once" = --once ]; then
  backup
  exit
fi
while :; do
  if is_due; then backup || echo 'The backup failed; it is tried again in an hour.' >&2; fi
  sleep 3600
done
