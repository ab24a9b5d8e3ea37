#!/bin/sh
# Runs Podstead on the Node that npm installed with it, or else on the `node` in PATH.
root=$(dirname "$(dirname "$(readlink -f "$0")")")
for node in "$root"/node_modules/node-linux-*/bin/node "$root"/../node-linux-*/bin/node; do
  if [ -x "$node" ]; then exec "$node" -- "$root/server/src/start.js" "$@"; fi
done
if ! node -e 'process.exit(Number(process.versions.node.split(".")[0] < 24))'; then
  echo 'podstead: needs Node 24 or newer in PATH' >&2
  exit 1
fi
exec node -- "$root/server/src/start.js" "$@"
