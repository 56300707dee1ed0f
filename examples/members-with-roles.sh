#!/usr/bin/env bash
# Changes the role of a club member, and prints the members of the club with their roles, and the clubs of the member.
#   examples/members-with-roles.sh [member] [role]
set -euo pipefail
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
member=${1:-anna}
role=${2:-treasurer}

send() {
  curl -sS --fail-with-body -X "$1" -H "Content-Type: application/json" "$catalog$2" -d "$3" > /dev/null
}

send PUT /v1/types/Person '{"attributes": [{"name": "name", "kind": "text"}]}'
send PUT /v1/types/Club '{
  "attributes": [{"name": "name", "kind": "text"}],
  "relations": [{
    "name": "members", "to": "Person", "many": true,
    "attributes": [{"name": "role", "kind": "text", "required": true}, {"name": "since", "kind": "instant"}]
  }]
}'
# Existing entities stay unchanged.
send POST /v1/entities '[
  {"type": "Person", "id": "anna", "attributes": {"name": "Anna"}},
  {"type": "Person", "id": "ben", "attributes": {"name": "Ben"}},
  {"type": "Club", "id": "chess", "attributes": {"name": "Chess club"}, "relations": {"members": [
    {"id": "anna", "attributes": {"role": "member", "since": "2024-04-01T00:00:00Z"}},
    {"id": "ben", "attributes": {"role": "chair", "since": "2020-01-01T00:00:00Z"}}
  ]}},
  {"type": "Club", "id": "go", "attributes": {"name": "Go club"}, "relations": {"members": [
    {"id": "anna", "attributes": {"role": "guest"}}
  ]}}
]'

# Attributes of the relation that the request does not name, such as `since`, stay unchanged.
send PATCH /v1/entities/Club/chess "$(
  jq -nc --arg id "$member" --arg role "$role" \
    '{relations: {members: {add: [{$id, attributes: {$role}}]}}}'
)"

curl -sS --fail-with-body -G "$catalog/v1/entities/Club/chess/related/Person" -d whole=true -d fields=name |
  jq -r '.items[] | [.entity.attributes.name, .attributes.members.role, (.attributes.members.since // "-")[:10]] | @tsv'
echo
curl -sS --fail-with-body -G "$catalog/v1/entities/Person/$(jq -rn --arg id "$member" '$id | @uri')/related" -d total=true |
  jq -r '"in \(.total) clubs", (.items[] | [.id, .attributes.members.role] | @tsv)'
