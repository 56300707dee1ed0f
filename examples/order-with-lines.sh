#!/usr/bin/env bash
# Places an order: the order, its lines and the stock of each product change atomically.
#   examples/order-with-lines.sh [order] [lamps] [chairs]
set -euo pipefail
catalog=${CATALOG_URL:-http://127.0.0.1:4004}
order=${1:-o1}
lamps=${2:-2}
chairs=${3:-1}

send() {
  curl -sS -X "$1" -H 'Content-Type: application/json' "$catalog$2" -d "$3"
}

send PUT /v1/types/Product '{"attributes": [{"name": "stock", "kind": "number"}]}' > /dev/null
send PUT /v1/types/Order '{"attributes": [{"name": "state", "kind": "text"}]}' > /dev/null
send PUT /v1/types/Line '{
  "attributes": [{"name": "count", "kind": "number"}],
  "relations": [{"name": "order", "to": "Order"}, {"name": "product", "to": "Product"}]
}' > /dev/null
# Existing entities stay unchanged.
send POST /v1/entities '[
  {"type": "Product", "id": "lamp", "attributes": {"stock": 5}},
  {"type": "Product", "id": "chair", "attributes": {"stock": 2}}
]' > /dev/null

operations=$(jq -n --arg order "$order" --argjson lamps "$lamps" --argjson chairs "$chairs" '
  def line($product; $count):
    {operation: "put", type: "Line", id: "\($order)-\($product)", attributes: {count: $count},
     relations: {order: $order, product: $product}},
    {operation: "patch", type: "Product", id: $product, attributes: {stock: {add: (-$count)}},
     conditions: {stock: {atLeast: $count}}};
  # The request can be repeated after a lost response: `ifNoneMatch` refuses it if the order exists.
  {operations: [
    {operation: "put", type: "Order", id: $order, attributes: {state: "open"}, ifNoneMatch: "*"},
    line("lamp"; $lamps), line("chair"; $chairs)
  ]}')
send POST /v1/transactions "$operations" |
  jq -r 'if .status then .detail else .items[] | select(.type == "Product") | [.id, "\(.entity.attributes.stock) left"] | @tsv end'
