#!/usr/bin/env bash
# Registers a user with a unique email address; an address of another user is refused. Then finds the owner.
#   examples/unique-email.sh <user> <email>
set -euo pipefail
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
user=${1:-ann}
email=${2:-Ann@example.org}

send() {
  curl -sS -X "$1" -H 'Content-Type: application/json' "$catalog$2" -d "$3"
}

# Unique values are compared byte by byte, so the address is converted to lower case.
send PUT /v1/types/Account '{
  "attributes": [
    {"name": "email", "kind": "text", "required": true, "unique": true},
    {"name": "emailAsTyped", "kind": "text"}
  ]
}' > /dev/null

send PUT "/v1/entities/Account/$(jq -rn --arg id "$user" '$id | @uri')" "$(
  jq -nc --arg email "$email" '{attributes: {email: ($email | ascii_downcase), emailAsTyped: $email}}'
)" | jq -r 'if .status == 409 then .errors[] | [.path, .message] else [.id, .attributes.email] end | @tsv'

curl -sS -G "$catalog/v1/unique/Account/email" --data-urlencode "value=$(jq -rn --arg email "$email" '$email | ascii_downcase')" |
  jq -r '["owner", .id] | @tsv'
