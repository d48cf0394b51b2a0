"""Golden records: whole games, one for every way each game can end and for every number of players.

Each file under golden/<game>/ is named for what happens in it. `SHOWS` says how to see that it really does; the
last tests fail when a game, a number of players or an option has no record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import smalti
from smalti import Event, Match, Record

GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(path.relative_to(GOLDEN).with_suffix("").as_posix() for path in GOLDEN.rglob("*.json"))

Check = Callable[[Match], bool]


def text_of(name: str) -> str:
    """Return the text of a golden record, line ends as they are stored."""
    return (GOLDEN / f"{name}.json").read_bytes().decode()


@cache
def record(name: str) -> Record:
    """Read a golden record."""
    return smalti.read(text_of(name))


@cache
def final(name: str) -> Match:
    """Return the match a golden record leads to, verified."""
    return smalti.verify(record(name))


# --- Words for what a game shows


def before(match: Match, events: int) -> Match:
    """Return the match as it was so many events before its end."""
    earlier = match.copy()
    for _ in range(events):
        earlier.undo()
    return earlier


def last_events(match: Match) -> list[Event]:
    """Return what follows Patterns' last turn: the flips after the end, and `done`."""
    earlier, found = match.copy(), list[Event]()
    while earlier.events:
        event = earlier.undo()
        if earlier.view(None).phase != "flipping":
            return found
        found.insert(0, event)
    return found


def is_stuck(seat: int) -> Check:
    """Return a check that in Patterns this seat had no action left while tiles still lay front up."""

    def check(match: Match) -> bool:
        flips = last_events(match)
        return bool(flips) and {event.by for event in flips} == {1 - seat} and bool(match.view(None).fronts)

    return check


def ends_with(text: str) -> Check:
    """Return a check that this was the last event."""
    return lambda match: match.events[-1].do == text


def has(text: str) -> Check:
    """Return a check that this happened."""
    return lambda match: any(event.do == text for event in match.events)


def wins(*seats: int) -> Check:
    """Return a check that these seats have won."""
    return lambda match: match.winners == list(seats)


def has_options(**options: str) -> Check:
    """Return a check that the game was played with these options."""
    return lambda match: all(match.options[name] == value for name, value in options.items())


def with_players(seats: int) -> Check:
    """Return a check of the number of players."""
    return lambda match: match.seats == seats


def no_flips(match: Match) -> bool:
    """Say whether nothing could be flipped after the end, though tiles were left."""
    return not last_events(match) and bool(match.view(None).fronts)


def all_backs(match: Match) -> bool:
    """Say whether every tile of the mandala has its back up."""
    return not match.view(None).fronts


def could_flip_more(match: Match) -> bool:
    """Say whether a flip was left when the last player was done."""
    earlier = before(match, 1)
    return any(event.startswith("flip") for event in earlier.legal(min(earlier.acting)))


def three_actions(match: Match) -> bool:
    """Say whether only three actions followed the deal and the giving of the start tiles."""
    return len(match.events) - len(last_events(match)) == 2 + 3


def empty_cells(match: Match, seat: int) -> list[str]:
    """List the empty cells of a grid."""
    rows = match.view(None).grids[seat].rows
    return [f"{'abcdefg'[x]}{y + 1}" for y in range(7) for x in range(7) if rows[y][x] == "."]


def has_hope(match: Match, seat: int) -> bool:
    """Say whether a grid has an empty border cell or an empty region of four: Mosaix's end in the rules' own words."""
    cells = set(empty_cells(match, seat))
    return any(cell[0] in "ag" or cell[1] in "17" or len(region(cell, cells)) >= 4 for cell in cells)


def region(start: str, cells: set[str]) -> set[str]:
    """Return the cells joined to this one."""
    found, todo = {start}, [start]
    while todo:
        column, row = ord((cell := todo.pop())[0]), int(cell[1])
        beside = {f"{chr(column + x)}{row + y}" for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))}
        todo += beside & cells - found
        found |= beside & cells
    return found


def grid_full(match: Match) -> bool:
    """Say whether somebody's grid is full."""
    return any(not empty_cells(match, seat) for seat in range(match.seats))


def only_holes(match: Match) -> bool:
    """Say whether no grid is full, but one has only inner holes that are too small."""
    return not grid_full(match) and any(not has_hope(match, seat) for seat in range(match.seats))


def all_hope(match: Match) -> bool:
    """Say whether everybody could still have written something."""
    return all(has_hope(match, seat) for seat in range(match.seats))


def passed_before_the_last_round(match: Match) -> bool:
    """Say whether the game went on after somebody passed."""
    rolls = [number for number, event in enumerate(match.events) if event.do.startswith("roll")]
    return Event(0, "pass") in match.events[: rolls[-1]]


def has_version(version: int) -> Check:
    """Return a check of the version of the rules."""
    return lambda match: match.game.version == version


def most_idle(match: Match) -> int:
    """Return in how many rounds in a row nobody wrote, at most."""
    wrote, longest, now = True, 0, 0
    for _, do in [*match.events, Event(None, "roll")]:
        if do.startswith("roll"):
            now = 0 if wrote else now + 1
            longest, wrote = max(longest, now), False
        wrote = wrote or do.startswith("place")
    return longest


def is_idle(rounds: int) -> Check:
    """Return a check that nobody wrote in so many rounds in a row, and never in more."""
    return lambda match: most_idle(match) == rounds


def boxes(free: Callable[[int], bool]) -> Check:
    """Return a check of the free boxes at the end."""
    return lambda match: free(match.view(None).boxes)


def scores(low: int, high: int) -> Check:
    """Return a check of the solo player's score."""
    return lambda match: low <= match.scores[0] < high


def best_by_coins(match: Match) -> bool:
    """Say whether several had most points, and coins decided."""
    return match.scores.count(max(match.scores)) > 1 and len(match.winners) == 1


def five_symmetries(match: Match) -> bool:
    """Say whether one board has all five symmetries."""
    items = [(item.seat, item.points) for item in match.breakdown() if item.rule == "MZ-18"]
    return [points for seat, points in items if seat == 0] == [12, 12, 8, 8, 12]


def hands_stay_hidden(match: Match) -> bool:
    """Say whether nobody ever saw another's hand."""
    views = [before(match, events).view(0) for events in range(0, len(match.events), 20)]
    return all(place.hand is None for view in views for place in view.places[1:])


# --- What every record shows

SHOWS: dict[str, list[Check]] = {
    "patterns/stuck-seat-0": [is_stuck(0), wins(1)],
    "patterns/stuck-seat-1": [is_stuck(1), wins(0)],
    "patterns/no-flip-left": [no_flips],
    "patterns/full-board": [all_backs],
    "patterns/early-done": [ends_with("done"), could_flip_more],
    "patterns/three-actions": [three_actions, is_stuck(1), wins(0)],
    "patterns/tie": [wins(0, 1)],
    "mosaix/full-grid": [with_players(2), grid_full],
    "mosaix/stuck-by-inner-holes": [with_players(2), only_holes],
    "mosaix/passed-and-went-on": [with_players(3), passed_before_the_last_round],
    "mosaix/three-players-tie": [with_players(3), wins(0, 2)],
    "mosaix/four-players-scattered": [with_players(4), has_options(cards="scattered")],
    "mosaix/blocked": [has_options(end="blocked"), has("pass"), all_hope],
    "mosaix/nobody-could-write": [has_version(2), with_players(2), is_idle(2), ends_with("pass"), all_hope],
    "mosaix/nobody-could-write-four-players": [has_version(2), with_players(4), is_idle(4), all_hope],
    "mosaix/two-idle-rounds-and-went-on": [has_version(2), with_players(3), is_idle(2), has_options(cards="scattered")],
    "mosaix/version-1-idle-rounds-and-went-on": [has_version(1), with_players(2), is_idle(4)],
    "mosaix/solo-by-boxes": [with_players(1), boxes(lambda free: free == 0), all_hope, wins()],
    "mosaix/solo-by-inner-holes": [with_players(1), boxes(lambda free: free > 0), only_holes],
    "mosaix/solo-full-grid": [with_players(1), grid_full, wins()],
    "mosaix/solo-scattered": [with_players(1), has_options(cards="scattered")],
    "mosaix/solo-stopped": [with_players(1), ends_with("stop"), all_hope],
    "mosaix/solo-won": [with_players(1), scores(120, 130), wins(0)],
    "mosaix/solo-brilliant": [with_players(1), scores(130, 1000), wins(0)],
    "mozaika/three-players": [with_players(3)],
    "mozaika/four-players": [with_players(4)],
    "mozaika/five-players": [with_players(5)],
    "mozaika/coin-tie-break": [best_by_coins],
    "mozaika/shared-win": [wins(0, 1)],
    "mozaika/five-symmetries": [with_players(5), five_symmetries],
    "mozaika/hidden-hands": [has_options(hands="hidden"), hands_stay_hidden],
}


@pytest.mark.parametrize("name", NAMES)
def test_a_record_replays_to_its_scores_and_winners(name: str) -> None:
    match = final(name)
    assert match.is_over
    assert (match.scores, match.winners) == (record(name).scores, record(name).winners)
    assert match.game.name == name.split("/")[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_written_as_it_was_read(name: str) -> None:
    assert record(name).text() == text_of(name)
    again = smalti.record_of(final(name))
    assert again.rules == final(name).game.version  # always named
    assert replace(again, rules=record(name).rules).text() == text_of(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_items_add_up_to_the_scores(name: str) -> None:
    match = final(name)
    sums = [sum(item.points for item in match.breakdown() if item.seat == seat) for seat in range(match.seats)]
    assert sums == match.scores


@pytest.mark.parametrize("name", SHOWS)
def test_a_record_shows_what_its_name_says(name: str) -> None:
    assert all(check(final(name)) for check in SHOWS[name])


def test_every_record_is_said_to_show_something() -> None:
    assert sorted(SHOWS) == NAMES


EVERY_COUNT = [(game.name, seats) for game in smalti.games.everyone() for seats in game.seats]


@pytest.mark.parametrize(("game", "seats"), EVERY_COUNT)
def test_every_game_has_a_record_for_every_number_of_players(game: str, seats: int) -> None:
    assert [name for name in NAMES if (record(name).game, record(name).players) == (game, seats)]


EVERY_VERSION = [(game.name, version) for game in smalti.games.everyone() for version in game.versions]


@pytest.mark.parametrize(("game", "version"), EVERY_VERSION)
def test_every_version_of_the_rules_has_a_record(game: str, version: int) -> None:
    assert [name for name in NAMES if (record(name).game, final(name).game.version) == (game, version)]


FIRST_MOSAIX = [name for name in NAMES if record(name).game == "mosaix" and record(name).rules != 2]


@pytest.mark.parametrize("name", FIRST_MOSAIX)
def test_version_2_of_mosaix_differs_in_idle_rounds_only(name: str) -> None:
    older, newer = smalti.verify(replace(record(name), rules=1)), replace(record(name), rules=2)
    if older.seats == 1 or most_idle(older) < older.seats or older.options["end"] == "blocked":
        assert smalti.verify(newer).scores == older.scores
    else:
        with pytest.raises(smalti.Refused, match="The game is over") as refused:
            smalti.verify(newer)
        assert refused.value.rule == "MX-8"


EVERY_OPTION = [
    (game, option, value)
    for game in smalti.games.everyone()
    for option in game.options
    for value in game.options[option]
]


@pytest.mark.parametrize(("game", "option", "value"), EVERY_OPTION)
def test_every_value_of_every_option_has_a_record(game: smalti.Game, option: str, value: str) -> None:
    assert [name for name in NAMES if record(name).game == game.name and final(name).options[option] == value]
