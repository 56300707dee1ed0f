#!/usr/bin/env bash
# A house gets a second door: a relation to one becomes a relation to many, without downtime.
#   examples/second-door.sh [type of the houses] [type of the doors]
set -euo pipefail
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
house=${1:-House} door=${2:-Door}

send() { # method, path, body
  curl -sS --fail-with-body -X "$1" -H 'Content-Type: application/json' "$catalog/v1$2" -d "$3"
}
declare_house() { # true: a relation to many doors
  send PUT "/types/$house" "{
    \"attributes\": [{\"name\": \"name\", \"kind\": \"text\"}],
    \"relations\": [{\"name\": \"door\", \"to\": \"$door\", \"many\": $1}]
  }" > /dev/null
}
doors() { # label of the output
  curl -sS --fail-with-body "$catalog/v1/entities/$house/villa" |
    jq -r --arg when "$1" '[$when, (.relations.door | if type == "array" then .[] else . end)] | @tsv'
}

send PUT "/types/$door" '{"attributes": [{"name": "colour", "kind": "text"}]}' > /dev/null
declare_house false
for id in front back; do send PUT "/entities/$door/$id" '{}' > /dev/null; done
send PUT "/entities/$house/villa" '{"attributes": {"name": "Villa"}, "relations": {"door": "front"}}' > /dev/null
doors before

# After this response every read returns the relation as a list; stored items are rewritten in the background.
declare_house true
doors declared
send PATCH "/entities/$house/villa" '{"relations": {"door": {"add": ["back"]}}}' > /dev/null
doors added
curl -sS --fail-with-body "$catalog/v1/entities/$door/front/related/$house" |
  jq -r '["front leads to", .items[].id] | @tsv'

until curl -sS --fail-with-body "$catalog/v1/types/$house" | jq -e 'has("build") | not' > /dev/null; do sleep 1; done
doors built
