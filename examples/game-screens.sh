#!/usr/bin/env bash
# List screens of a game: the leaderboard with the names of the players, the leaderboard of a week, the place of one
# player, the player's friends, and whether two players are friends. Each is one request; its price is the line before
# its rows. The week may also be now (this week), or now-1w.
#   examples/game-screens.sh [game] [player] [other player] [week]
set -euo pipefail
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
game=${1:-shogi}
player=${2:-ren}
other=${3:-mia}
week=${4:-2026-W48}

send() {
  curl -sS --fail-with-body -X "$1" -H "Content-Type: application/${4:-json}" "$catalog$2" -d "$3" > /dev/null
}

send PUT /v1/types/BoardGame '{}'
send PUT /v1/types/Gamer '{
  "attributes": [{"name": "name", "kind": "text", "required": true}],
  "relations": [{
    "name": "friends", "to": "Gamer", "many": true, "attributes": [{"name": "since", "kind": "instant"}]
  }]
}'
send PUT /v1/types/Result '{
  "attributes": [{"name": "points", "kind": "number"}, {"name": "playedAt", "kind": "instant"}],
  "relations": [{"name": "game", "to": "BoardGame"}, {"name": "player", "to": "Gamer"}],
  "rankings": [
    {"name": "byPoints", "attribute": "points", "within": "game"},
    {
      "name": "byWeek", "attribute": "points", "within": "game",
      "period": {"attribute": "playedAt", "length": "P1W"}
    }
  ]
}'
# Existing entities stay unchanged. A result has the id of its player and game, so each player has one.
jq -nc --arg game "$game" '
  {type: "BoardGame", id: $game},
  ({ren: "蓮", mia: "Mia", tom: "Tom"} | to_entries[] | {
    type: "Gamer", id: .key, attributes: {name: .value},
    relations: {friends: (if .key == "ren" then [{id: "mia", attributes: {since: "2025-04-01T00:00:00Z"}}] else [] end)}
  }),
  ({ren: [20, 26], mia: [30, 25], tom: [20, 19]} | to_entries[] | {
    type: "Result", id: "\($game)-\(.key)",
    attributes: {points: .value[0], playedAt: "2026-11-\(.value[1])T20:00:00Z"}, relations: {game: $game, player: .key}
  })' |
  curl -sS --fail-with-body -H 'Content-Type: application/x-ndjson' --data-binary @- "$catalog/v1/entities" > /dev/null

uri() {
  jq -rn --arg text "$1" '$text | @uri'
}

# Prints the DynamoDB requests of a screen, then its rows.
screen() {
  local title=$1 path=$2 rows=$3 head body
  shift 3
  head=$(mktemp)
  body=$(curl -sS -D "$head" -G "$catalog$path" "$@")
  echo "$title: $(sed -n 's/^engawa-requests: *//Ip' "$head" | tr -d '\r' | grep . || echo none)"
  rm "$head"
  jq -r "$rows" <<< "$body"
}

# The index of the first ranking has the results themselves: a Query, and a BatchGetItem for the names of the players.
screen leaderboard /v1/rankings/Result/byPoints \
  '.items[] | [.rank, .entity.included.player.attributes.name, .value] | @tsv' \
  --data-urlencode "within=$game" -d limit=10 -d whole=true -d fields=points -d include=player.name

# The leaderboard of a week: a Query.
screen "week $week" /v1/rankings/Result/byWeek '.items[] | [.rank, .id, .value] | @tsv' \
  --data-urlencode "within=$game" --data-urlencode "period=$week" -d limit=10

# The place of a player: a GetItem, and a Query to count the results before it.
screen "place of $player" "/v1/rankings/Result/byPoints/$(uri "$game-$player")" '"number \(.rank)"' -d neighbours=0

# The friends of a player: a Query, and a BatchGetItem for their names.
screen "friends of $player" "/v1/entities/Gamer/$(uri "$player")/related/Gamer" \
  '.items[] | [.entity.attributes.name, .attributes.friends.since[:4]] | @tsv' \
  -d relation=friends -d direction=forward -d whole=true -d fields=name

# Whether two players are friends: one GetItem, however many friends they have.
screen "$player and $other" "/v1/entities/Gamer/$(uri "$player")/relations/friends/$(uri "$other")" \
  'if .status then .title else "since \(.attributes.since[:4])" end'
