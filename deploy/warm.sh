#!/bin/sh
# Compile rules and bots once and keep the machine code in SMALTI_CACHE_DIR, so that a new container plays at once:
#
#     SMALTI_CACHE_DIR=/var/cache/smalti sh deploy/warm.sh /opt/smalti
#
# With QUICK=1 only the sources are prepared.
set -eu
target=$1

# Machine code is known again by the age of its sources, and layers of images keep whole seconds only.
package=$("$target/bin/python" -c 'import importlib.util as u; print(u.find_spec("smalti").submodule_search_locations[0])')
find "$package" -name '*.py' -exec touch -d '2024-01-01T00:00:00Z' {} +
"$target/bin/python" -m compileall -q "$package"
if [ "${QUICK:-0}" = 0 ]; then
    "$target/bin/smalti" warm
fi
