"""Names at one table: nobody takes another's, nor one that looks the same, nor a bot's."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from itertools import count

from smalti.server.actions.lookalikes import look_alike
from smalti.server.actions.text_input import LONGEST_NAME
from smalti.server.built_pages import preview_texts
from smalti.server.problems import Problem
from smalti.server.table.log import Log


@cache
def names_of_bot(bot: str) -> frozenset[str]:
    """Return what a bot is called on the pages, in all their languages."""
    level = bot.rpartition("-")[2]
    names = {texts[f"bot.{bot}"] for texts in preview_texts().values() if f"bot.{bot}" in texts}
    return frozenset({bot, bot.replace("-", " "), *names, *(f"{level} · {name}" for name in names)})


def names_at(log: Log, own: Collection[int] = (), holder: str | None = None) -> list[str]:
    """List the names at a table, of people and of bots; not those that this browser has on seats of its own."""
    found: list[str | None] = []
    for seat, sitting in enumerate(log.seats):
        if seat not in own:
            found += [sitting.name, *(names_of_bot(sitting.bot) if sitting.bot else ())]
        if seat not in own or sitting.owner != holder:
            found.append(sitting.owner_name)
    return [name for name in found if name]


def is_taken(name: str, names: Iterable[str]) -> bool:
    """Say whether a name is, or looks like, one of these."""
    return any(look_alike(name, other) for other in names)


def check_free(name: str, names: Iterable[str]) -> None:
    """Refuse a name that is somebody else's, or looks as if it were."""
    if is_taken(name, names):
        raise Problem("same-name")


def check_distinct(names: list[str], bots: list[str]) -> None:
    """Refuse several people under one name, and people under the name of a bot they play with."""
    others = [name for bot in bots for name in names_of_bot(bot)]
    for place, name in enumerate(names):
        check_free(name, [*names[:place], *others])


def free_name(name: str, names: list[str]) -> str:
    """Return a name, with a number behind it where somebody else has it; strangers who meet need not choose anew."""
    numbered = (f"{name[: LONGEST_NAME - 3].rstrip()} {number}" for number in count(2))
    return name if not is_taken(name, names) else next(one for one in numbered if not is_taken(one, names))
