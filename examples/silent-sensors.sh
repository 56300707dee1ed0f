#!/usr/bin/env bash
# Sensors that have been silent for an hour, the longest silence first.
#   examples/silent-sensors.sh [duration]
set -euo pipefail
registry=${REGISTRY_URL:-http://127.0.0.1:4002}

curl -sS --fail-with-body -G "$registry/v1/devices" -d "silentFor=${1:-PT1H}" |
  jq -r '.items[] | [.lastSeenAt, .name] | @tsv'
