#!/bin/sh
# Writes how the service NAME ended, as metrics for Prometheus's node_exporter (docs/offsite.md):
#   backup-result.sh NAME
# systemd starts it as ExecStopPost, also if the service was killed or took too long, and says in
# SERVICE_RESULT how it ended. Does nothing where node_exporter has no folder.
set -eu
folder=${BRICKMARK_METRICS_FOLDER:-/var/lib/prometheus/node-exporter}
file=$folder/$1.prom
age=brickmark_backup_job_last_success_timestamp_seconds
failed=brickmark_backup_job_failed
[ -d "$folder" ] || exit 0

last_success() {
  if [ "$SERVICE_RESULT" = success ]; then
    date +%s
  else
    { sed -n "s/^$age{.*} //p" "$file" 2>/dev/null || true; } | grep . || echo 0
  fi
}

at=$(last_success)
[ "$SERVICE_RESULT" = success ] && result=0 || result=1
# Renamed, so that a half-written file is never read. Other endings than .prom are not.
cat > "$file.part" <<END
# HELP $age When the backup, or its check, last succeeded; 0 for never.
# TYPE $age gauge
$age{service="$1"} $at
# HELP $failed Whether the last backup, or its check, failed.
# TYPE $failed gauge
$failed{service="$1"} $result
END
chmod 644 "$file.part"
mv "$file.part" "$file"
