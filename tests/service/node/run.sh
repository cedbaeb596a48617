#!/usr/bin/env bash
# Runs client.js against a server of its own, and checks what it prints. Needs `tierce`, node and the packages it names.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
out=$(mktemp)
tierce serve --listen 127.0.0.1:0 --log nothing >"$out" &
server=$!
trap 'kill "$server"; rm -f "$out"' EXIT
for _ in $(seq 100); do
    grep -q listening "$out" && break
    sleep 0.1
done
told=$(node tests/service/node/client.js "$(sed -n 's/listening on //p' "$out")" | sort)
printf '%s\n' "$told"
expected='best: H 9
floor {"D":1,"E":0,"M":2} surplus 1
hint: card E of several
refused: expected a trump S, H, D, C or N, found '"'X'"
# Which of the best discards is not settled, and which card is best is no matter of a client.
[[ $(sed 's/^\(best: H 9\) .*/\1/; s/^\(hint: .* several\) .*/\1/' <<<"$told") == "$expected" ]]
