#!/usr/bin/env bash
# Corrects a meter that was replaced and reported one spike: marks the counter reset, ignores the spike, and prints the increase
# and the corrections.
#   examples/correct-meter.sh <device> <field> <time of the reset> <time of the spike>
# Times are in UTC, such as 2026-11-20T08:30:00Z.
set -euo pipefail
device=${1:?name a device, such as meter-tanaka of npm start} field=${2:?name a field, such as energy}
reset=${3:?name the time of the reset} spike=${4:?name the time of the spike}
registry=${REGISTRY_URL:-http://127.0.0.1:4002} query=${QUERY_URL:-http://127.0.0.1:4003}
corrections=$registry/v1/devices/$device/corrections
curl -sf -o /dev/null "$registry/v1/devices/$device" || {
  echo "$registry has no device $device: run npm start, which has meter-tanaka, or name another" >&2
  exit 1
}

correct() { # <id> <JSON>: idempotent
  curl -sS --fail-with-body -o /dev/null -X PUT "$corrections/$1" -H 'content-type: application/json' -d "$2"
}

correct "reset-$reset" "$(jq -n --arg at "$reset" --arg field "$field" \
  '{operation: "reset", at: $at, fields: [$field], why: "the meter was replaced"}')"
correct "spike-$spike" "$(jq -n --arg from "$spike" --arg field "$field" \
  '{operation: "ignore", from: $from, to: ($from | fromdate + 1 | todate), fields: [$field], why: "a spike"}')"

sleep "${WAIT_SECONDS:-6}" # queries apply a correction within 5 seconds
curl -sS --fail-with-body -G "$query/v1/devices/$device/aggregates" \
  -d every=P1Y -d fn=increase -d "fields=$field" -d "from=$(jq -rn --arg reset "$reset" '$reset | fromdate - 86400 | todate')" |
  jq -r --arg field "$field" '["increase", ([.items[].fields[$field].increase // 0] | add)] | @tsv'
curl -sS --fail-with-body "$corrections" | jq -r '.items[] | [.operation, .at // .from, .why] | @tsv'
