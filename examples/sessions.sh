#!/usr/bin/env bash
# Sessions that expire: one has expired, the other is extended by an hour. Prints the user of each session.
#   examples/sessions.sh [user]
set -euo pipefail
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
user=${1:-anna}

send() {
  curl -sS --fail-with-body -X "$1" -H "Content-Type: application/json" "$catalog$2" -d "$3" > /dev/null
}
in_seconds() {
  jq -nr --argjson more "$1" 'now + $more | todate'
}
session() {
  jq -nc --arg user "$1" --arg until "$2" '{attributes: {$user, $until}}'
}

send PUT /v1/types/Session '{
  "attributes": [{"name": "user", "kind": "text"}, {"name": "until", "kind": "instant"}],
  "expires": {"attribute": "until"}
}'
send PUT /v1/entities/Session/old "$(session "$user" "$(in_seconds -1)")"
send PUT /v1/entities/Session/new "$(session "$user" "$(in_seconds 60)")"
# Each request of the user extends the session.
send PATCH /v1/entities/Session/new "$(jq -nc --arg until "$(in_seconds 3600)" '{attributes: {$until}}')"

for id in old new; do
  curl -sS "$catalog/v1/entities/Session/$id" |
    jq -r --arg id "$id" '[$id, if .status == 404 then "logged out" else .attributes.user end] | @tsv'
done
