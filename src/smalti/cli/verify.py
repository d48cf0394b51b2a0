"""`smalti verify`: replay records and check every event, the scores, the winners, and the proof of fairness."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from smalti import games
from smalti.cli.files import Found, records_in
from smalti.cli.screen import progress
from smalti.engine.errors import BadInput, BadNotation, Refused, SmaltiError
from smalti.engine.match import Match
from smalti.engine.records import Record
from smalti.engine.records import verify as verified
from smalti.server.luck import proof

HELP = """Check records: every event against the rules, then scores and winners, then the proof of fairness.

Prints one line per record: `ok GAME PLAYERS scores=… winners=…`, or `FILE:RECORD event N: RULE reason`. If a record
carries a proof of fairness, the line ends with what it proves; with `--fair`, also if it carries none.
Exit code: 0 if all are good, 1 if one breaks the rules or its proof is wrong, 2 if one cannot be read.

    smalti verify game.json

    smalti simulate mosaix --players 2 --games 100 --seed 1 | smalti verify -
"""


def verify(
    files: Annotated[list[str], typer.Argument(help="Records as JSON or JSON lines; - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per record.")] = False,
    fair: Annotated[bool, typer.Option("--fair", help="Report records without a proof of fairness, too.")] = False,
) -> None:
    """Check records and exit with the worst result."""
    worst = 0
    with progress("verifying") as advance:
        for name in files:
            for verdict in verdicts(name):
                print(json.dumps(verdict) if as_json else line(verdict, fair))
                worst = max(worst, verdict["exit"])
                advance()
    raise typer.Exit(worst)


def verdicts(name: str) -> Any:
    """Judge every record of a file."""
    try:
        for found in records_in(name):
            yield {"file": name, "record": found.number, **judged(found)}
    except BadInput as error:
        yield {"file": name, "record": None, **complaint(error)}


def judged(found: Found) -> dict[str, Any]:
    """Judge one record."""
    if found.record is None:
        return complaint(found.error or BadInput("no record"))
    try:
        match = verified(found.record, games.find)
        return praise(match, proven(found.record, match))
    except SmaltiError as error:
        return complaint(error)


def proven(record: Record, match: Match) -> str | None:
    """Say in words how a record follows from its proof, if it carries one; raises what does not follow."""
    found = proof.proof_in(record)
    if found is None:
        return None
    checked = proof.checked(found, match.game, match.seats, match.options, match.events)
    problem = proof.problem(found, checked)
    if problem:
        raise problem
    return proof.praise(found, checked)


def praise(match: Match, fair: str | None) -> dict[str, Any]:
    """Describe a record that is good."""
    over = match.is_over
    return {
        "ok": True,
        "exit": 0,
        "game": match.game.name,
        "players": match.seats,
        "events": len(match.events),
        "over": over,
        "scores": match.scores if over else None,
        "winners": match.winners if over else None,
        "fair": fair,
    }


def complaint(error: SmaltiError) -> dict[str, Any]:
    """Describe what is wrong with a record."""
    refused = isinstance(error, Refused)
    rule = error.rule if isinstance(error, Refused) else "notation" if isinstance(error, BadNotation) else "input"
    return {
        "ok": False,
        "exit": 1 if refused else 2,
        "event": error.event,
        "rule": rule,
        "reason": error.reason if isinstance(error, Refused) else f"bad.{rule}",
        "message": str(error),
    }


def line(verdict: dict[str, Any], fair: bool) -> str:
    """Write a verdict for people."""
    if verdict["ok"]:
        head = f"ok {verdict['game']} {verdict['players']}"
        tail = f" fair: {verdict['fair']}" if verdict["fair"] else " fair: no proof in this record" if fair else ""
        if not verdict["over"]:
            return f"{head} scores=- winners=- (not over after {verdict['events']} events){tail}"
        return f"{head} scores={listed(verdict['scores'])} winners={listed(verdict['winners'])}{tail}"
    where = verdict["file"] + (f":{verdict['record']}" if verdict["record"] else "")
    event = f" event {verdict['event']}" if verdict["event"] is not None else ""
    rule = f"{verdict['rule']} " if event else ""
    return f"{where}{event}: {rule}{verdict['message']}"


def listed(numbers: list[int]) -> str:
    """Write numbers with commas, a dash for none."""
    return ",".join(map(str, numbers)) or "-"
