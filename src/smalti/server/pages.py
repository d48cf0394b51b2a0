"""The built pages: files with a hash in their name for ever, and the one page that opens every address."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.responses import FileResponse, HTMLResponse
from starlette.staticfiles import StaticFiles

from smalti.engine.errors import BadInput

BUILT = Path(__file__).parent / "pages"
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
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # links hold keys
    "cross-origin-opener-policy": "same-origin",
}


class ForEver(StaticFiles):
    """Files whose name changes with their contents."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        """Let browsers keep them."""
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


def page_of(built: Path = BUILT) -> str:
    """Return the one page that opens every address."""
    index = built / "index.html"
    if not index.exists():
        raise BadInput(f"the pages are not built: {index} is missing; `python3 dev.py play` builds them")
    return index.read_text(encoding="utf-8")


def add_pages(app: FastAPI, page: str, built: Path = BUILT) -> None:
    """Serve the built pages, whatever address is opened."""
    app.mount("/assets", ForEver(directory=built / "assets"))
    files = {file.name for file in built.iterdir() if file.is_file() and file.name != "index.html"}

    @app.get("/{address:path}", include_in_schema=False)
    async def open_page(request: Request, address: str) -> Response:
        if address in files:
            return FileResponse(built / address, headers=HEADERS)
        return HTMLResponse(page, headers={**HEADERS, "cache-control": "no-cache"})
