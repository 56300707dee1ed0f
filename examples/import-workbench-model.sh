#!/usr/bin/env bash
# Imports a model of NoSQL Workbench for DynamoDB into the catalog: each facet becomes a type, its sample data entities, its
# indexes searches. Prints the parts that cannot be imported, and then runs one of the searches.
#   examples/import-workbench-model.sh <model file> <type> <search> [value of its first part]
set -euo pipefail
root=$(dirname "$0")/..
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
file=${1:?name a model file}
type=${2:?name a type, which is a facet of the file}
search=${3:?name a search, which is an index of the file, or byKey}

"$root/node_modules/node/bin/node" "$root/apps/catalog/src/model-command/main.ts" \
  import "$(realpath "$file")" | { grep '^left out' >&2 || true; }
curl -sS --fail-with-body -G "$catalog/v1/search/$(jq -rn --arg name "$type" '$name | @uri')/$(
  jq -rn --arg name "$search" '$name | @uri'
)" ${4:+--data-urlencode "eq=$4"} -d whole=true |
  jq -r '.items[] | [.id, (.attributes | tojson)] | @tsv'
