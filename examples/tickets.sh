#!/usr/bin/env bash
# Sells tickets, never more than the stock: the catalog decrements it atomically, even if several shops sell concurrently.
#   examples/tickets.sh [tickets] [buyer …]
set -euo pipefail
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
tickets=${1:-2}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- anna ben carla

send() {
  curl -sS -X "$1" -H 'Content-Type: application/json' "$catalog$2" -d "$3"
}

send PUT /v1/types/Event '{
  "attributes": [
    {"name": "stock", "kind": "number"}, {"name": "buyers", "kind": "set"}, {"name": "place", "kind": "map"}
  ],
  "searches": [{"name": "byBuyer", "parts": [{"attribute": "buyers"}]}]
}' > /dev/null
send PUT /v1/entities/Event/concert "{
  \"attributes\": {\"stock\": $tickets, \"buyers\": [], \"place\": {\"hall\": \"Blue\", \"doors\": [\"A\", null]}}
}" > /dev/null

for buyer in "$@"; do
  change=$(jq -n --arg buyer "$buyer" '{
    attributes: {stock: {add: -1}, buyers: {append: [$buyer]}},
    conditions: {stock: {atLeast: 1}}
  }')
  send PATCH /v1/entities/Event/concert "$change" |
    jq -r --arg buyer "$buyer" '[$buyer, if .status == 409 then "sold out" else "\(.attributes.stock) left" end] | @tsv'
done
