#!/usr/bin/env bash
# Exports all readings of a house to a file, as NDJSON, and resumes an interrupted transfer.
#   examples/export-readings.sh file [place] [from]
set -euo pipefail
file=${1:?name a file} place=${2:-tanaka} from=${3:-now-7d}
query=${QUERY_URL:-http://127.0.0.1:4003} registry=${REGISTRY_URL:-http://127.0.0.1:4002}
curl -sf -o /dev/null "$registry/v1/places/$place" || {
  echo "$registry has no place $place: run npm start, which has the homes tanaka, smith and sato" >&2
  exit 1
}

part=$(mktemp)
trap 'rm -f "$part"' EXIT
cursor='' failed=0
: >"$file"
until curl -sS --fail -G "$query/v1/places/$place/readings" -H 'Accept: application/x-ndjson' \
  -d resumable=true -d "from=$from" ${cursor:+-d "cursor=$cursor"} -o "$part"; do
  # Rows after the last row with a cursor are sent again.
  kept=$(grep -n '"cursor":"[^"]*"}$' "$part" | tail -n 1 | cut -d: -f1 || true)
  awk -v kept="${kept:-0}" 'NR <= kept' "$part" >>"$file"
  cursor=$(tail -n 1 "$file" | jq -r .cursor)
  failed=$((failed + 1))
  if [ $failed -gt 10 ]; then exit 1; fi
  sleep 1
done
cat "$part" >>"$file"
