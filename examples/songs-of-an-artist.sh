#!/usr/bin/env bash
# The songs of an artist by year, from the catalog (load them with `npm run catalog:load music`).
#   examples/songs-of-an-artist.sh [name] [from year] [to year]
set -euo pipefail
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
curl -sf -o /dev/null "$catalog/v1/types/Song" || {
  echo "$catalog has no songs: run npm run catalog:load music" >&2
  exit 1
}
name=${1:-David Bowie}

id=$(
  curl -sS --fail-with-body -G "$catalog/v1/search/Artist/byName" --data-urlencode "eq=$name" |
    jq -r 'first(.items[].id) // empty'
)
if [ -z "$id" ]; then
  echo "there is no artist called $name" >&2
  exit 1
fi
curl -sS --fail-with-body -G "$catalog/v1/search/Song/byArtistAndYear" --data-urlencode "eq=$id" \
  -d whole=true ${2:+-d "from=$2"} ${3:+-d "to=$3"} |
  jq -r '.items[] | [.attributes.released, .attributes.title] | @tsv'
