"""Words at the table: read in everybody's own language, shown as text, heard only by those they are meant for."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Visit
from tests.browser.people import Person, wait_for_all

MARKUP = '<img src="x" onerror="document.title = 1"> & <b>bold</b>'
SECRET = "I want the middle"
ONLOOKERS = "Among onlookers"


def met(visit: Visit, language: str = "en-GB") -> tuple[Person, Person]:
    """Two people at a table of Patterns, the second one at a phone with this language."""
    ada, ben = visit(), visit("phone", language=language)
    ada.make_table("patterns", "Ada", "link")
    ben.open(ada.link(1))
    ben.page.locator("main form input").fill("Ben")
    ben.press(ben.page.locator("main form button[type=submit]"))
    ben.is_at_table()
    wait_for_all((ada, ben), lambda person: person.state)
    return ada, ben


def words(person: Person, name: str = "At the table") -> Locator:
    return person.page.get_by_role("log", name=name)


def typed(person: Person) -> Locator:
    return person.page.get_by_role("textbox", name="Say something")


def say(person: Person, text: str) -> None:
    typed(person).fill(text)
    person.press_button("Say it")


def open_talk(person: Person, name: str | None = None) -> None:
    """Open the words of the table; an onlooker says a name first, once."""
    person.press_button(re.compile(r"^Talk( \(\d+ new messages?\))?$"))
    if name:
        person.page.get_by_role("textbox", name="Your name among the onlookers").fill(name)
        person.press_button("Use this name")


def mute(person: Person, name: str) -> None:
    """Hear somebody no more."""
    person.press(person.page.get_by_text("Whom not to hear"))
    person.page.get_by_role("checkbox", name=f"Do not hear {name}").check()


def test_a_phrase_is_read_in_the_readers_language(visit: Visit) -> None:
    ada, ben = met(visit, "de-DE")
    ada.press_button("Talk")
    ada.press_button("Good luck!")
    expect(words(ada)).to_contain_text("Ada Good luck!")
    assert words(ada).locator("p").evaluate("(line) => line.clientHeight < 30")  # the host's cross makes it no higher
    expect(ben.button("Reden (1 neue Nachricht)")).to_be_visible()
    ben.press_button("Reden (1 neue Nachricht)")
    expect(words(ben, "Am Tisch")).to_contain_text("Ada Viel Glück!")
    expect(words(ben, "Am Tisch")).to_be_in_viewport()  # on a phone it stands two screens below
    ben.press_button("Danke!")
    expect(words(ada)).to_contain_text("Ben Thank you!")
    ben.press_button("Reden")
    expect(ben.button("Reden")).to_be_visible()  # all of it has been read


def test_typed_words_are_text_and_survive_a_reload(visit: Visit) -> None:
    ada, ben = met(visit)
    ada.press_button("Talk")
    say(ada, MARKUP)
    ben.press_button("Talk (1 new message)")
    expect(words(ben)).to_contain_text(MARKUP)
    assert words(ben).locator("img, b").count() == 0
    ben.page.reload()
    ben.press_button("Talk")
    expect(words(ben)).to_contain_text(MARKUP)


def test_nobody_has_to_hear_everybody(visit: Visit) -> None:
    ada, ben = met(visit)
    for person in (ada, ben):
        person.press_button("Talk")
    mute(ben, "Ada")
    say(ada, "can you hear me?")
    say(ben, "no")
    expect(words(ada)).to_contain_text("Ben no")
    expect(words(ben)).to_contain_text("Ben no")
    expect(words(ben)).not_to_contain_text("can you hear me?")
    ben.page.get_by_role("checkbox", name="Do not hear Ada").uncheck()
    expect(words(ben)).to_contain_text("can you hear me?")


def test_who_says_too_much_is_told_so_beside_the_words_and_need_not_type_them_again(visit: Visit) -> None:
    ada, _ = met(visit)
    ada.press_button("Talk")
    for _ in range(8):
        ada.press_button("Oops!")
    say(ada, "and that is not all")
    expect(typed(ada)).to_have_value("and that is not all")
    expect(ada.page.get_by_role("alert").filter(has_text="Too many requests")).to_be_visible()


def test_onlookers_talk_among_themselves(visit: Visit) -> None:
    ada, ben = met(visit)
    eve, ida = visit(), visit()
    link = ada.watch_link()
    for onlooker, name in ((eve, "Eve"), (ida, "Ida")):
        onlooker.open(link)
        onlooker.is_at_table()
        open_talk(onlooker, name)
    ada.press_button("Talk")
    say(ada, SECRET)
    say(eve, "who is ahead?")
    expect(words(ida, ONLOOKERS)).to_contain_text("Eve who is ahead?")
    ben.press_button("Talk (1 new message)")
    expect(words(ben)).to_contain_text(SECRET)
    assert SECRET not in eve.told + ida.told
    assert "who is ahead" not in ada.told + ben.told


def test_people_talk_while_they_wait_for_others(visit: Visit) -> None:
    ada, ben = visit(), visit()
    ada.make_table("mozaika", "Ada", "link", "link")
    ben.join(ada.link(1), "Ben")
    ben.press_button("Hello!")
    expect(words(ada)).to_contain_text("Ben Hello!")


def test_alone_with_bots_there_is_nobody_to_talk_to(visit: Visit) -> None:
    ada = visit()
    ada.make_table("patterns", "Ada", "bot:level-1")
    ada.until(lambda: ada.state)
    expect(ada.button("More")).to_be_visible()
    expect(ada.button("Talk")).to_have_count(0)


# --- What a host can do about words


def test_a_host_takes_away_what_a_player_said(visit: Visit) -> None:
    ada, ben = met(visit)
    for person in (ada, ben):
        person.press_button("Talk")
    say(ben, "not nice")
    expect(words(ben).get_by_role("button")).to_have_count(0)
    ada.press_button("Take away: not nice")
    ada.press_button("Keep it")
    expect(words(ada)).to_contain_text("Ben not nice")
    ada.press_button("Take away: not nice")
    ada.press_button("Take it away for everybody")
    for person in (ada, ben):
        expect(words(person)).to_contain_text("Ben taken away by the host")
        expect(words(person)).not_to_contain_text("not nice")
    ben.page.reload()
    open_talk(ben)
    expect(words(ben)).to_contain_text("Ben taken away by the host")


def test_a_host_silences_an_onlooker_and_clears_what_onlookers_said(visit: Visit) -> None:
    ada, _ = met(visit)
    eve, ida = visit(), visit("phone")
    link = ada.watch_link()
    for onlooker, name in ((eve, "Eve"), (ida, "Ida")):
        onlooker.open(link)
        onlooker.is_at_table()
        open_talk(onlooker, name)
    say(eve, "take the middle")
    expect(words(ida, ONLOOKERS)).to_contain_text("Eve take the middle")
    open_talk(ada)
    ada.press(ada.page.get_by_text("Onlookers who speak"))
    ada.press_button("Silence Eve")
    expect(ada.button("Let Eve speak again")).to_be_visible()
    say(eve, "and now the left")
    expect(eve.page.get_by_role("alert").filter(has_text="The host has silenced you")).to_be_visible()
    expect(typed(eve)).to_have_value("and now the left")
    expect(typed(eve)).to_have_attribute("placeholder", "Silenced by the host")
    expect(typed(eve)).to_have_accessible_description(re.compile("^The host has silenced you"))
    ada.press_button("Take away everything onlookers have said")
    expect(ada.button("Keep it")).to_be_focused()
    ada.page.keyboard.press("Enter")
    expect(ada.button("Take away everything onlookers have said")).to_be_focused()
    ada.page.keyboard.press("Enter")
    asked = ada.page.get_by_role("group", name="Take away everything onlookers have said")
    expect(asked.get_by_text("Take away everything onlookers have said")).to_be_visible()
    ada.press_button("Take it away for everybody")
    for onlooker in (eve, ida):
        expect(words(onlooker, ONLOOKERS)).not_to_contain_text("take the middle")
    ada.press_button("Let Eve speak again")
    eve.press_button("Say it")
    expect(words(ida, ONLOOKERS)).to_contain_text("Eve and now the left")


def test_an_onlooker_with_a_players_name_is_asked_for_another(visit: Visit) -> None:
    ada, _ = met(visit)
    eve = visit()
    eve.open(ada.watch_link())
    eve.is_at_table()
    open_talk(eve, "Ada")
    say(eve, "it is me")
    expect(eve.page.get_by_role("alert").filter(has_text="already has this name")).to_be_visible()
    eve.page.get_by_role("textbox", name="Your name among the onlookers").fill("Eve")
    eve.press_button("Use this name")
    expect(typed(eve)).to_have_value("it is me")
    eve.press_button("Say it")
    expect(words(eve, ONLOOKERS)).to_contain_text("Eve it is me")
