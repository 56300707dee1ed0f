#!/usr/bin/env bash
# Makes the Dockerfile's base image where no image registry can be reached: a minimal Debian, and Node 24 with npm out of the
# npm registry. Takes a minute, and needs root, debootstrap and a Docker engine.
#   tools/image/base-image.sh [TAG]
set -euo pipefail
tag=${1:-node:24-bookworm-slim}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$folder/root
certificates=/etc/ssl/certs/ca-certificates.crt

echo "making $tag …"
mirror=$(awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/debian.sources 2>/dev/null || true)
debootstrap --variant=minbase --include=ca-certificates bookworm "$root" ${mirror:+"$mirror"} >"$folder/log" 2>&1 ||
  { tail -n 20 "$folder/log" >&2; exit 1; }

npm install --prefix "$folder/node" --silent --no-save node@24 npm@11
install -D -m 755 "$folder/node/node_modules/node/bin/node" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules"
cp -r "$folder/node/node_modules/npm" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
echo 'node:x:1000:' >>"$root/etc/group"
echo 'node:x:1000:1000::/home/node:/bin/sh' >>"$root/etc/passwd"
# A build trusts whom this machine trusts, such as the proxy through which it reaches the npm registry.
cp "$certificates" "$root$certificates"

tar -C "$root" -c . | docker import --change "ENV NODE_EXTRA_CA_CERTS=$certificates" --change 'CMD ["node"]' - "$tag" >/dev/null
docker run --rm "$tag" node --version
