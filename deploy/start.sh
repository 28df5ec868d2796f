#!/bin/sh
# Start the service in the container.
set -eu

# Numba reads a kernel cache only from a writable folder, so copy the cache of the image.
if [ -d /opt/kernels ] && [ ! -e "${NUMBA_CACHE_DIR}" ]; then
    cp -Rp /opt/kernels "${NUMBA_CACHE_DIR}" || echo "the kernels will be compiled again" >&2
fi
# The packages of traces take memory and time, so they are visible only if traces are on.
if [ -n "${OTEL_EXPORTER_OTLP_ENDPOINT:-}" ]; then
    export PYTHONPATH=/opt/tracing
fi
exec gunicorn -c deploy/gunicorn.conf.py "service.app:create_app()"
