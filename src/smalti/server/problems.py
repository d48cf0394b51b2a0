"""What can be wrong with a request or a message that is not a matter of a game's rules."""

from __future__ import annotations

from collections.abc import Mapping

from smalti.engine.errors import BadInput, Refused, SmaltiError
from smalti.server import bodies

# By key: the HTTP status and the English sentence. The pages translate `reason.table.KEY`.
PROBLEMS = {
    "gone": (404, "there is no such table"),
    "address": (404, "there is nothing at this address"),
    "full": (409, "all seats are taken"),
    "used": (409, "this link has been used already; the host can make a new one"),
    "link": (403, "this link is not valid any more; the host can make a new one"),
    "closed": (403, "this table is for those who play at it, and for those with its link"),
    "private": (403, "this game is for those who have played it"),
    "held": (409, "somebody sits there and the game has begun; only they can hand their seat on"),
    "sealed": (409, "what this seat has decided is still sealed; hand the seat on when it has been shown"),
    "clocked": (409, "there is a clock: it says what happens while somebody is away"),
    "agreed-bot": (400, "who stands in was agreed when the table was made: {bot}"),
    "not-host": (403, "only who made the table can do this"),
    "not-yours": (403, "this seat is not yours"),
    "name": (400, "a name has 1 to {most} characters that can be seen"),
    "same-name": (409, "somebody at this table has this name, or one that looks the same"),
    "over": (409, "the game is over"),
    "not-over": (409, "the game is not over yet"),
    "started": (409, "the game has begun already"),
    "bots": (400, "there is no such bot; there are: {known}"),
    "seats": (400, "this game is played by {wanted} players"),
    "options": (400, "there is no such option"),
    "game": (400, "there is no such game; there are: {known}"),
    "kind": (400, "a seat is for someone here, someone with a link, or a bot"),
    "rules": (410, "this game was played by other rules than the ones known here"),
    "origin": (403, "requests from other sites are not taken"),
    "format": (400, "this could not be read: {what}"),
    "large": (413, "this is too large"),
    "long-address": (414, "this address is too long"),
    "headers": (431, "the headers of this request are too large; delete the cookies of this site"),
    "stored": (503, "this could not be stored, and nothing has changed; try again in a moment"),
    "many": (429, "that was too often; try again in {seconds} s"),
    "busy": (503, "too many people are connected; try again in {seconds} s"),
    "slow": (408, "the request took too long to arrive; send it again"),
    "away": (503, "the database does not answer; try again in {seconds} s"),
    "damaged": (500, "the database is damaged; whoever runs this site has to restore a backup"),
    "compiling": (503, "the rules of this game are being compiled: {percent} %; try again in {seconds} s"),
    "host": (421, "this server does not go by the name {name}; SMALTI_ORIGINS says which names it has"),
    "stale": (409, "the table has moved on; look again"),
    "turn": (409, "this seat does not have to act now"),
    "notation": (400, "{do} is not something that can be done in this game"),
    "words": (400, "say something of 1 to {most} characters, or a phrase"),
    "silenced": (403, "the host has silenced you at this table"),
    "commitment": (409, "the page knows another commitment than the one of this table; load it again"),
    "nonce": (400, "a nonce has {digits} hexadecimal digits"),
    "code": (400, "a code has 1 to {most} characters"),
    "unproven": (404, "this game was played without a proof"),
    "push": (400, "notices cannot be sent to this address"),
    "clock": (400, "a clock has {least} seconds to {most} days, and at most an hour more with every decision"),
    "late": (409, "the time for this has run out"),
    "pause": (409, "there is no clock here that could be stopped or go on now"),
    "paused": (409, "the game is paused"),
    "asked": (409, "something else is being asked at this table; answer that first"),
    "matter": (400, "there is no such thing to ask for; there are: {known}"),
    "back": (409, "there is nothing that this seat could take back now"),
    "not-begun": (409, "the game has not begun yet"),
    "present": (409, "nobody is absent there, or not for long enough"),
    "event": (404, "there is no such event; there are 0 to {last}"),
    "start": (400, "this goes on from another game: its game, options and number of seats cannot be changed"),
    "final": (409, "the game is over at this point; go on from an earlier one"),
    "record": (400, "this is not the record of a game: {what}"),
    "long": (413, "a game that is taken over has at most {most} events"),
    "server": (500, "something went wrong here; nothing has changed"),
}


class Problem(SmaltiError):
    """A request that cannot be done, with a key for translation."""

    def __init__(self, key: str, **values: str | int) -> None:
        self.status, sentence = PROBLEMS[key]
        self.reason = f"table.{key}"
        self.values: Mapping[str, object] = values
        self.sentence = sentence.format(**values)
        super().__init__(self.sentence)

    def told(self) -> bodies.Problem:
        """Return the message that says so."""
        return bodies.Problem(self.reason, self.values, self.sentence)


def problem_of(error: SmaltiError) -> Problem:
    """Return the problem that an error of the engine is to somebody outside."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, BadInput):
        return Problem("format", what=str(error))
    return Problem("server")


__all__ = ["PROBLEMS", "Problem", "Refused", "problem_of"]
