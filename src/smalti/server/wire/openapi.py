"""The documentation of the HTTP interface, from the same messages that are sent."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from fastapi import FastAPI, Response
from fastapi.openapi.utils import get_openapi

from smalti.server.wire import http

ADDRESS = "/api/openapi.json"
PLACE = "#/components/schemas/{name}"
DESCRIBED: dict[str, Any] = {}  # what the routes refer to, from their declarations


def schema(kind: Any) -> dict[str, Any]:
    """Describe a message with all it is made of, and return where."""
    found, components = msgspec.json.schema_components([kind], ref_template=PLACE)
    DESCRIBED.update(components)
    return found[0]


def takes(kind: Any, what: str = "") -> dict[str, Any]:
    """Describe the body of a request."""
    content = {"content": {"application/json": {"schema": schema(kind)}}}
    return {"requestBody": {"required": True, **({"description": what} if what else {}), **content}}


def gives(kind: Any, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """Describe the answers to a request: what was asked for, or what is wrong."""
    content = {"content": {"application/json": {"schema": schema(kind)}}} if kind else {}
    wrong = {"description": "what is wrong", "content": {"application/json": {"schema": schema(http.Problem)}}}
    return {status: {"description": "done", **content}, "4XX": wrong, "5XX": wrong}


def document(app: FastAPI) -> None:
    """Let the app describe itself with our messages."""

    def described() -> dict[str, Any]:
        if not app.openapi_schema:
            found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            found.setdefault("components", {}).setdefault("schemas", {}).update(DESCRIBED)
            app.openapi_schema = found
        return app.openapi_schema

    @cache
    def encoded() -> bytes:
        return msgspec.json.encode(described())

    @app.get(ADDRESS, include_in_schema=False)
    async def show_document() -> Response:
        return Response(encoded(), media_type="application/json")

    app.openapi = described  # type: ignore[method-assign]
