#!/usr/bin/env bash
# Sensors that have been silent for an hour, the longest silence first.
#   examples/silent-sensors.sh [duration]
set -euo pipefail
registry=${REGISTRY_URL:-http://127.0.0.1:4002}
[ "$(curl -sf "$registry/v1/devices?limit=1" | jq '.items | length')" = 1 ] || {
  echo "$registry has no devices: run npm start, which has three homes" >&2
  exit 1
}

curl -sS --fail-with-body -G "$registry/v1/devices" -d "silentFor=${1:-PT1H}" |
  jq -r '.items[] | [.lastSeenAt, .name] | @tsv'
