#!/usr/bin/env bash
# Sends a reading that starts a trace, and prints the trace id.
#   examples/trace-a-reading.sh [device] [temperature]
# Over MQTT 5: mosquitto_pub -V mqttv5 -D publish user-property traceparent "00-…-…-01" -t engawa/DEVICE/readings -m …
set -euo pipefail
device=${1:-lamp} temperature=${2:-21.5}
ingestion=${INGESTION_URL:-http://127.0.0.1:4001}

hex() { od -An -v -N "$1" -tx1 /dev/urandom | tr -d ' \n'; }
trace=$(hex 16)

curl -sS --fail-with-body -o /dev/null "$ingestion/v1/readings?device=$(jq -rn --arg id "$device" '$id | @uri')" \
  -H "traceparent: 00-$trace-$(hex 8)-01" \
  --json "{\"temperature\": $temperature}"
echo "$trace"
