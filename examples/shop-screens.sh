#!/usr/bin/env bash
# Three list screens of a shop, in English or Japanese. Each is one request; its price is the line before its rows.
#   examples/shop-screens.sh [en|ja] [words] [customer]
set -euo pipefail
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
language=${1:-en}
words=${2:-lamp}
customer=${3:-anna}

send() {
  curl -sS --fail-with-body -X "$1" -H "Content-Type: application/${4:-json}" "$catalog$2" -d "$3" > /dev/null
}

send PUT /v1/types/ShopCustomer '{"attributes": [{"name": "name", "kind": "text", "required": true}]}'
send PUT /v1/types/ShopProduct '{
  "attributes": [
    {"name": "en", "kind": "text", "required": true}, {"name": "ja", "kind": "text", "required": true},
    {"name": "price", "kind": "number"}, {"name": "room", "kind": "text"}
  ],
  "fullText": ["en", "ja"],
  "filters": [{"attribute": "price"}, {"attribute": "room"}]
}'
send PUT /v1/types/ShopOrder '{
  "attributes": [{"name": "orderedAt", "kind": "instant", "required": true}, {"name": "total", "kind": "number"}],
  "relations": [{"name": "customer", "to": "ShopCustomer"}, {"name": "product", "to": "ShopProduct"}],
  "searches": [
    {"name": "byTime", "parts": [{"attribute": "orderedAt"}]},
    {"name": "byCustomer", "parts": [{"relation": "customer"}, {"attribute": "orderedAt"}]}
  ]
}'
# Existing entities stay unchanged.
jq -nc '
  ({anna: "Anna Schmidt", ken: "健・斎藤"} | to_entries[] |
    {type: "ShopCustomer", id: .key, attributes: {name: .value}}),
  ([
    ["desk-lamp", "Desk lamp", "デスクランプ", 4200, "study"],
    ["floor-lamp", "Floor lamp", "フロアランプ", 9800, "living"],
    ["tea-table", "Tea table", "ちゃぶ台", 15000, "living"]
  ][] | {type: "ShopProduct", id: .[0], attributes: {en: .[1], ja: .[2], price: .[3], room: .[4]}}),
  ([
    ["1", "anna", "desk-lamp", "2026-11-01", 4200],
    ["2", "ken", "tea-table", "2026-11-02", 15000],
    ["3", "anna", "floor-lamp", "2026-11-03", 9800]
  ][] | {
    type: "ShopOrder", id: .[0], attributes: {orderedAt: "\(.[3])T00:00:00Z", total: .[4]},
    relations: {customer: .[1], product: .[2]}
  })' |
  curl -sS --fail-with-body -H 'Content-Type: application/x-ndjson' --data-binary @- "$catalog/v1/entities" > /dev/null

# Prints the DynamoDB requests of a screen, then its rows.
screen() {
  local title=$1 path=$2 rows=$3 head body
  shift 3
  head=$(mktemp)
  body=$(curl -sS --fail-with-body -D "$head" -G "$catalog$path" "$@")
  echo "$title: $(sed -n 's/^engawa-requests: *//Ip' "$head" | tr -d '\r' | grep . || echo none)"
  rm "$head"
  jq -r --arg language "$language" "$rows" <<< "$body"
}

# Words in either language: the text index takes no request, the products one BatchGetItem.
screen products /v1/search '
  (.facets[0].values[] | "\(.value)\t\(.count)"),
  (.items[].entity.attributes | "\(.[$language])\t\(.price)")' \
  -d type=ShopProduct --data-urlencode "q=$words" -d order=price -d facet=room -d whole=true

# The newest orders, with the names of customers and products: a Query, and a BatchGetItem each for orders and names.
screen orders /v1/search/ShopOrder/byTime '
  .items[] | [.id, .included.customer.attributes.name, .included.product.attributes[$language]] | @tsv' \
  -d order=descending -d limit=20 -d whole=true -d include=customer.name -d "include=product.$language"

# The orders of one customer since a day, the oldest first: without whole entities, the Query is all.
screen "orders of $customer" /v1/search/ShopOrder/byCustomer '.items[] | [.id, .values.orderedAt[:10]] | @tsv' \
  --data-urlencode "eq=$customer" -d from=2026-11-01
