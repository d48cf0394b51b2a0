#!/bin/sh
# Make the user that the server runs as, and the folders that are theirs.
set -eu
useradd --system --no-create-home --home-dir /var/lib/smalti --shell /usr/sbin/nologin smalti
for folder in "$SMALTI_DATA_DIR" "$SMALTI_CACHE_DIR"; do
    mkdir -p "$folder"
    chown smalti:smalti "$folder"
    chmod 700 "$folder"
done
