#!/usr/bin/env bash
# Labels the devices of a room, then lists all active devices with the label, in all rooms and homes.
#   examples/devices-by-label.sh [place] [room] [label]
set -euo pipefail
place=${1:-tanaka} room=${2:-living} label=${3:-floor=1}
registry=${REGISTRY_URL:-http://127.0.0.1:4002}
curl -sf -o /dev/null "$registry/v1/places/$place" || {
  echo "$registry has no place $place: run npm start, which has the homes tanaka, smith and sato" >&2
  exit 1
}

curl -sS --fail-with-body -G "$registry/v1/devices" \
  --data-urlencode "place=$place" --data-urlencode "room=$room" -d limit=1000 |
  jq -r '.items[].id | @uri' |
  while read -r id; do
    # A merge patch: other labels of the device stay as they are.
    jq -n --arg key "${label%%=*}" --arg value "${label#*=}" '{labels: {($key): $value}}' |
      curl -sS --fail-with-body -o /dev/null -X PATCH "$registry/v1/devices/$id" \
        -H 'Content-Type: application/merge-patch+json' --data-binary @-
  done

curl -sS --fail-with-body -G "$registry/v1/devices" \
  --data-urlencode "label=$label" -d status=active -d order=-lastSeen |
  jq -r '.items[] | [.name, .place // "-", .room // "-"] | @tsv'
