"""Write the messages of the wire and the views of the games as TypeScript types, and the list of languages.

python tools/wire_types.py           writes web/src/api/wire.ts and web/src/texts/languages.ts
python tools/wire_types.py --check   says whether they are up to date, exit code 1 if not
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import msgspec

from smalti import games
from smalti.engine.drawing import TextView
from smalti.server.problems import PROBLEMS
from smalti.server.table.terms import Language
from smalti.server.wire import from_page, http, to_page

SOURCE = Path(__file__).resolve().parent.parent / "web" / "src"
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


def bodies(sent: bool) -> list[type]:
    """List what goes over HTTP to the server, which is read strictly, or from it."""
    found = [kind for kind in vars(http).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    return [kind for kind in found if kind.__struct_config__.forbid_unknown_fields == sent]


def wire() -> str:
    """Return the types of everything that is sent."""
    sent = interfaces([*from_page.FromPage.__args__, *bodies(sent=True)], "", required_only=True)
    parts = [HEAD, *sent.values(), union("FromPage", from_page.FromPage)]
    # What goes both ways may leave out its defaults both ways.
    received = interfaces([*to_page.ToPage.__args__, *bodies(sent=False)], "")
    parts += [part for name, part in received.items() if name not in sent]
    parts.append(union("ToPage", to_page.ToPage))
    parts += interfaces([TextView], "").values()
    for name in drawn_games():
        view = import_module(f"smalti.games.{name}.view").View
        parts += interfaces([view], name.capitalize()).values()
    parts.append("/** Why something can be refused: the pages have a text for each. */")
    parts.append("export const reasons = [\n" + "".join(f'  "{reason}",\n' for reason in reasons()) + "] as const;")
    return "\n\n".join(parts) + "\n"


def drawn_games() -> list[str]:
    """List the games that have a view of their own; the others are shown as text, and refuse in English."""
    return [game.name for game in games.everyone() if game.view]


def reasons() -> list[str]:
    """List the keys of everything that can be refused, by the rules or by the server."""
    found = [f"table.{key}" for key in PROBLEMS]
    for name in drawn_games():
        refusal = import_module(f"smalti.games.{name}.reasons").refusal
        found += [f"{name}.{key}" for key in refusal.rules]
    return found


def languages() -> str:
    """Return the languages of the pages, for what cannot wait for the server."""
    listed = ", ".join(f'"{language}"' for language in get_args(Language))
    head = "// Written by tools/wire_types.py from smalti.server.table.terms. Do not edit.\n"
    return f"{head}export const languages = [{listed}] as const;\nexport type Language = (typeof languages)[number];\n"


FILES = {"api/wire.ts": wire, "texts/languages.ts": languages}


def main() -> None:
    """Write the files, or compare."""
    for name, text in FILES.items():
        file = SOURCE / name
        if "--check" not in sys.argv:
            file.write_text(text(), encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text():
            sys.exit(f"{name} is not up to date: run `python tools/wire_types.py`")


if __name__ == "__main__":
    main()
