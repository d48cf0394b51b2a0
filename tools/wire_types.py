"""Write web/src/api/wire.ts: the messages of the wire and the views of the games as TypeScript types.

python tools/wire_types.py           writes the file
python tools/wire_types.py --check   says whether it is up to date, exit code 1 if not
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from smalti import games
from smalti.server import bodies, messages
from smalti.server.problems import PROBLEMS

FILE = Path(__file__).resolve().parent.parent / "web" / "src" / "api" / "wire.ts"
HEAD = "// Written by tools/wire_types.py from the server's messages and the games' views. Do not edit.\n"
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def type_of(schema: dict[str, Any]) -> str:
    """Return the TypeScript type of a JSON schema."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(part) for part in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return f"readonly {wrapped(type_of(schema.get('items') or {}))}[]"
    if kind == "object":
        return f"Readonly<Record<string, {type_of(schema.get('additionalProperties') or {})}>>"
    return SIMPLE.get(str(kind), "unknown")


def wrapped(text: str) -> str:
    """Put a type into brackets where `[]` behind it would mean something else."""
    return f"({text})" if "|" in text or text.startswith("readonly ") else text


def interface(name: str, schema: dict[str, Any], required_only: bool) -> str:
    """Return one type with its fields."""
    needed = set(schema.get("required", ()))
    lines = [f"/** {' '.join(schema['description'].split())} */"] if schema.get("description") else []
    lines.append(f"export interface {name} {{")
    for field, inside in schema["properties"].items():
        optional = "?" if required_only and field not in needed else ""
        lines.append(f"  readonly {field}{optional}: {type_of(inside)};")
    return "\n".join([*lines, "}"])


def interfaces(types: list[type], prefix: str, required_only: bool = False) -> dict[str, str]:
    """Return the TypeScript of these types and all they refer to; what a page sends may leave out defaults."""
    _, components = msgspec.json.schema_components(types, ref_template=f"{prefix}{{name}}")
    return {name: interface(prefix + name, schema, required_only) for name, schema in sorted(components.items())}


def union(name: str, members: Any) -> str:
    """Return a named union."""
    return f"export type {name} = {' | '.join(member.__name__ for member in members.__args__)};"


SENT = [
    *messages.FromPage.__args__,
    bodies.NewTable,
    bodies.Claim,
    bodies.Rename,
    bodies.Change,
    bodies.Again,
    *(bodies.Quick, bodies.Fill),
    *(bodies.Silence, bodies.Clear),
    bodies.Nonces,
    *(bodies.Subscribe, bodies.Unsubscribe),
]
RECEIVED = [
    *messages.ToPage.__args__,
    *(bodies.Made, bodies.Problem, bodies.GameInfo, bodies.TableList, bodies.Replay, bodies.Step),
    bodies.Lobby,
    *(bodies.Fairness, bodies.Deal),
    bodies.Subscribed,
    bodies.WrongRecord,
]


def text() -> str:
    """Return the whole file."""
    sent = interfaces(SENT, "", required_only=True)
    parts = [HEAD, *sent.values(), union("FromPage", messages.FromPage)]
    received = interfaces(RECEIVED, "")  # what goes both ways may leave out its defaults both ways
    parts += [part for name, part in received.items() if name not in sent]
    parts.append(union("ToPage", messages.ToPage))
    for name in games.names():
        view = import_module(f"smalti.games.{name}.view").View
        parts += interfaces([view], name.capitalize()).values()
    parts.append("/** Why something can be refused: the pages have a text for each. */")
    parts.append("export const reasons = [\n" + "".join(f'  "{reason}",\n' for reason in reasons()) + "] as const;")
    return "\n\n".join(parts) + "\n"


def reasons() -> list[str]:
    """List the keys of everything that can be refused, by the rules or by the server."""
    found = [f"table.{key}" for key in PROBLEMS]
    for name in games.names():
        refusal = import_module(f"smalti.games.{name}.reasons").refusal
        found += [f"{name}.{key}" for key in refusal.sentences]
    return found


def main() -> None:
    """Write the file, or compare."""
    if "--check" not in sys.argv:
        FILE.parent.mkdir(parents=True, exist_ok=True)
        FILE.write_text(text(), encoding="utf-8")
    elif not FILE.exists() or FILE.read_text(encoding="utf-8") != text():
        sys.exit(f"{FILE.name} is not up to date: run `python tools/wire_types.py`")


if __name__ == "__main__":
    main()
