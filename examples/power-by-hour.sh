#!/usr/bin/env bash
# The power of a house per hour in watts: yesterday and today.
#   examples/power-by-hour.sh [place] [time zone]
set -euo pipefail
place=${1:-tanaka} zone=${2:-Asia/Tokyo}
query=${QUERY_URL:-http://127.0.0.1:4003} registry=${REGISTRY_URL:-http://127.0.0.1:4002}
curl -sf -o /dev/null "$registry/v1/places/$place" || {
  echo "$registry has no place $place: run npm start, which has the homes tanaka, smith and sato" >&2
  exit 1
}

curl -sS --fail-with-body -G "$query/v1/places/$place/aggregates" \
  -d every=PT1H -d fn=avg -d fields=power \
  --data-urlencode "timeZone=$zone" -d "from=$(TZ=$zone jq -rn 'now - 86400 | localtime | strftime("%F")')" |
  jq -r --arg today "$(TZ=$zone date +%F)" '
    def watts: if . == null then "-" else round end;
    ["hour", "yesterday", "today"],
    (.items | group_by(.localFrom[11:13])[] |
      [.[0].localFrom[11:13],
       (map(select(.localFrom[:10] != $today))[0].fields.power.avg | watts),
       (map(select(.localFrom[:10] == $today))[0].fields.power.avg | watts)])
    | @tsv'
