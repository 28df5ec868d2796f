#!/bin/sh
# Print new secrets: sh deploy/new_secrets.sh > deploy/.env
# CACHE_KEY signs the values in the cache; CACHE_PASSWORD is the password of the cache.
set -eu
secret() { od -An -tx1 -N32 /dev/urandom | tr -d ' \n'; }
printf 'CACHE_KEY=%s\nCACHE_PASSWORD=%s\n' "$(secret)" "$(secret)"
