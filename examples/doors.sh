#!/usr/bin/env bash
# When each door of a house was last opened.
#   examples/doors.sh [place] [time zone]
set -euo pipefail
place=${1:-tanaka} zone=${2:-Asia/Tokyo}
query=${QUERY_URL:-http://127.0.0.1:4003} registry=${REGISTRY_URL:-http://127.0.0.1:4002}
curl -sf -o /dev/null "$registry/v1/places/$place" || {
  echo "$registry has no place $place: run npm start, which has the homes tanaka, smith and sato" >&2
  exit 1
}

curl -sS --fail-with-body "$registry/v1/places/$place" |
  jq -r '.devices[] | select(.kind == "contact") | [(.device | @uri), .name] | @tsv' |
  while IFS=$'\t' read -r id name; do
    opened=$(
      curl -sS --fail-with-body -G "$query/v1/devices/$id/readings" \
        -d fields=contact -d order=desc -d from=now-30d |
        TZ=$zone jq -r 'first(.items[] | select(.fields.contact == "open") | .time) // empty |
          sub("[.][0-9]+"; "") | fromdate | localtime | strftime("%F %T")'
    )
    printf '%s\t%s\n' "${opened:-not in 30 days}" "$name"
  done
