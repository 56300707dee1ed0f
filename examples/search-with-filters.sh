#!/usr/bin/env bash
# A list screen of songs, from the catalogue (`npm run catalog:load music` loads some): those since a year that have the words, the
# newest first, page by page; before them how many there are, and how many of each year.
#   examples/search-with-filters.sh [from year] [words]
set -euo pipefail
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
from=${1:-1900}
words=${2:-}

question=(-d type=Song --data-urlencode "filter=released>=$from" -d order=-released -d limit=4)
[ -z "$words" ] || question+=(--data-urlencode "q=$words")

answer=$(
  curl -sS --fail-with-body -G "$catalog/v1/search" "${question[@]}" \
    -d whole=true -d total=true -d facet=released
)
jq -r '"found\t\(.total)", (.facets[0].values[] | "in \(.value)\t\(.count)")' <<<"$answer"
while :; do
  jq -r '.items[].entity.attributes | "\(.released)\t\(.title)"' <<<"$answer"
  cursor=$(jq -r '.cursor // empty' <<<"$answer")
  [ -n "$cursor" ] || break
  answer=$(
    curl -sS --fail-with-body -G "$catalog/v1/search" "${question[@]}" -d whole=true \
      --data-urlencode "cursor=$cursor"
  )
done
