#!/usr/bin/env bash
# Makes the certificates of the tests anew: two authorities, a server and a client of the first. Valid for a hundred
# years, for localhost alone, and worth nothing: the keys are public.
set -euo pipefail
cd "$(dirname "$0")"
for ca in ca other-ca; do
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj "/CN=tierce test $ca" \
        -keyout "$ca.key" -out "$ca.pem"
done
for name in server client; do
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$name" -keyout "$name.key" -out "$name.csr"
    openssl x509 -req -in "$name.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 36500 -out "$name.pem" \
        -extfile <(printf 'subjectAltName=DNS:localhost,IP:127.0.0.1')
done
rm -f ./*.csr ./*.srl ca.key other-ca.key
