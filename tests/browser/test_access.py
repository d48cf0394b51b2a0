"""Everybody can use every page: with a screen reader, keys or a thumb, in six languages, in the dark and the sun."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visit
from tests.browser.scenes import (
    LANGUAGES,
    SIZES,
    THEMES,
    Scene,
    by_the_clock,
    context_for,
    decisions,
    endings,
    gatherings,
    in_words,
    lobby,
    open_more,
    shared_screens,
    show,
    simple_pages,
)
from tests.browser.site import Site
from tests.browser.stages import Tables, after, asks, lend
from tests.server.site import ROOT

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
GAMES = ("mosaix", "mozaika", "patterns")
PATTERNS_MIDDLE = after(10, asks(0, "playing"))
MIDDLE = {"mosaix": after(20, asks(0, "forming")), "mozaika": after(40, asks(0, "laying")), "patterns": PATTERNS_MIDDLE}


# --- Machines that check


def violations(page: Page, *rules: str) -> list[str]:
    """What axe finds wrong with a page."""
    only = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    found = page.evaluate("options => axe.run(document, options)", {**only, "resultTypes": ["violations"]})
    return [told(violation, node) for violation in found["violations"] for node in violation["nodes"]]


def told(violation: dict[str, Any], node: dict[str, Any]) -> str:
    """One thing that is wrong, in a line."""
    why = "; ".join(check["message"] for check in [*node["any"], *node["all"], *node["none"]])
    return f"{violation['id']}: {' '.join(str(part) for part in node['target'])}: {why}"


# Colours that change with the theme are there when the frame after it is drawn and nothing moves any more.
SETTLED = """async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise((done) => requestAnimationFrame(done));
    const changes = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(changes.map((one) => one.finished));
}"""


def wrong_with(chromium: Browser, site: Site, scene: Scene, size: str, *themes: str) -> Iterator[str]:
    """What is wrong with a page at one size, in these themes; the second differs in its colours only."""
    context = context_for(chromium, site, size, scene)
    page = show(context, scene)
    page.emulate_media(color_scheme=themes[0])  # type: ignore[arg-type]
    page.evaluate(AXE.read_text())
    rules: tuple[str, ...] = ()
    for theme in themes:
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.evaluate(SETTLED)
        for violation in violations(page, *rules):
            yield f"{scene.name} {size} {theme}: {violation}"
        rules = ("color-contrast", "link-in-text-block")
    context.close()


# Every size and every theme, each once; what is there at both sizes is seen in both themes.
WAYS = (("phone", "dark"), ("desk", "light"))


def parts_of(name: str) -> Callable[[Tables], Iterator[Scene]]:
    """The tables at which one game waits for a decision."""
    return lambda tables: (scene for scene in decisions(tables) if scene.name[3:].startswith(name))


@pytest.mark.parametrize(
    "scenes",
    [
        *[pytest.param(parts_of(game), id=game) for game in GAMES],
        gatherings,
        lobby,
        in_words,
        shared_screens,
        by_the_clock,
        endings,
    ],
)
def test_axe_finds_nothing_wrong_with_tables(
    scenes: Callable[[Tables], Iterator[Scene]], site: Site, chromium: Browser, tables: Tables
) -> None:
    found = [wrong for scene in scenes(tables) for way in WAYS for wrong in wrong_with(chromium, site, scene, *way)]
    assert not found, "\n".join(found)


def test_axe_finds_nothing_wrong_with_the_other_pages(site: Site, chromium: Browser, tables: Tables) -> None:
    tables.playing("patterns", listed=True).play()  # so that the archive has something in it
    pages = [scene for scene in simple_pages() if "-home-" not in scene.name or scene.name.endswith("-en")]
    alternating = [
        wrong_with(chromium, site, scene, *way)
        for number, scene in enumerate(pages)
        for way in (WAYS if "home" in scene.name else [WAYS[number % 2]])
    ]
    home = [wrong_with(chromium, site, pages[0], size, *THEMES) for size in SIZES]
    found = list(chain(*alternating, *home))
    assert not found, "\n".join(found)


# --- Phones

# What may be smaller than a fingertip, each with the reason.
SMALL = {
    "[data-tile]": "eight columns of the mandala share 360 px; a space is as large as there is room",
    ".skip": "seen only by those who press Tab",
    "p a, li a": "a link within a line of text",
    "footer a": "a link within a line of text",
}
SMALL_TARGETS = """(exceptions) => {
    const pressed = 'button, a[href], input, select, summary, [role="button"], [role="application"]';
    const isBox = (element) => element.matches('input[type=checkbox], input[type=radio]');
    const size = (element) => ((isBox(element) && element.closest('label')) || element).getBoundingClientRect();
    const isShown = (element) => element.checkVisibility({visibilityProperty: true});
    const isExcepted = (element) => exceptions.some((one) => element.matches(one) || element.querySelector(one));
    const name = (element) => element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40);
    return [...document.querySelectorAll(pressed)]
        .filter((element) => isShown(element) && !isExcepted(element))
        .map((element) => [element, size(element)])
        .filter(([, box]) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
        .map(([element, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${element.tagName}`
            + ` ${element.getAttribute('class') ?? ''} "${name(element)}"`);
}"""


@pytest.mark.parametrize("scenes", [*[pytest.param(parts_of(game), id=game) for game in GAMES], shared_screens])
def test_everything_that_is_pressed_at_a_table_is_as_large_as_a_fingertip(
    scenes: Callable[[Tables], Iterator[Scene]], site: Site, chromium: Browser, tables: Tables
) -> None:
    found: list[str] = []
    for scene in scenes(tables):
        context = context_for(chromium, site, "phone", scene)
        small = show(context, scene).evaluate(SMALL_TARGETS, list(SMALL))
        found += [f"{scene.name}: {one}" for one in dict.fromkeys(small)]
        context.close()
    assert not found, "\n".join(found)


IS_CUT = """[...document.querySelectorAll('header > .turn:not(.visually-hidden)')].some((line) =>
    line.scrollHeight > line.clientHeight + 2 || line.scrollWidth > line.clientWidth)"""


def test_nothing_is_wider_than_a_small_phone_in_any_language(site: Site, chromium: Browser, tables: Tables) -> None:
    clock = {"kind": "live", "seconds": 3600, "increment": 30}
    played = [tables.playing(game, terms={"clock": clock}).play(MIDDLE[game]) for game in GAMES]
    gathering, begun = tables.gathering("mozaika"), tables.playing("patterns").play(asks(1, "giving"))
    scenes = [
        Scene("begun", f"/table/{begun.id}", begun.people[1], ready=".table .play"),
        Scene("home", "/", ready=".games .card"),
        *[Scene(f"new {game}", f"/new/{game}", ready="form", press=open_more) for game in GAMES],
        Scene("gathering", f"/table/{gathering.id}", gathering.host, ready=".gathering"),
        *[Scene("table", f"/table/{table.id}", table.host, ready=".table .play") for table in played],
        *[Scene("text", f"/table/{table.id}", table.host, ready=".table .play", words=True) for table in played],
    ]
    found = [wide for scene in scenes for wide in too_wide(chromium, site, scene)]
    assert not found, "\n".join(found)


def too_wide(chromium: Browser, site: Site, scene: Scene) -> Iterator[str]:
    """The languages in which a page is wider than the screen, or does not say in full whose turn it is."""
    context = context_for(chromium, site, "phone", scene)
    page = show(context, scene)
    for language in LANGUAGES:
        page.locator("header select").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        width = page.evaluate("document.scrollingElement.scrollWidth")
        if width > SIZES["phone"][0]:
            yield f"{scene.name} {scene.path} in {language}: {width} px"
        if page.evaluate(IS_CUT):
            yield f"{scene.name} {scene.path} in {language}: {page.locator('header > .turn').inner_text()} is cut off"
    context.close()


# --- Keyboards

RING = """async () => {
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const element = document.activeElement;
    const told = ['outlineStyle', 'outlineWidth', 'outlineColor', 'boxShadow', 'borderColor', 'backgroundColor',
                  'stroke', 'strokeOpacity', 'strokeWidth', 'opacity', 'visibility', 'display'];
    const look = (one) => { const style = getComputedStyle(one); return told.map((name) => style[name]).join(); };
    const looks = () => [element, ...element.querySelectorAll('*')].map(look).join('|');
    const label = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 30);
    const name = `${element.tagName} ${element.getAttribute('class') ?? ''} ${label}`;
    const [isBoard, isFooter] = [!!element.closest('.play'), !!element.closest('footer')];
    await drawn();
    const focused = looks();
    element.blur();
    await drawn();
    const plain = looks();
    element.focus();
    return {name, isBoard, isFooter, isSeen: focused !== plain};
}"""


@pytest.mark.parametrize("game", GAMES)
def test_tab_reaches_the_board_and_the_end_and_always_shows_where_it_is(
    game: str, visit: Visit, tables: Tables
) -> None:
    table = tables.playing(game).play(MIDDLE[game])
    ada = visit()
    lend(ada.page.context, table.host)
    ada.open(f"/table/{table.id}")
    expect(ada.page.locator(".table .play")).to_be_visible()
    stops: list[dict[str, Any]] = []
    while not stops or not stops[-1]["isFooter"]:
        ada.page.keyboard.press("Tab")
        stops.append(ada.page.evaluate(RING))
        assert len(stops) < 150, [stop["name"] for stop in stops]
    assert [stop for stop in stops if stop["isBoard"]], "the board is not reached"
    unseen = [stop["name"] for stop in stops if not stop["isSeen"]]
    assert not unseen, unseen


# --- Eyes and ears


@pytest.mark.parametrize("game", GAMES)
def test_nothing_moves_for_those_who_asked_for_stillness(game: str, visit: Visit, tables: Tables) -> None:
    table = tables.playing(game).play(MIDDLE[game])
    ada = visit(reduced_motion=True)
    lend(ada.page.context, table.host)
    ada.open(f"/table/{table.id}")
    expect(ada.page.locator(".table .play")).to_be_visible()
    number = ada.number
    table.play(moves=3)
    ada.until(lambda: ada.number >= number + 3)
    running = (
        "document.getAnimations().filter((one) => one.playState === 'running').map((one) => one.animationName ?? '?')"
    )
    assert ada.page.evaluate(running) == []


def test_title_and_icon_tell_whose_turn_it_is(visit: Visit, tables: Tables) -> None:
    table = tables.playing("patterns").play(PATTERNS_MIDDLE)
    ada, bo = visit(), visit(size="phone")
    for person, holder in ((ada, table.people[0]), (bo, table.people[1])):
        lend(person.page.context, holder)
        person.open(f"/table/{table.id}")
    icon = 'link[rel~="icon"]'
    for mover, waiter, name in ((ada, bo, "Ada"), (bo, ada, "Bo")):
        expect(mover.page).to_have_title("Your turn – Patterns · Smalti")
        expect(mover.page.locator(icon)).to_have_attribute("href", "/favicon-turn.svg")
        expect(waiter.page).to_have_title(f"Patterns – waiting for {name} · Smalti")
        expect(waiter.page.locator(icon)).to_have_attribute("href", "/favicon.svg")
        table.play(moves=1)
    table.play()
    expect(ada.page).to_have_title("Patterns – game over · Smalti")
    expect(ada.page.locator(icon)).to_have_attribute("href", "/favicon.svg")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browser_chooses_the_language_and_people_may_choose_another_for_good(language: str, visit: Visit) -> None:
    ada = visit(language=f"{language}-{language.upper()}" if language != "en" else "en-GB")
    html = ada.page.locator("html")
    ada.open("/")
    expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
    expect(html).to_have_attribute("lang", language)
    first = ada.page.locator("main").inner_text()
    ada.page.reload()
    expect(html).to_have_attribute("lang", language)
    other = LANGUAGES[LANGUAGES.index(language) - 1]
    ada.page.locator("header select").select_option(other)
    expect(html).to_have_attribute("lang", other)
    expect(ada.page.locator("main")).not_to_have_text(first)
    ada.page.reload()
    expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
    expect(html).to_have_attribute("lang", other)


def test_the_theme_that_was_chosen_is_kept(visit: Visit) -> None:
    ada = visit(theme="dark")
    ada.open("/")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
    dark = ada.page.evaluate(ground)
    ada.press(ada.page.get_by_role("button", name=re.compile("^Appearance")))
    expect(ada.page.locator("html")).to_have_attribute("data-theme", "light")
    ada.until(lambda: ada.page.evaluate("document.getAnimations().length") == 0)
    light = ada.page.evaluate(ground)
    assert light != dark
    ada.page.reload()
    expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
    ada.until(lambda: ada.page.evaluate("document.getAnimations().length") == 0)
    assert ada.page.evaluate(ground) == light
