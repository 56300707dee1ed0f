#!/usr/bin/env bash
# The temperature of a room per day for a week, from all sensors that were in the room.
#   examples/room-temperature.sh [place] [room] [time zone]
set -euo pipefail
place=${1:-tanaka} room=${2:-living} zone=${3:-Asia/Tokyo}
query=${QUERY_URL:-http://127.0.0.1:4003} registry=${REGISTRY_URL:-http://127.0.0.1:4002}
curl -sf -o /dev/null "$registry/v1/places/$place" || {
  echo "$registry has no place $place: run npm start, which has the homes tanaka, smith and sato" >&2
  exit 1
}

curl -sS --fail-with-body -G "$query/v1/rooms/$place/$room/aggregates" \
  -d every=P1D -d fn=min,avg,max -d fields=temperature \
  --data-urlencode "timeZone=$zone" \
  -d "from=$(TZ=$zone jq -rn 'now - 6 * 86400 | localtime | strftime("%F")')" |
  jq -r '
    def degrees: if . == null then "-" else . * 10 | round / 10 end;
    ["day", "min", "avg", "max"],
    (.items[] | [.localFrom[:10], (.fields.temperature | (.min, .avg, .max) | degrees)])
    | @tsv'
