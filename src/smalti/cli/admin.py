"""`smalti admin`: find, erase and anonymise the games of a site."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from smalti.cli.screen.admin import game_lines, game_summary
from smalti.engine.errors import BadInput, shown

if TYPE_CHECKING:  # the database is loaded when a command needs it
    from smalti.server.store.admin.finding import Found
    from smalti.server.store.admin.opening import AsyncEngine

HELP = """Find, erase and anonymise the games of a site; its server may keep running.

    smalti admin games --name Ann             list games with a player of this name

    smalti admin show ID                      show who played and what was said

    smalti admin anonymise --name "Ann Lee"   remove name, messages and browser; keep the game

    smalti admin delete ID                    delete a game with everything about it

    smalti admin prune --days 365             delete games that ended more than a year ago

The database is that of `smalti serve`: `--database`, or `SMALTI_DATABASE`, or the file in the user's data folder.
Exit codes: 0 done, 1 nothing was changed, 2 bad input.
"""

app = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode="markdown")
T = TypeVar("T")

Database = Annotated[str | None, typer.Option(help="Database URL; that of smalti serve if not given.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Ids = Annotated[list[str], typer.Argument(help="Ids of tables, as in their addresses.")]
HOLDER = re.compile(r"[0-9a-f]{64}")


# --- What commands share


def on_database(address: str | None, work: Callable[[AsyncEngine], Awaitable[T]]) -> T:
    """Open the database, and return the result of some work on it."""
    from smalti.server.settings import database_url, from_environment
    from smalti.server.store.admin.opening import opened

    async def run() -> T:
        async with opened(database_url(address) if address else from_environment().database) as engine:
            return await work(engine)

    return asyncio.run(run())


def confirm(question: str, yes: bool, as_json: bool) -> None:
    """Ask for confirmation before something is destroyed."""
    if yes:
        return
    if as_json:
        raise BadInput("--json cannot ask for confirmation: add --yes")
    if not typer.confirm(f"{question} This cannot be undone.", err=True):
        refuse("nothing was changed")


def refuse(reason: str) -> None:
    """End without having changed anything."""
    print(f"smalti: {reason}", file=sys.stderr)
    raise typer.Exit(1)


def print_result(done: dict[str, Any], lines: list[str], as_json: bool) -> None:
    """Print what was found or done."""
    print(json.dumps(done, ensure_ascii=False) if as_json else "\n".join(lines))


def timestamp(date: str | None) -> float | None:
    """Return the time that a date stands for, in UTC where it does not say."""
    if date is None:
        return None
    try:
        found = datetime.fromisoformat(date)
    except ValueError:
        raise BadInput(f"a date is written as 2026-05-31 or 2026-05-31T18:00, not as {shown(date)}") from None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def checked_holder(text: str) -> str:
    """Return the id of a browser if it is one."""
    if not HOLDER.fullmatch(text):
        raise BadInput(f"the id of a browser is 64 hexadecimal digits (see smalti admin show), not {shown(text)}")
    return text


async def collected(found: AsyncIterator[Found]) -> list[Found]:
    """Return all that is found."""
    return [one async for one in found]


def check_existing(address: str | None, ids: list[str]) -> None:
    """Refuse tables that are not there, before anything is changed."""
    from smalti.server.store.admin.finding import find_game

    async def work(engine: AsyncEngine) -> list[str]:
        return [one for one in ids if not await find_game(engine, one)]

    missing = on_database(address, work)
    if missing:
        refuse(f"there is no table {', '.join(map(shown, missing))}; nothing was changed")


# --- Looking


@app.command()
def games(
    name: Annotated[str | None, typer.Option(help="Only games with a player whose name contains this.")] = None,
    before: Annotated[str | None, typer.Option(help="Only games made before a date, such as 2026-05-31.")] = None,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """List games, the oldest first."""
    import msgspec

    from smalti.server.store.admin.finding import find_games

    until = timestamp(before)
    found = on_database(database, lambda engine: collected(find_games(engine, name, until)))
    print_result({"games": msgspec.to_builtins(found)}, [game_summary(one) for one in found] or ["none"], as_json)
    raise typer.Exit(0 if found else 1)


@app.command()
def show(
    table: Annotated[str, typer.Argument(help="The id of a table, as in its address.")],
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Show who played a game, and what was said at the table."""
    import msgspec

    from smalti.server.store.admin.finding import find_game

    found = on_database(database, lambda engine: find_game(engine, table))
    if found is None:
        refuse(f"there is no table {shown(table)}")
    else:
        print_result(msgspec.to_builtins(found), game_lines(found), as_json)


# --- Erasing


@app.command()
def delete(ids: Ids, database: Database = None, yes: Yes = False, as_json: AsJson = False) -> None:
    """Delete games with everything about them."""
    from smalti.server.store.admin.erasing import delete_games

    check_existing(database, ids)
    confirm(f"Delete {', '.join(ids)}?", yes, as_json)
    gone = on_database(database, lambda engine: delete_games(engine, ids))
    print_result({"deleted": gone}, [f"deleted {one}" for one in gone], as_json)


@app.command()
def anonymise(
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of tables: everybody at them.")] = None,
    name: Annotated[str | None, typer.Option(help="Everybody of exactly this name, at any table.")] = None,
    browser: Annotated[str | None, typer.Option(help="Whoever has this browser, at any table.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Also games that are not over; their seats stay taken.")
    ] = False,
    database: Database = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Remove people from games: their names, their messages, and whatever could lead back to them."""
    from smalti.server.store.admin.anonymising import Who
    from smalti.server.store.admin.erasing import anonymise_all
    from smalti.server.store.admin.finding import tables_of

    if [bool(ids), name is not None, browser is not None].count(True) != 1:
        raise BadInput("give exactly one of these: ids of tables, --name, --browser")
    who = Who(name, checked_holder(browser) if browser is not None else None)
    check_existing(database, ids or [])
    chosen = ids or on_database(database, lambda engine: tables_of(engine, who))
    if not chosen:
        refuse("nobody has this name or browser; nothing was changed")
    confirm(f"Anonymise {who} at {', '.join(chosen)}?", yes, as_json)
    done, running = on_database(database, lambda engine: anonymise_all(engine, chosen, who, force))
    told = [{"table": table, "people": len(new.people), "entries": len(new.entries)} for table, new in done.items()]
    lines = ["{table}: {people} people, {entries} entries rewritten".format(**one) for one in told]
    lines += [f"{table}: not over, not changed; --force changes it anyway" for table in running]
    print_result({"anonymised": told, "running": running}, lines, as_json)
    raise typer.Exit(1 if running else 0)


@app.command()
def words(
    table: Annotated[str, typer.Argument(help="The id of a table, as in its address.")],
    clear: Annotated[bool, typer.Option("--clear", help="Delete the messages.")] = False,
    by: Annotated[str | None, typer.Option(help="Only those of a seat, counted from 1, or of `onlookers`.")] = None,
    database: Database = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete what was said at a table."""
    from smalti.server.store.admin.erasing import clear_words

    if not clear:
        raise BadInput("nothing to do: --clear deletes the messages, smalti admin show lists them")
    if by is not None and by != "onlookers" and not (by.isdecimal() and int(by) > 0):
        raise BadInput(f"--by is a seat, counted from 1, or onlookers; not {shown(by)}")
    check_existing(database, [table])
    confirm(f"Delete what {'everybody' if by is None else f'seat {by}' if by != 'onlookers' else by} said at {table}?",
        yes, as_json)  # fmt: skip
    seat = None if by in (None, "onlookers") else int(by) - 1
    new = on_database(database, lambda engine: clear_words(engine, table, lambda said: by is None or said.seat == seat))
    count = len(new.entries) if new else 0
    print_result({"table": table, "cleared": count}, [f"{table}: {count} messages deleted"], as_json)


@app.command("forget-browser")
def forget_browser(
    holder: Annotated[str, typer.Argument(help="The id of the browser, as in smalti admin show.")],
    database: Database = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Forget the push subscriptions of a browser, and the list of its games."""
    from smalti.server.store.admin.erasing import forget_browser as forget

    checked_holder(holder)
    confirm(f"Forget the browser {holder[:8]}…?", yes, as_json)
    found = on_database(database, lambda engine: forget(engine, holder))
    line = f"{found.notices} subscriptions and {len(found.tables)} tables forgotten"
    print_result({"subscriptions": found.notices, "tables": found.tables}, [line], as_json)
    raise typer.Exit(0 if found.notices or found.tables else 1)


@app.command()
def prune(
    days: Annotated[int | None, typer.Option(help="Number of days; SMALTI_KEEP_DAYS if not given.")] = None,
    database: Database = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete all games that ended more than this many days ago."""
    from smalti.server.game_time import now
    from smalti.server.settings import from_environment
    from smalti.server.store.admin.pruning import DAY, finished_before
    from smalti.server.store.admin.pruning import prune as delete_old

    kept = from_environment().keep_days if days is None else days
    if kept < 1:
        raise BadInput("give a number of days, at least 1: --days 365, or SMALTI_KEEP_DAYS")
    at = now()
    old = on_database(database, lambda engine: finished_before(engine, at - kept * DAY))
    if old:
        confirm(f"Delete {len(old)} games that ended more than {kept} days ago?", yes, as_json)
    gone = on_database(database, lambda engine: delete_old(engine, kept, at)) if old else []
    print_result({"deleted": gone}, [f"deleted {one}" for one in gone] or ["no game is that old"], as_json)
