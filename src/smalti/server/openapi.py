"""The documentation of the HTTP interface, from the same messages that are sent."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from fastapi import FastAPI, Response
from fastapi.openapi.utils import get_openapi

from smalti.server import bodies, messages

ADDRESS = "/api/openapi.json"
PLACE = "#/components/schemas/{name}"
DESCRIBED = (
    *(
        bodies.NewTable,
        bodies.Claim,
        bodies.Rename,
        bodies.Change,
        bodies.Again,
        bodies.Made,
        bodies.Problem,
    ),
    *(bodies.Subscribe, bodies.Unsubscribe, bodies.Subscribed),
    *(bodies.GameInfo, messages.Table, bodies.TableList, bodies.Replay, bodies.Step, bodies.WrongRecord),
    *(bodies.Lobby, bodies.Quick, bodies.Fill, bodies.Silence, bodies.Clear),
    *(bodies.Nonces, bodies.Fairness, bodies.Deal),
)


def schema(kind: Any) -> dict[str, Any]:
    """Return where a message is described."""
    found, _ = msgspec.json.schema_components([kind], ref_template=PLACE)
    return found[0]


def takes(kind: Any, what: str = "") -> dict[str, Any]:
    """Describe the body of a request."""
    content = {"content": {"application/json": {"schema": schema(kind)}}}
    return {"requestBody": {"required": True, **({"description": what} if what else {}), **content}}


def gives(kind: Any, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """Describe the answers to a request: what was asked for, or what is wrong."""
    content = {"content": {"application/json": {"schema": schema(kind)}}} if kind else {}
    wrong = {"description": "what is wrong", "content": {"application/json": {"schema": schema(bodies.Problem)}}}
    return {status: {"description": "done", **content}, "4XX": wrong, "5XX": wrong}


def document(app: FastAPI) -> None:
    """Let the app describe itself with our messages."""

    def described() -> dict[str, Any]:
        if not app.openapi_schema:
            found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            _, components = msgspec.json.schema_components(DESCRIBED, ref_template=PLACE)
            found.setdefault("components", {}).setdefault("schemas", {}).update(components)
            app.openapi_schema = found
        return app.openapi_schema

    @cache
    def written() -> bytes:
        return msgspec.json.encode(described())

    @app.get(ADDRESS, include_in_schema=False)
    async def show_document() -> Response:
        return Response(written(), media_type="application/json")

    app.openapi = described  # type: ignore[method-assign]
