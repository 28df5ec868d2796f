#!/bin/sh
# Starts the service in its image.
set -eu

# The compiler only reads a cache that it could write; without one it compiles anew.
if [ -d /opt/kernels ] && [ ! -e "${NUMBA_CACHE_DIR}" ]; then
    cp -Rp /opt/kernels "${NUMBA_CACHE_DIR}" || echo "kernels are compiled anew" >&2
fi
exec gunicorn -c deploy/gunicorn.conf.py "service.app:create_app()"
