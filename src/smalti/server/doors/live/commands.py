"""What a page can say: each message is done, or answered by why not."""

from __future__ import annotations

import time

import msgspec

from smalti.engine.errors import BadInput, Refused, SmaltiError, shown
from smalti.server.actions.chat import say
from smalti.server.actions.consent import answer, ask, object_by_coming
from smalti.server.actions.seats import want
from smalti.server.actions.text_input import checked_nonce
from smalti.server.doors.live.page import Page
from smalti.server.problems import Problem, problem_of
from smalti.server.table.entries import GATHERING
from smalti.server.table.takebacks import finality
from smalti.server.wire.from_page import Answer, Ask, Do, Eyes, FromPage, Look, Ping, Say, Want, Why, moves_of
from smalti.server.wire.to_page import Because, Done, Pong, Refusal

MOST_MOVES = 4  # of one decision
LONGEST_ID = 64

decoder = msgspec.json.Decoder(FromPage)


async def obey_text(page: Page, text: str | bytes) -> None:
    """Do what a page says, or tell it why not."""
    try:
        message = decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        page.answer(refusal(None, Problem("format", what=str(error))))
        return
    try:
        await obey(page, message)
    except SmaltiError as error:
        page.moved_at, said = None, refusal(getattr(message, "id", None), error)
        page.room.rooms.metrics.refusals(said.reason).inc()
        page.answer(said)


def refusal(message: str | None, error: SmaltiError) -> Refusal:
    """Describe why nothing was done."""
    if isinstance(error, Refused):
        return Refusal(message, error.rule, error.reason, error.values, error.sentence)
    problem = problem_of(error)
    return Refusal(message, "", problem.reason, problem.values, problem.sentence)


async def obey(page: Page, message: Look | Do | Why | Say | Eyes | Ask | Answer | Want | Ping) -> None:
    """Do what a page says."""
    match message:
        case Do():
            await make_moves(page, message)
        case Look():
            await page.look(message)
            await object_by_coming(page.room, page.holder)
        case Why():
            page.answer(because(page, message))
        case Say():
            check_id(message.id)
            await say(page.room, message, page.holder, page.address)
        case Eyes():
            page.set_visible(message.open)
        case Ping():
            page.set_visible(page.is_visible)
            page.answer(Pong())
        case _:
            await act_beside_the_game(page, message)


async def make_moves(page: Page, message: Do) -> None:
    """Let a seat of this browser make the moves of one decision."""
    page.moved_at = time.perf_counter()
    page.check_seat(message.seat)
    check_id(message.id)
    known = page.room.log.ids.get((message.seat, message.id))
    if known is not None:  # sent twice: tell again
        page.since = min(page.since or 0, known - 1)
        page.wake(people=False)
        return
    nonce = None if message.nonce is None else checked_nonce(message.nonce)
    await page.room.play(message.seat, checked_moves(message.do), message.n, message.id, page.holder, nonce)


async def act_beside_the_game(page: Page, message: Ask | Answer | Want) -> None:
    """Let a seat of this browser ask the others for something, answer, or do something beside the game."""
    check_id(message.id)
    if isinstance(message, Ask):
        await ask(page.room, message, page.holder)
    elif isinstance(message, Answer):
        await answer(page.room, message, page.holder)
    else:
        await want(page.room, message, page.holder)
    page.answer(Done(message.id))


def because(page: Page, message: Why) -> Because:
    """Say why a seat of this browser could not do something now."""
    page.check_seat(message.seat)
    log = page.room.log
    if log.stage == GATHERING:
        raise Problem("turn")
    if log.ended:
        raise Problem("over")
    try:
        final = finality(log.match, message.seat, [*message.after, *checked_moves(message.do)])
    except Refused as error:
        return Because(message.id, False, error.rule, error.reason, error.values, error.sentence)
    except BadInput as error:
        raise Problem("notation", do=shown(" ".join(moves_of(message.do)))) from error
    return Because(message.id, True, "", "", {}, "", final)


def check_id(text: str) -> None:
    """Refuse what cannot be the id of a message."""
    if not 0 < len(text) <= LONGEST_ID or not text.isprintable():
        raise Problem("format", what=f"an id has 1 to {LONGEST_ID} characters")


def checked_moves(do: str | list[str]) -> list[str]:
    """Return the moves of one decision; there are few in any game."""
    moves = moves_of(do)
    if not 0 < len(moves) <= MOST_MOVES:
        raise Problem("format", what=f"a decision has 1 to {MOST_MOVES} moves")
    return moves
