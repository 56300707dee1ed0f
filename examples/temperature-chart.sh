#!/usr/bin/env bash
# Data for a chart of the last day: the temperature of each room of a house, in one request, with gaps filled.
#   examples/temperature-chart.sh [place] [points]
set -euo pipefail
place=${1:-tanaka} points=${2:-48}
query=${QUERY_URL:-http://127.0.0.1:4003} registry=${REGISTRY_URL:-http://127.0.0.1:4002}
curl -sf -o /dev/null "$registry/v1/places/$place" || {
  echo "$registry has no place $place: run npm start, which has the homes tanaka, smith and sato" >&2
  exit 1
}

curl -sS --fail-with-body -G "$query/v1/places/$place/aggregates" \
  -d from=now-24h -d "maxPoints=$points" -d groupBy=room -d fields=temperature \
  -d fn=timeWeightedMean,p95 -d fill=previous |
  jq -r '
    def degrees: if . == null then "-" else . * 10 | round / 10 end;
    ["room", "from", "mean", "p95"],
    (.items | sort_by(.room, .from)[] |
      [.room, .from] + (.fields.temperature | [.timeWeightedMean, .p95] | map(degrees)))
    | @tsv'
