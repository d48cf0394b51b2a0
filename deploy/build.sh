#!/bin/sh
# Build the pages and install the server, at the versions of uv.lock, into an environment of its own:
#
#     sh deploy/build.sh FOLDER
#
# Needs Python with pip and the internet; everything else is fetched into .dev/ and .venv/.
set -eu
cd "$(dirname "$0")/.."
target=$1

python3 dev.py pages
uv=$(python3 -c 'import dev; print(dev.uv())')
# Copied, not linked: warm.sh changes the files' times, and uv's store is not ours.
UV_PROJECT_ENVIRONMENT=$target UV_LINK_MODE=copy "$uv" sync --quiet --frozen --no-editable --no-default-groups \
    --extra grown --python "$(command -v python3)"
"$target/bin/python" -c 'import smalti; print("smalti", smalti.__version__)'
