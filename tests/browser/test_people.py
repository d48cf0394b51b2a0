"""People who change their minds, give up, go, stay away and come back."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.mosaix import Mosaix, Placement
from tests.browser.mozaika import Mozaika
from tests.browser.patterns import Patterns
from tests.browser.people import CUT, LOST, Message, Person, start_again, wait_for_all
from tests.browser.site import Site, SpareSite
from tests.browser.stages import Gathered, Stop, Tables, lend
from tests.browser.test_talking import ONLOOKERS, SECRET, mute, open_talk, say, typed, words


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of its own, at which whoever is away for a second counts as absent, and which is killed."""
    with SpareSite(tmp_path_factory.mktemp("people"), SMALTI_GRACE_SECONDS="1").running() as running:
        yield running


def met(visit: Visit, game: str, *names: str, **how: object) -> list[Person]:
    """People at a table, each at a screen of their own, in words, the first one on a phone."""
    people = [visit("phone" if not seat else "desk", **how) for seat in range(len(names))]
    people[0].make_table(game, names[0], *["link"] * (len(names) - 1))
    links = [people[0].link(seat) for seat in range(1, len(names))]
    for person, link, name in zip(people[1:], links, names[1:], strict=True):
        person.join(link, name)
    for person in people:
        person.expect_noise(*CUT)
        person.sees_game()
        person.use_words()
    return people


def first_of(people: list[Person]) -> tuple[Person, Person]:
    """Return who has to act, and somebody else."""
    acting = next(person for person in people if person.is_my_turn)
    return acting, next(person for person in people if person is not acting)


def moves(person: Person) -> Locator:
    return person.page.get_by_role("region", name="What you can do").get_by_role("listitem").get_by_role("button")


def move(person: Person, place: int = 0) -> None:
    """Do the first thing that can be done."""
    person.until(lambda: person.is_ready)
    expect(moves(person).nth(place)).not_to_have_attribute("aria-disabled", "true")
    moves(person).nth(place).press("Enter")  # two presses of a finger in one place would be a double press


def moved(person: Person) -> None:
    """Do something, and wait until it is done."""
    number = person.number
    move(person)
    person.until(lambda: person.number > number)


def log(person: Person) -> Locator:
    return person.page.get_by_role("log", name="What happened")


def question(person: Person) -> Locator:
    return person.page.get_by_role("group", name="A question to everybody")


def more(person: Person, *buttons: str) -> None:
    """Open what stands behind "More", and press these."""
    person.press_button("More")
    for button in buttons:
        person.press_button(button)


# --- Going back


def test_a_step_is_taken_back_by_button_and_by_keys(visit: Visit) -> None:
    people = met(visit, "patterns", "Ada", "Ben")
    mover, other = first_of(people)
    expect(mover.button("Take back")).to_have_count(0)
    moved(mover)
    expect(other.button(re.compile("[Tt]ake back"))).to_have_count(0)
    mover.press_button("Take back")
    for person in people:
        expect(log(person)).to_contain_text(" (taken back)")
        expect(log(person)).to_contain_text("took back a step")
    moved(mover)
    expect(mover.button("Take back")).to_be_visible()
    mover.page.keyboard.press("Control+z")
    expect(log(other).get_by_text("took back a step")).to_have_count(2)
    mover.until(lambda: mover.is_ready)
    expect(mover.button("Take back")).to_have_count(0)


def test_beyond_that_the_other_is_asked_and_a_killed_server_forgets_nothing(visit: Visit, site: Site) -> None:
    people = met(visit, "patterns", "Ada", "Ben")
    mover, other = first_of(people)
    moved(mover)
    moved(other)
    mover.press_button("Ask to take back")
    expect(question(other)).to_contain_text("“May I take my last step back?”")
    expect(question(mover)).to_contain_text("You ask")
    site.kill()
    start_again(site, people)
    for person in people:
        expect(person.page.get_by_text(LOST)).to_have_count(0)
    other.press_button("Yes, I agree")
    expect(question(mover)).to_contain_text("Everybody has agreed.")
    mover.until(lambda: mover.is_ready)
    expect(log(mover).get_by_text("(taken back)")).to_have_count(2)


def test_one_no_is_enough_and_whoever_asks_may_think_better_of_it(visit: Visit) -> None:
    people = met(visit, "patterns", "Ada", "Ben")
    mover, other = first_of(people)
    moved(mover)
    moved(other)
    mover.press_button("Ask to take back")
    mover.open("/about")
    other.press(other.button("No", question(other)))
    mover.page.go_back()
    expect(question(mover)).to_contain_text("does not agree")  # also to whoever was away
    expect(question(mover)).to_contain_text("You asked: “May I take my last step back?”")
    mover.press_button("Close the message")
    mover.page.reload()
    mover.until(lambda: mover.state)
    expect(mover.button("Ask to take back")).to_be_visible()
    expect(question(mover)).not_to_contain_text("does not agree")
    mover.press_button("Ask to take back")
    expect(other.button("Yes, I agree")).to_be_visible()
    assert "pinned" not in str(question(mover).get_attribute("class"))  # who waits has the board free
    mover.press(question(mover).locator("summary"))
    mover.press_button("Withdraw the question")
    expect(question(other)).to_contain_text("has withdrawn the question")
    expect(other.button("Yes, I agree")).to_have_count(0)


def test_against_bots_one_goes_back_without_asking_as_far_as_one_likes(visit: Visit) -> None:
    ada = visit()
    ada.make_table("patterns", "Ada", "bot:level-1")
    ada.use_words()
    for _ in range(2):
        ada.until(lambda: ada.is_ready)
        moved(ada)
        ada.until(lambda: ada.is_ready)
    for _ in range(2):
        number = ada.number
        ada.press_button("Take back")
        ada.until(lambda number=number: ada.number > number and ada.is_ready)  # type: ignore[misc]
    expect(log(ada).get_by_text("took back a step")).to_have_count(2)


def test_the_replay_tells_what_was_taken_back(visit: Visit) -> None:
    ada, ben = met(visit, "patterns", "Ada", "Ben")
    mover, other = first_of([ada, ben])
    moved(mover)
    mover.press_button("Take back")
    mover.until(lambda: mover.is_ready)
    moved(mover)
    more(other, "Resign", "Yes, resign")
    for person in (ada, ben):
        expect(person.heading(re.compile("has resigned; .* wins$"))).to_be_visible()
        expect(person.page.get_by_text("to move")).to_have_count(0)
    mover.use_words(False)
    expect(mover.page.get_by_role("group", name="Mandala")).to_be_visible()
    expect(mover.page.get_by_text("to move")).to_have_count(0)
    other.press(other.page.get_by_role("link", name="Watch the replay"))
    expect(log(other)).to_contain_text("took back a step")
    expect(log(other).get_by_role("button")).to_have_count(2)  # the deal, and what stands
    expect(other.heading(re.compile("has resigned; .* wins$"))).to_be_visible()


# --- Before what cannot be taken back


def test_who_is_not_sure_is_asked_before_the_dice_are_rolled(visit: Visit) -> None:
    people = met(visit, "mosaix", "Ada", "Ben", is_sure=False)
    mover, other = first_of(people)
    moved(mover)  # a form can be taken back
    wait_for_all((mover, other), lambda person: person.is_ready)
    moved(mover)  # and so can a place, as long as the other has none
    other.until(lambda: other.number == mover.number)
    before = other.number
    moves(other).first.focus()
    other.page.keyboard.press("Enter")
    asked = other.page.get_by_role("alertdialog")
    expect(asked).to_contain_text("Then chance decides")
    other.page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    assert other.number == before
    moves(other).first.focus()
    other.page.keyboard.press("Enter")
    expect(asked.get_by_role("button", name="Do it")).to_be_focused()
    other.page.keyboard.press("Enter")
    other.until(lambda: other.number > before)
    expect(asked).to_have_count(0)


# By game: what a seat decides last and cannot take back, and what is said of it.
LAST: dict[str, tuple[Stop, str, str]] = {
    "mosaix": (lambda state: is_last(state, "writing"), "place ", "Then chance decides"),
    "mozaika": (lambda state: is_last(state, "bidding"), "bid ", "Then everything secret is shown"),
    "patterns": (lambda state: is_last(state, "flipping"), "done", "Then the game is over"),
}


def is_last(state: Message, phase: str) -> bool:
    """Say whether only one seat still has to decide this, or the game is over."""
    return not state["acting"] or (len(state["acting"]) == 1 and state["view"]["phase"] == phase)


def to_the_last(table: Gathered, game: str) -> str:
    """Let everybody play until a seat has to decide what it cannot take back; return that, or nothing at the end."""
    stop, verb, _ = LAST[game]
    table.play(stop)
    while table.state["acting"]:
        page = table.page(table.state["acting"][0])
        for do in [move for move in page.state["legal"] if move.startswith(verb)][:1]:
            page.send(t="why", id=page.new_id(), seat=page.state["seat"], do=do)
            if page.next("because")["final"]:
                return str(do)
        table.play(moves=1).play(stop)
    return ""


def before_the_last(tables: Tables, game: str) -> tuple[Gathered, str]:
    """Return a table at which somebody has to decide what cannot be taken back; not every game comes to it."""
    for _ in range(20):
        table = tables.playing(game)
        if last := to_the_last(table, game):
            return table, last
    raise AssertionError("none of twenty games came to it")


def do_on_the_board(person: Person, game: str, move: str) -> None:
    """Do on the drawn board what cannot be taken back."""
    if game == "mosaix":
        assert person.state
        formation = str(person.state["view"]["formation"])
        Mosaix().write(person, Placement.read(formation, move.removeprefix("place ")))
    elif game == "mozaika":
        Mozaika().bid(person, int(move.removeprefix("bid ")), random.Random(1))
    else:
        Patterns().do(person, move, random.Random(1))


@pytest.mark.parametrize("game", LAST)
def test_on_the_board_too_one_is_asked_first_and_can_switch_it_off(game: str, visit: Visit, tables: Tables) -> None:
    table, move = before_the_last(tables, game)
    seat = int(table.state["acting"][0])
    ada, ben = visit(is_sure=False), visit("phone")
    for person, place in ((ada, seat), (ben, 1 - seat if seat < 2 else 0)):
        lend(person.page.context, table.people[place])
        person.open(f"/table/{table.id}")
    wait_for_all((ada, ben), lambda person: person.number == table.state["n"])
    asked = ada.page.get_by_role("alertdialog")
    before = ada.number
    do_on_the_board(ada, game, move)
    expect(asked).to_contain_text(LAST[game][2])
    expect(asked.get_by_role("button", name="Do it")).to_be_focused()
    ada.page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    ada.page.reload()  # what the hand had begun is gone, the game stands
    ada.until(lambda: ada.is_ready)
    assert ada.number == ben.number == before
    assert "do" not in [message["t"] for message in ada.sent]
    do_on_the_board(ada, game, move)
    ada.press_button("Do it")
    for person in (ada, ben):
        person.until_done(seat, move, before)
    expect(asked).to_have_count(0)

    while (move := to_the_last(table, game)) and table.state["acting"] != [seat]:
        table.play(moves=1)
    if move:  # of Patterns there is only one end
        more(ada)
        ada.page.get_by_role("checkbox", name="Ask me before what cannot be taken back").uncheck()
        ada.press_button("Close")
        ada.until(lambda: ada.number == table.state["n"])
        before = ada.number
        do_on_the_board(ada, game, move)
        ada.until_done(seat, move, before)
        assert len(told_reasons(ada)) == 2


def told_reasons(person: Person) -> list[str]:
    """What the page was told when it asked what would follow."""
    return [message["final"] for text in person.frames if (message := json.loads(text))["t"] == "because"]


def test_it_can_be_switched_off_and_stays_so(visit: Visit) -> None:
    people = met(visit, "mosaix", "Ada", "Ben", is_sure=False)
    mover, other = first_of(people)
    more(other)
    other.page.get_by_role("checkbox", name="Ask me before what cannot be taken back").uncheck()
    other.press_button("Close")
    other.page.reload()
    for person in (mover, mover, other):
        moved(person)
    expect(other.page.get_by_role("alertdialog")).to_have_count(0)
    expect(other.button("Ask to take back")).to_be_visible()


# --- Giving up, going, ending


def test_who_resigns_looks_on_and_what_was_said_and_asked_outlives_a_killed_server(visit: Visit, site: Site) -> None:
    ada, ben, eve = met(visit, "mosaix", "Ada", "Ben", "Eve")
    ida = visit()
    ida.expect_noise(*CUT)
    ida.open(ada.watch_link())
    ida.is_at_table()
    more(eve, "Resign", "Stay", "Resign", "Yes, resign")
    expect(ada.page.get_by_text("resigned")).to_be_attached()
    eve.until(lambda: eve.state and eve.eyes is None)
    everybody = (ada, ben, eve, ida)
    for person, name in zip(everybody, (None, None, None, "Ida"), strict=True):
        open_talk(person, name)
    mute(ben, "Ada")
    say(ada, SECRET)
    ada.press_button("Good luck!")
    say(ida, "who is ahead?")
    expect(words(eve, ONLOOKERS)).to_contain_text("Ida who is ahead?")
    more(ben, "End the game together", "Yes, ask them")
    expect(question(ada)).to_contain_text("Shall we end the game here")
    typed(ada).fill("half a thought")

    site.kill()
    for person in everybody:
        expect(person.page.get_by_text(LOST)).to_be_visible()
    say(ben, "said while nobody listened")
    start_again(site, everybody)
    for person in everybody:
        expect(person.page.get_by_text(LOST)).to_have_count(0)
    eve.page.reload()  # what it knows now the new server has told
    open_talk(eve)

    expect(words(ada).locator("p")).to_have_text(
        [f"Ada {SECRET}", "Ada Good luck!", "Ben said while nobody listened"], use_inner_text=True
    )
    expect(typed(ada)).to_have_value("half a thought")
    expect(ben.page.get_by_role("checkbox", name="Do not hear Ada")).to_be_checked()
    expect(words(ben).locator("p")).to_have_text(["Ben said while nobody listened"], use_inner_text=True)
    for onlooker in (eve, ida):
        expect(words(onlooker, ONLOOKERS).locator("p")).to_have_text(["Ida who is ahead?"], use_inner_text=True)
        assert SECRET not in onlooker.told
        assert "said while nobody listened" not in onlooker.told
    assert "who is ahead" not in ada.told + ben.told
    eve.until(lambda: eve.state and eve.eyes is None and eve.mine == [])
    expect(eve.button("Take back")).to_have_count(0)
    expect(ada.page.get_by_text("resigned")).to_be_attached()

    expect(question(ben)).to_contain_text("Waiting for Ada.")
    expect(question(ben)).to_contain_text("If not everybody has answered, the question lapses in")
    ada.press_button("Yes, I agree")
    for person in everybody:
        expect(person.heading("The game was broken off: all have agreed")).to_be_visible()
    expect(ada.button("Play again")).to_be_visible()


def test_who_leaves_before_the_game_frees_the_seat(visit: Visit) -> None:
    ada, ben = visit(), visit("phone")
    ada.make_table("mozaika", "Ada", "link", "link")
    ben.join(ada.link(1), "Ben")
    ben.press_button("Leave")
    ben.press_button("Yes, leave")
    ben.page.wait_for_url(re.compile(r"/$"))
    expect(ada.page.get_by_role("textbox", name="Link for seat 2")).to_be_visible()


# --- Away


STAND_IN = "Let Hare play"  # the bot that plays for whoever is away, unless another was agreed


def test_a_bot_plays_for_who_is_away_until_they_take_their_seat_again(visit: Visit, site: Site) -> None:
    ada, ben, eve = met(visit, "mosaix", "Ada", "Ben", "Eve")
    eve.open("/about")
    ada.press(ada.page.get_by_text("Eve has been away for a while.").last)
    ada.press_button(STAND_IN)
    expect(question(ben)).to_contain_text("Shall Hare play for Eve, who is away?")
    ben.press_button("Yes, I agree")
    ada.until(lambda: ada.table and ada.table["seats"][2]["kind"] == "bot")
    site.kill()
    site.start()
    eve.open("/")
    expect(eve.page.get_by_text("lent to others")).to_be_visible()
    eve.press(eve.page.get_by_role("link", name="Mosaix").first)
    expect(eve.page.get_by_role("region", name="Your seat")).to_contain_text("is playing for you.")
    eve.press_button("Take my seat again")
    eve.until(lambda: eve.mine == [2] and eve.eyes == 2)
    expect(eve.button("Take my seat again")).to_have_count(0)


def test_a_host_hands_the_own_seat_on_and_another_is_host(visit: Visit) -> None:
    ada, ben = met(visit, "patterns", "Ada", "Ben")
    table = ada.page.url
    more(ada, "Hand my seat on", "Stay", "Hand my seat on", "Yes, hand it on")
    mine = ada.page.get_by_role("textbox", name="Link to your seat, to hand on")
    link = mine.input_value()
    expect(ben.page.get_by_text("Ada has handed the seat on.")).to_be_visible()
    expect(ben.page.locator(".strip .name")).to_have_text(["Ada", "Ben"])
    expect(ben.page.locator("ul.strip")).not_to_contain_text("for Ada")
    before = len(ben.sent)
    ben.press_button(STAND_IN)  # nobody else has to agree
    expect(ben.page.get_by_text("Nobody else has to agree: Hare plays for Ada at once")).to_be_visible()
    expect(ben.button("Yes, let Hare play")).to_be_focused()
    ben.press_button("Go on waiting")
    assert "ask" not in [message["t"] for message in ben.sent[before:]]
    assert link.rpartition("/")[2] not in ben.told
    ada.open("/about")
    ben.press_button("Be the host")
    ben.until(lambda: ben.table and ben.table["host"])
    ida = visit()
    ida.open(link)
    expect(ida.page.get_by_text("You play for Ada until Ada takes the seat again.")).to_be_visible()
    ida.join(link, "Ida")
    ida.until(lambda: ida.eyes == 0)
    ada.open(table)
    expect(ada.page.get_by_role("region", name="Your seat")).to_contain_text("Ida is playing for you.")
    ada.press_button("Take my seat again")
    ada.until(lambda: ada.mine == [0] and ada.eyes == 0)
    ida.until(lambda: ida.mine == [] and ida.state and ida.eyes is None)


def test_who_comes_back_in_time_ends_the_question(visit: Visit) -> None:
    ada, ben, eve = met(visit, "mosaix", "Ada", "Ben", "Eve")
    table = eve.page.url
    eve.open("/about")
    ada.press(ada.page.get_by_text("Eve has been away for a while.").last)
    ada.press_button(STAND_IN)
    expect(ben.button("Yes, I agree")).to_be_visible()
    eve.open(table)
    expect(ben.button("Yes, I agree")).to_have_count(0)
    expect(question(ada)).to_contain_text("Eve does not agree")


def test_a_seat_that_is_lent_shows_its_hand_to_nobody_else(visit: Visit) -> None:
    """Who lends a seat looks on like anybody: what the seat sees is not told to them until they have it again."""
    ada, ben, eve = met(visit, "mozaika", "Ada", "Ben", "Eve")
    eve.open("/about")
    ada.press(ada.page.get_by_text("Eve has been away for a while.").last)
    ada.press_button(STAND_IN)
    ben.press_button("Yes, I agree")
    ada.until(lambda: ada.table and ada.table["seats"][2]["kind"] == "bot")
    before = len(eve.frames)
    eve.open(ada.page.url)
    expect(eve.button("Take my seat again")).to_be_visible()
    eve.until(lambda: any('"t":"state"' in text for text in eve.frames[before:]))
    states = [message for text in eve.frames[before:] if (message := json.loads(text))["t"] == "state"]
    assert {state["seat"] for state in states} == {None}
    assert not any(event["id"] or state["legal"] for state in states for event in state["events"])


# --- What is theirs


def test_a_question_waits_for_whoever_is_away(visit: Visit) -> None:
    ada, ben, eve = met(visit, "mosaix", "Ada", "Ben", "Eve")
    table = eve.page.url
    eve.open("/about")
    more(ada, "End the game together", "Yes, ask them")
    ben.press_button("Yes, I agree")
    expect(question(ada)).to_contain_text("Waiting for Eve (away).")
    expect(question(ada)).to_contain_text("the question lapses in")
    assert ada.table
    assert ada.table["stage"] == "playing"
    eve.open(table)
    eve.press_button("Yes, I agree")
    expect(ada.heading("The game was broken off: all have agreed")).to_be_visible()


def test_where_a_clock_runs_nobody_is_played_for(visit: Visit) -> None:
    ada, ben = visit(), visit("phone")
    ada.make_table("patterns", "Ada", "link", clock="slow-1")
    ben.join(ada.link(1), "Ben")
    ada.sees_game()
    ben.open("/about")
    ada.until(lambda: ada.newest.get("presence", {}).get("seats") == [True, False])
    told = ada.page.get_by_role("region", name="Somebody is missing")
    expect(told).to_contain_text("Not here just now: Ben. When time runs out, a bot (Hare) plays the move.")
    expect(ada.page.get_by_text("has been away for a while")).to_have_count(0)
    expect(ada.button(STAND_IN)).to_have_count(0)


def test_a_host_frees_a_seat_before_the_game_only_and_its_person_comes_back(visit: Visit) -> None:
    ada, ben = visit(), visit("phone")
    ada.make_table("mozaika", "Ada", "link", "link")
    ben.join(ada.link(1), "Ben")
    expect(ada.button("Make a new link")).to_have_count(1)  # of the free seat
    ada.press_button("Free this seat")
    expect(ada.page.get_by_text("Ben loses the seat, but can take it again")).to_be_visible()
    ada.press_button("Yes, free it")
    expect(ben.page.get_by_role("region", name="Your seat")).to_contain_text("The host has freed your seat.")
    ben.press_button("Take my seat again")
    ben.until(lambda: ben.mine == [1])
    cleo = visit()
    cleo.join(ada.link(2), "Cleo")
    ada.sees_game()
    more(ada)
    expect(ada.button("Make a new link")).to_have_count(0)
    expect(ada.button("Free this seat")).to_have_count(0)


def test_a_private_table_shows_strangers_nothing_and_its_links_show_it(visit: Visit) -> None:
    ada, ben, eve = visit(), visit(), visit("phone")
    eve.expect_noise(*CUT, r"status of 403")
    table = ada.make_table("mozaika", "Ada", "link", "link")
    link = ada.link(1)
    ben.open(link)
    expect(ben.page.get_by_text("The finished game can be seen by those who have its link.")).to_be_visible()
    expect(ben.page.get_by_role("list", name="At the table")).to_contain_text("Ada")
    eve.open(f"/table/{table}")
    expect(eve.heading("This table is private")).to_be_visible()
    eve.open(link[:-4] + "xxxx")
    expect(eve.heading("This link does not open the table")).to_be_visible()
    assert not re.search(r"\bAda\b", eve.told)


def test_a_game_for_its_players_only_opens_for_nobody_else(visit: Visit, tables: Tables) -> None:
    table = tables.playing("patterns", terms={"finders": "players"}).play()
    ada, eve = visit(), visit("phone")
    eve.expect_noise(r"status of 403")
    lend(ada.page.context, table.host)
    ada.open(f"/table/{table.id}")
    expect(ada.page.get_by_text("Only those who played can see this game")).to_be_visible()
    ada.press(ada.page.get_by_role("link", name="Watch the replay"))
    expect(log(ada)).to_be_visible()
    ada.press_button("Share")
    expect(ada.page.get_by_text("for others its link opens nothing")).to_be_visible()
    for address in (f"/table/{table.id}", f"/game/{table.id}", f"/g/{table.id}/5", f"/continue/{table.id}/5"):
        eve.open(address)
        expect(eve.heading("This game is private")).to_be_visible()
