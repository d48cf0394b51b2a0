"""`smalti admin`: find, erase and anonymise games, for whoever runs a site."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from smalti.cli.admin_screen import game_lines, game_summary
from smalti.engine.errors import BadInput, shown

if TYPE_CHECKING:  # the database is loaded when a command needs it
    from sqlalchemy.ext.asyncio import AsyncEngine

    from smalti.server.operations.finding import Found

HELP = """Find, erase and anonymise games, for whoever runs a site; its server may run meanwhile.

    smalti admin games --name Ann             games with somebody called so

    smalti admin show ID                      who played it, what was said

    smalti admin anonymise --name "Ann Lee"   no name, no words, nobody's seat; the game stays

    smalti admin delete ID                    nothing stays

    smalti admin prune --days 365             games that have been over for so long

The database is the one of `smalti serve`: `--database`, or `SMALTI_DATABASE`, or the file in the user's data folder.
Exit codes: 0 done, 1 nothing was changed, 2 bad input.
"""

app = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode="markdown")
T = TypeVar("T")

Database = Annotated[str | None, typer.Option(help="Where games are kept.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print what was found or done as JSON.")]
Ids = Annotated[list[str], typer.Argument(help="Names of tables, as in their addresses.")]
HOLDER = re.compile(r"[0-9a-f]{64}")


# --- What commands share


def on_database(address: str | None, work: Callable[[AsyncEngine], Awaitable[T]]) -> T:
    """Do something with the database."""
    from smalti.server.operations.opening import opened
    from smalti.server.settings import database_url, from_environment

    async def run() -> T:
        async with opened(database_url(address) if address else from_environment().database) as engine:
            return await work(engine)

    return asyncio.run(run())


def ask(question: str, yes: bool, as_json: bool) -> None:
    """Let somebody think again before something is destroyed."""
    if yes:
        return
    if as_json:
        raise BadInput("--json asks nothing: add --yes")
    if not typer.confirm(f"{question} This cannot be undone.", err=True):
        refuse("nothing was changed")


def refuse(reason: str) -> None:
    """End without having changed anything."""
    print(f"smalti: {reason}", file=sys.stderr)
    raise typer.Exit(1)


def tell(done: dict[str, Any], lines: list[str], as_json: bool) -> None:
    """Say what was done."""
    print(json.dumps(done, ensure_ascii=False) if as_json else "\n".join(lines))


def moment(date: str | None) -> float | None:
    """Return the time that a date stands for, in UTC where it does not say."""
    if date is None:
        return None
    try:
        found = datetime.fromisoformat(date)
    except ValueError:
        raise BadInput(f"a date is given as 2026-05-31 or 2026-05-31T18:00, not as {shown(date)}") from None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def checked_holder(text: str) -> str:
    """Return what a browser is known by."""
    if not HOLDER.fullmatch(text):
        raise BadInput(f"a browser is known by 64 hexadecimal digits (smalti admin show), not by {shown(text)}")
    return text


async def collected(found: AsyncIterator[Found]) -> list[Found]:
    """Return all that is found."""
    return [one async for one in found]


def existing(address: str | None, ids: list[str]) -> None:
    """Refuse tables that are not there, before anything is changed."""
    from smalti.server.operations.finding import find_game

    async def work(engine: AsyncEngine) -> list[str]:
        return [one for one in ids if not await find_game(engine, one)]

    missing = on_database(address, work)
    if missing:
        refuse(f"there is no table {', '.join(map(shown, missing))}; nothing was changed")


# --- Looking


@app.command()
def games(
    name: Annotated[str | None, typer.Option(help="Only with somebody whose name has this in it.")] = None,
    before: Annotated[str | None, typer.Option(help="Only those made before a date, such as 2026-05-31.")] = None,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Find games, the oldest first."""
    import msgspec

    from smalti.server.operations.finding import find_games

    until = moment(before)
    found = on_database(database, lambda engine: collected(find_games(engine, name, until)))
    tell({"games": msgspec.to_builtins(found)}, [game_summary(one) for one in found] or ["none"], as_json)
    raise typer.Exit(0 if found else 1)


@app.command()
def show(
    table: Annotated[str, typer.Argument(help="The name of a table, as in its address.")],
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Show who played a game, and what was said at it."""
    import msgspec

    from smalti.server.operations.finding import find_game

    found = on_database(database, lambda engine: find_game(engine, table))
    if found is None:
        refuse(f"there is no table {shown(table)}")
    else:
        tell(msgspec.to_builtins(found), game_lines(found), as_json)


# --- Erasing


@app.command()
def delete(ids: Ids, database: Database = None, yes: Yes = False, as_json: AsJson = False) -> None:
    """Delete games with everything about them."""
    from smalti.server.operations.erasing import delete_games

    existing(database, ids)
    ask(f"Delete {', '.join(ids)}?", yes, as_json)
    gone = on_database(database, lambda engine: delete_games(engine, ids))
    tell({"deleted": gone}, [f"deleted {one}" for one in gone], as_json)


@app.command()
def anonymise(
    ids: Annotated[list[str] | None, typer.Argument(help="Names of tables: everybody at them.")] = None,
    name: Annotated[str | None, typer.Option(help="Somebody called exactly so, at whatever table.")] = None,
    browser: Annotated[str | None, typer.Option(help="Somebody with this browser, at whatever table.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Games that are not over, too; seats stay held there.")
    ] = False,
    database: Database = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Take people from games: their names, their words, and whatever could lead back to them."""
    from smalti.server.operations.erasing import Who, anonymise_all
    from smalti.server.operations.finding import tables_of

    if [bool(ids), name is not None, browser is not None].count(True) != 1:
        raise BadInput("say whom: names of tables, or --name, or --browser; one of them")
    who = Who(name, checked_holder(browser) if browser is not None else None)
    existing(database, ids or [])
    chosen = ids or on_database(database, lambda engine: tables_of(engine, who))
    if not chosen:
        refuse("nobody is called so, or has this browser; nothing was changed")
    ask(f"Anonymise {who} at {', '.join(chosen)}?", yes, as_json)
    done, running = on_database(database, lambda engine: anonymise_all(engine, chosen, who, force))
    told = [{"table": table, "people": len(new.people), "entries": len(new.entries)} for table, new in done.items()]
    lines = ["{table}: {people} people, {entries} entries rewritten".format(**one) for one in told]
    lines += [f"{table}: not over, nothing was changed; --force changes it all the same" for table in running]
    tell({"anonymised": told, "running": running}, lines, as_json)
    raise typer.Exit(1 if running else 0)


@app.command()
def words(
    table: Annotated[str, typer.Argument(help="The name of a table, as in its address.")],
    clear: Annotated[bool, typer.Option("--clear", help="Take the words away.")] = False,
    by: Annotated[str | None, typer.Option(help="Only those of a seat, counted from 1, or of `onlookers`.")] = None,
    database: Database = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Take away what was said at a table."""
    from smalti.server.operations.erasing import clear_words

    if not clear:
        raise BadInput("say what to do with them: --clear takes them away, and smalti admin show shows them")
    if by is not None and by != "onlookers" and not (by.isdecimal() and int(by) > 0):
        raise BadInput(f"--by is a seat, counted from 1, or onlookers; not {shown(by)}")
    existing(database, [table])
    ask(f"Take away what {'everybody' if by is None else f'seat {by}' if by != 'onlookers' else by} said at {table}?",
        yes, as_json)  # fmt: skip
    seat = None if by in (None, "onlookers") else int(by) - 1
    new = on_database(database, lambda engine: clear_words(engine, table, lambda said: by is None or said.seat == seat))
    count = len(new.entries) if new else 0
    tell({"table": table, "cleared": count}, [f"{table}: {count} words taken away"], as_json)


@app.command("forget-browser")
def forget_browser(
    holder: Annotated[str, typer.Argument(help="What it is known by: smalti admin show tells.")],
    database: Database = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Forget where a browser is told of its turns, and the list of its games."""
    from smalti.server.operations.erasing import forget_browser as forget

    checked_holder(holder)
    ask(f"Forget the browser {holder[:8]}…?", yes, as_json)
    found = on_database(database, lambda engine: forget(engine, holder))
    line = f"{found.notices} subscriptions and {len(found.tables)} tables forgotten"
    tell({"subscriptions": found.notices, "tables": found.tables}, [line], as_json)
    raise typer.Exit(0 if found.notices or found.tables else 1)


@app.command()
def prune(
    days: Annotated[int | None, typer.Option(help="So many; SMALTI_KEEP_DAYS if not given.")] = None,
    database: Database = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete all games that have been over for so many days."""
    from smalti.server.operations.retention import DAY, Retention, finished_before
    from smalti.server.settings import from_environment
    from smalti.server.timing import now

    kept = from_environment().keep_days if days is None else days
    if kept < 1:
        raise BadInput("say how old games may get: --days 365, or SMALTI_KEEP_DAYS; at least 1")
    at = now()
    old = on_database(database, lambda engine: finished_before(engine, at - kept * DAY))
    if old:
        ask(f"Delete {len(old)} games that have been over for {kept} days?", yes, as_json)
    gone = on_database(database, lambda engine: Retention(kept).prune(engine, at)) if old else []
    tell({"deleted": gone}, [f"deleted {one}" for one in gone] or ["none is that old"], as_json)
