#!/usr/bin/env bash
# run.sh [COMMAND…]: runs a command with Amazon's DynamoDB Local in TEST_DYNAMODB_ENDPOINT, by default the tests of
# jest.config.cjs. Needs Java 17 and Maven, which fetches it (60 MB, once).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lib=${XDG_CACHE_HOME:-$HOME/.cache}/engawa/dynamodb-local
log=$(mktemp)
server=
end() {
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  rm -f "$log"
}
trap end EXIT

for program in java mvn; do
  command -v "$program" >/dev/null || { echo "DynamoDB Local needs Java 17 and Maven: there is no $program" >&2; exit 1; }
done
if [ ! "$lib/complete" -nt "$here/pom.xml" ]; then
  echo 'fetching DynamoDB Local …'
  mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$lib"
  touch "$lib/complete"
fi
[ $# -gt 0 ] || set -- npx jest -c "$here/jest.config.cjs"

port=$(node -e "const s = require('node:net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close(); })")
java -Xmx1g "-Dsqlite4java.library.path=$lib" -cp "$lib/*" com.amazonaws.services.dynamodbv2.local.main.ServerRunner \
  -port "$port" -inMemory -sharedDb -disableTelemetry >"$log" 2>&1 &
server=$!
until curl -s -o /dev/null "http://127.0.0.1:$port"; do
  kill -0 "$server" 2>/dev/null || { tail -n 20 "$log" >&2; echo 'DynamoDB Local has ended' >&2; exit 1; }
  sleep 0.5
done
TEST_DYNAMODB_ENDPOINT=http://127.0.0.1:$port "$@"
