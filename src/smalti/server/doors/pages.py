"""The built pages: files with a hash in their name for ever, and the one page that opens every address of ours."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.responses import FileResponse, HTMLResponse
from starlette.staticfiles import StaticFiles

from smalti.server.built_pages import BUILT
from smalti.server.problems import Problem

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
OFF = (
    *("accelerometer", "browsing-topics", "camera"),
    *("display-capture", "encrypted-media", "fullscreen", "gamepad", "geolocation", "gyroscope", "hid"),
    *("identity-credentials-get", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment"),
    *("picture-in-picture", "publickey-credentials-get", "screen-wake-lock", "serial", "storage-access", "usb"),
    *("window-management", "xr-spatial-tracking"),
)  # whatever browsers can do that no page of ours needs; copying, sharing and sounds are not among it
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # links hold keys
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": ", ".join(f"{feature}=()" for feature in OFF),
}
HTTPS = {"strict-transport-security": "max-age=31536000"}
FOR_OTHERS = {"cross-origin-resource-policy": "cross-origin"}  # what other sites show of ours

# The addresses that the pages know (web/src/frame/routes.ts), by how many parts they have.
KNOWN = (
    frozenset({""}),
    frozenset({"lobby", "archive", "import", "about", "fairness"}),
    frozenset({"new", "table", "game", "g"}),
    frozenset({"deal", "join", "watch", "g", "continue"}),
)
# What programs ask for, and those who look for holes: they get no page.
MACHINES = re.compile(
    r"(?:api|healthz?|livez?|readyz?|status|metrics|ping)(?:/.*)?|.*\.(?:php|aspx?|cgi|env)/?|(?:.*/)?\..*"
)


class ForEver(StaticFiles):
    """Files whose name changes with their contents."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        """Let browsers keep them."""
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


def status_of(address: str) -> int:
    """Return 200 for the addresses that the pages know, else 404; those of machines are refused."""
    if MACHINES.fullmatch(address.lower().lstrip("/")):
        raise Problem("address")
    parts = [part for part in address.split("/") if part]
    first = parts[0] if parts else ""
    return 200 if len(parts) < len(KNOWN) and first in KNOWN[len(parts)] else 404


def add_pages(app: FastAPI, page: str, built: Path = BUILT) -> None:
    """Serve the built pages; at an address that they do not know they say so themselves."""
    app.mount("/assets", ForEver(directory=built / "assets"))
    files = {file.name for file in built.iterdir() if file.is_file() and file.name != "index.html"}

    @app.get("/{address:path}", include_in_schema=False)
    async def open_page(request: Request, address: str) -> Response:
        if address in files:
            return FileResponse(built / address, headers=HEADERS)
        return HTMLResponse(page, status_of(address), {**HEADERS, "cache-control": "no-cache"})
