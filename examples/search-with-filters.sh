#!/usr/bin/env bash
# A list screen of songs (load them with `npm run catalog:load music`): songs since a year with the given words, the newest first,
# page by page, after their total number and the number per year.
#   examples/search-with-filters.sh [from year] [words]
set -euo pipefail
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
curl -sf -o /dev/null "$catalog/v1/types/Song" || {
  echo "$catalog has no songs: run npm run catalog:load music" >&2
  exit 1
}
from=${1:-1900}
words=${2:-}

parameters=(-d type=Song --data-urlencode "filter=released>=$from" -d order=-released -d limit=4)
[ -z "$words" ] || parameters+=(--data-urlencode "q=$words")

response=$(
  curl -sS --fail-with-body -G "$catalog/v1/search" "${parameters[@]}" \
    -d whole=true -d total=true -d facet=released
)
jq -r '"found\t\(.total)", (.facets[0].values[] | "in \(.value)\t\(.count)")' <<<"$response"
while :; do
  jq -r '.items[].entity.attributes | "\(.released)\t\(.title)"' <<<"$response"
  cursor=$(jq -r '.cursor // empty' <<<"$response")
  [ -n "$cursor" ] || break
  response=$(
    curl -sS --fail-with-body -G "$catalog/v1/search" "${parameters[@]}" -d whole=true \
      --data-urlencode "cursor=$cursor"
  )
done
