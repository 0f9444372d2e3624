#!/usr/bin/env bash
# Installs and starts svc-mock, waits for its ready line, and writes the outputs of the action.
set -euo pipefail
# The server's first line contains credentials. Other users of a self-hosted runner must not be able to read the file.
umask 077

folder="${RUNNER_TEMP:-/tmp}/svc-mock"
mkdir -p "$folder"
case "$SVC_MOCK_VERSION" in
  */*) package="$SVC_MOCK_VERSION" ;;
  *) package="@svc/mock-server@$SVC_MOCK_VERSION" ;;
esac
# The version can be the paths of several tarballs, separated by spaces. If `svc-mock` is already installed,
# set `SVC_MOCK_COMMAND` to its command. The script then installs nothing.
if [ -z "${SVC_MOCK_COMMAND:-}" ]; then
  # shellcheck disable=SC2086
  npm install --prefix "$folder" --no-audit --no-fund --loglevel=error $package >&2
  SVC_MOCK_COMMAND="node $folder/node_modules/@svc/mock-server/bin/svc-mock.js"
fi

# shellcheck disable=SC2086
nohup $SVC_MOCK_COMMAND start --port 0 --json $SVC_MOCK_ARGUMENTS >"$folder/ready.json" 2>"$folder/log.ndjson" &
echo "$!" >"$folder/pid"
for _ in $(seq 600); do
  if [ -s "$folder/ready.json" ]; then break; fi
  if ! kill -0 "$(cat "$folder/pid")" 2>/dev/null; then
    cat "$folder/log.ndjson" >&2
    exit 1
  fi
  sleep 0.1
done

# From here on, the runner masks these credentials in every log.
node -e '
  const fs = require("fs");
  const ready = JSON.parse(fs.readFileSync(process.argv[1], "utf8"));
  for (const { credential } of ready.credentials) console.log(`::add-mask::${credential}`);
  const key = ready.credentials.find(({ kind }) => kind === "api_key");
  const outputs = { url: ready.url, "control-url": ready.controlUrl, "api-key": key ? key.credential : "" };
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  fs.appendFileSync(process.argv[2], `${lines.join("")}credentials=${JSON.stringify(ready.credentials)}\n`);
' "$folder/ready.json" "$GITHUB_OUTPUT"
