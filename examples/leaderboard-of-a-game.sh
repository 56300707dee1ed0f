#!/usr/bin/env bash
# The leaderboard of a game after a player has scored; each game has its own leaderboard.
#   examples/leaderboard-of-a-game.sh [game] [player] [points]
set -euo pipefail
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
game=${1:-go}
player=${2:-ada}
points=${3:-42}

send() {
  curl -sS --fail-with-body -X "$1" -H "Content-Type: application/${4:-json}" "$catalog$2" -d "$3" > /dev/null
}

send PUT /v1/types/Game '{"attributes": [{"name": "name", "kind": "text"}]}'
send PUT /v1/types/Score '{
  "attributes": [{"name": "player", "kind": "text"}, {"name": "points", "kind": "number"}],
  "relations": [{"name": "game", "to": "Game"}],
  "rankings": [{"name": "byPoints", "attribute": "points", "within": "game"}]
}'
# Existing entities stay unchanged.
jq -nc --arg game "$game" --arg player "$player" '
  {type: "Game", id: $game, attributes: {name: $game}},
  ({ben: 30, cho: 20, dot: 20} + {($player): 0} | to_entries[] | {
    type: "Score", id: "\($game)-\(.key)",
    attributes: {player: .key, points: .value}, relations: {game: $game}
  })' |
  curl -sS --fail-with-body -H 'Content-Type: application/x-ndjson' --data-binary @- "$catalog/v1/entities" > /dev/null

id=$(jq -rn --arg id "$game-$player" '$id | @uri')
send PATCH "/v1/entities/Score/$id" "{\"attributes\": {\"points\": $points}}"

curl -sS --fail-with-body -G "$catalog/v1/rankings/Score/byPoints" --data-urlencode "within=$game" \
  -d limit=10 -d whole=true -d fields=player |
  jq -r '.items[] | [.rank, .entity.attributes.player, .value] | @tsv'
curl -sS --fail-with-body "$catalog/v1/rankings/Score/byPoints/$id?neighbours=0" |
  jq -r --arg player "$player" '"\($player) is number \(.rank) in \(.within)"'
