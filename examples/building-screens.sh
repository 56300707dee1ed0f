#!/usr/bin/env bash
# List screens of a building: maintenance contracts that end soon, the equipment of a room, and whether a technician may
# enter. Each is one request; its price is the line before its rows.
#   examples/building-screens.sh [room] [technician]
set -euo pipefail
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
room=${1:-machine-room}
technician=${2:-sato}

send() {
  curl -sS --fail-with-body -X "$1" -H "Content-Type: application/${4:-json}" "$catalog$2" -d "$3" > /dev/null
}

send PUT /v1/types/Technician '{"attributes": [{"name": "name", "kind": "text"}]}'
send PUT /v1/types/Room '{
  "attributes": [{"name": "name", "kind": "text"}],
  "relations": [{
    "name": "admits", "to": "Technician", "many": true, "attributes": [{"name": "until", "kind": "instant"}]
  }]
}'
send PUT /v1/types/Equipment '{
  "attributes": [{"name": "name", "kind": "text"}, {"name": "installed", "kind": "instant"}],
  "relations": [{"name": "room", "to": "Room"}]
}'
send PUT /v1/types/Contract '{
  "attributes": [{"name": "ends", "kind": "instant"}, {"name": "company", "kind": "text"}],
  "relations": [{"name": "equipment", "to": "Equipment"}],
  "searches": [{"name": "byEnd", "parts": [{"attribute": "ends"}]}]
}'
# Existing entities stay unchanged.
curl -sS --fail-with-body -H 'Content-Type: application/json' "$catalog/v1/entities" -d '[
  {"type": "Technician", "id": "sato", "attributes": {"name": "佐藤"}},
  {"type": "Technician", "id": "kelly", "attributes": {"name": "Kelly"}},
  {"type": "Room", "id": "machine-room", "attributes": {"name": "Machine room"},
   "relations": {"admits": [{"id": "sato", "attributes": {"until": "2027-03-31T00:00:00Z"}}]}},
  {"type": "Room", "id": "roof", "attributes": {"name": "Roof"}},
  {"type": "Equipment", "id": "boiler", "attributes": {"name": "Boiler"}, "relations": {"room": "machine-room"}},
  {"type": "Equipment", "id": "pump", "attributes": {"name": "Pump"}, "relations": {"room": "machine-room"}},
  {"type": "Equipment", "id": "chiller", "attributes": {"name": "Chiller"}, "relations": {"room": "roof"}},
  {"type": "Contract", "id": "c1", "attributes": {"ends": "2026-12-31T00:00:00Z", "company": "Kansai Boilers"},
   "relations": {"equipment": "boiler"}},
  {"type": "Contract", "id": "c2", "attributes": {"ends": "2027-01-31T00:00:00Z", "company": "Cool Ltd"},
   "relations": {"equipment": "chiller"}},
  {"type": "Contract", "id": "c3", "attributes": {"ends": "2029-01-31T00:00:00Z", "company": "Pumps & Co"},
   "relations": {"equipment": "pump"}}
]' > /dev/null

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

# Contracts by their end, with the names of the equipment: a Query, and a BatchGetItem each for contracts and names.
screen contracts /v1/search/Contract/byEnd '
  .items[] | [.attributes.ends[:10], .attributes.company, .included.equipment.attributes.name] | @tsv' \
  -d from=2026-12-01 -d to=2027-12-31 -d whole=true -d fields=ends -d fields=company -d include=equipment.name

# The equipment of a room: a Query, and a BatchGetItem for its names.
screen "equipment of $room" "/v1/entities/Room/$(uri "$room")/related/Equipment" \
  '.items[] | [.id, .entity.attributes.name] | @tsv' -d whole=true -d fields=name

# Whether the room admits the technician, and until when: one GetItem, however many people it admits.
screen "$technician in $room" "/v1/entities/Room/$(uri "$room")/relations/admits/$(uri "$technician")" \
  'if .status then .title else "until \(.attributes.until[:10])" end'
