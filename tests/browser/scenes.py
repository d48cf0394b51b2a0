"""Every page of the site, each in the stages that it has: what pictures are taken of and what is checked for access."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, get_args

from playwright.sync_api import Browser, BrowserContext, Page

from smalti.server.table.terms import Language
from tests.browser.site import Site
from tests.browser.stages import Gathered, Stop, Tables, after, asks, lend
from tests.server import site as server_table

SIZES = {"phone": (360, 740), "desk": (1280, 800)}
THEMES: tuple[Literal["dark"], Literal["light"]] = ("dark", "light")
LANGUAGES: tuple[str, ...] = get_args(Language)
LONGEST = 60_000  # milliseconds until a page must be there


@dataclass(frozen=True)
class Scene:
    """A page: its address, who looks at it, what must be there first and what is pressed then."""

    name: str
    path: str
    eyes: server_table.Browser | None = None
    ready: str = "main h1"
    words: bool = False
    press: Callable[[Page], None] = lambda page: None
    language: str = "en"


DECISIONS: tuple[tuple[str, str, str, Stop], ...] = (
    ("mosaix", "1-forming", "start", asks(0, "forming")),
    ("mosaix", "2-writing", "middle", after(40, asks(0, "writing"))),
    ("mosaix", "3-forming", "late", after(70, asks(0, "forming"))),
    ("mozaika", "1-bidding", "start", asks(0, "bidding")),
    ("mozaika", "2-picking", "start", asks(0, "picking")),
    ("mozaika", "3-laying", "middle", after(60, asks(0, "laying"))),
    ("mozaika", "4-bidding", "late", after(110, asks(0, "bidding"))),
    ("mozaika", "5-flying", "late", asks(0, "flying")),
    ("patterns", "1-giving", "start", asks(1, "giving")),
    ("patterns", "2-playing", "start", asks(0, "playing")),
    ("patterns", "3-playing", "middle", after(16, asks(0, "playing"))),
    ("patterns", "4-flipping", "late", lambda state: not state["acting"] or state["view"]["phase"] == "flipping"),
)


def simple_pages() -> Iterator[Scene]:
    """Pages without a table."""
    for language in LANGUAGES:
        yield Scene(f"00-home-{language}", "/", language=language, ready=".games .card")
    for game in ("mosaix", "mozaika", "patterns"):
        yield Scene(f"02-new-{game}", f"/new/{game}", ready="form")
    yield Scene("02-new-mozaika-more", "/new/mozaika?for=friends", ready="form", press=open_more)
    yield Scene("03-settings", "/", ready=".games .card", press=open_settings)
    yield Scene("04-lobby", "/lobby", ready="main section h2")
    yield Scene("90-archive", "/archive", ready="main li")
    yield Scene("91-about", "/about")
    yield Scene("95-fairness", "/fairness")
    yield Scene("92-not-found", "/nowhere/at/all/then")
    yield Scene("94-import", "/import", ready="form")
    yield Scene("93-no-table", "/table/nosuchtable", ready="main [role=alert]")


def open_settings(page: Page) -> None:
    """Open the settings."""
    page.get_by_role("button", name="Settings").click()


def open_more(page: Page) -> None:
    """Open what most leave as it is at a new table."""
    page.locator("form summary").click()


def open_links(page: Page) -> None:
    """Show the links to a game and the picture of it."""
    page.get_by_role("button", name="Share").click()
    page.get_by_role("dialog").get_by_role("img").wait_for()


def check_luck(page: Page) -> None:
    """Check how a finished game was dealt."""
    page.get_by_role("button", name="Check the luck").click()
    page.locator(".checked").wait_for()


def talk(page: Page) -> None:
    """Open the words of the table, and say something."""
    page.get_by_role("button", name="Talk").click()
    page.get_by_role("button", name="Good luck!", exact=True).click()
    page.get_by_role("textbox", name="Say something").fill("What a lovely mandala. May I?")
    page.get_by_role("button", name="Say it").click()
    page.get_by_text("What a lovely mandala.").first.wait_for()


def gatherings(tables: Tables) -> Iterator[Scene]:
    """People gather, and one comes with a link."""
    table = tables.gathering("mozaika", listed=True)
    key = table.host.keys(table.id)[1]
    yield Scene("10-gathering", f"/table/{table.id}", table.host, ready=".gathering")
    yield Scene("11-join", f"/join/{table.id}/{key}", ready="form")
    yield Scene("01-home-with-tables", "/", table.host, ready="main li")


def lobby(tables: Tables) -> Iterator[Scene]:
    """The lobby with tables in it, and what the host of one sees."""
    made = [
        tables.gathering("mozaika", listed=True, options={"hands": "hidden"}, terms={"language": "hu"}),
        tables.gathering("mosaix", "Cleo", "Dara", listed=True, terms={"language": "de"}),
        tables.gathering("patterns", "Enno", "Bo", listed=True, terms={"language": "fr"}),
    ]
    for table in made:
        table.host.open(table.id, 0)
    watched = tables.playing("patterns", onlookers="all").play(after(8))
    tables.somebody().open(watched.id)
    yield Scene("05-lobby-with-tables", "/lobby", made[0].host, ready="main li.card")
    yield Scene("12-gathering-open", f"/table/{made[0].id}", made[0].host, ready=".gathering")


def decisions(tables: Tables) -> Iterator[Scene]:
    """Everything that somebody has to decide, in each game."""
    for game, decision, when, stop in DECISIONS:
        table = tables.playing(game).play(stop)
        if table.state["acting"]:
            yield at(table, f"{order(game)}-{game}-{decision}-{when}", table.state["acting"][0])
    yield from solo(tables)


def order(game: str) -> int:
    """Return where a game stands among the pages."""
    return {"mosaix": 20, "mozaika": 30, "patterns": 40}[game]


def at(table: Gathered, name: str, seat: int = 0, words: bool = False) -> Scene:
    """A table in play, seen from a seat."""
    eyes = table.people[seat if len(table.people) > 1 else 0]
    return Scene(name, f"/table/{table.id}", eyes, ready=".table .play", words=words)


def solo(tables: Tables) -> Iterator[Scene]:
    """Mosaix for one."""
    table = tables.playing("mosaix", "Ada").play(after(16, asks(0, "forming")))
    yield at(table, "20-mosaix-4-solo")


def in_words(tables: Tables) -> Iterator[Scene]:
    """Tables as text."""
    for game, stop in (
        ("mosaix", after(30, asks(0, "forming"))),
        ("mozaika", after(50, asks(0, "laying"))),
        ("patterns", after(14, asks(0, "playing"))),
    ):
        yield at(tables.playing(game).play(stop), f"{order(game) + 5}-{game}-text", words=True)


def endings(tables: Tables) -> Iterator[Scene]:
    """Games that are over: the result, and the way back through them."""
    for game in ("mosaix", "mozaika", "patterns"):
        table = tables.playing(game).play()
        yield at(table, f"{order(game) + 7}-{game}-over")
        yield Scene(
            f"{order(game) + 8}-{game}-replay", f"/game/{table.id}#{table.state['n'] // 2}", ready=".table .play"
        )
        yield Scene(f"{order(game) + 9}-{game}-continue", f"/continue/{table.id}/{table.state['n'] // 2}", ready="form")
    yield Scene("56-share", f"/game/{table.id}", ready=".table .play", press=open_links)
    yield replace(at(table, "53-checked"), press=check_luck)
    dealt = tables.playing("mosaix", "Ada", "Bo", terms={"code": "Tuesday"}).play()
    yield at(dealt, "54-over-by-code")
    yield Scene("55-deal", "/deal/mosaix/Tuesday?seats=2&cards=centre&end=stuck", ready="form")
    alone = tables.playing("mosaix", "Ada").play()
    yield at(alone, "27-mosaix-over-solo")


def shared_screens(tables: Tables) -> Iterator[Scene]:
    """The screen goes from hand to hand; an onlooker sees less."""
    shared = tables.shared("mozaika")
    tables.look(shared, range(3))
    shared.play(server_table.is_bidding)
    yield Scene("50-hand-over", f"/table/{shared.id}", shared.host, ready="main section h1")
    timed = tables.shared("mozaika", terms={"clock": {"kind": "live", "seconds": 300, "increment": 5}})
    tables.look(timed, range(3))
    timed.play(server_table.is_bidding)
    yield Scene("50-hand-over-with-clocks", f"/table/{timed.id}", timed.host, ready="main section [role=timer]")
    watched = tables.playing("mozaika", options={"hands": "hidden"}).play(after(30))
    link = watched.host.table(watched.id)["watch_link"]
    yield Scene("51-onlooker", link[link.index("/watch/") :], ready=".table .play")
    talked = tables.playing("patterns").play(after(12, asks(0, "playing")))
    yield replace(at(talked, "52-talk"), press=talk)
    five = tables.playing("mozaika", "Ada", "Bo", "Cleo", "Dara", "Enno").play(after(90, asks(0, "bidding")))
    yield at(five, "36-mozaika-five-players")


def by_the_clock(tables: Tables) -> Iterator[Scene]:
    """Tables with clocks: to be made, waiting, played live by few and many, slow, paused, in words."""
    live, slow = ({"kind": "live", "seconds": 300, "increment": 5}, {"kind": "slow", "seconds": 86_400})
    yield Scene("02-new-with-clock", "/new/patterns", ready="form", press=choose_clock)
    waiting = tables.gathering("mozaika", terms={"clock": live, "late": "seat"}, listed=True)
    yield Scene("12-gathering-with-clock", f"/table/{waiting.id}", waiting.host, ready=".gathering")
    two = tables.playing("patterns", terms={"clock": live}).play(after(12, asks(0, "playing")))
    yield at(two, "53-clock-live")
    yield at(two, "54-clock-in-words", words=True)
    yield replace(at(two, "55-clock-more"), press=lambda page: page.get_by_role("button", name="More").click())
    hasty = {"kind": "live", "seconds": 3600, "increment": 30}
    five = tables.playing("mozaika", "Ada", "Bo", "Cleo", "Dara", "Enno", terms={"clock": hasty})
    yield at(five.play(asks(0, "bidding")), "56-clock-five")
    three = tables.playing("mosaix", "Ada", "Bo", "Cleo", terms={"clock": slow}).play(after(10, asks(0, "forming")))
    yield at(three, "57-clock-slow")
    yield Scene("58-home-with-clocks", "/", three.host, ready="main li")
    alone = tables.shared("patterns", "Ada", "Bo", terms={"clock": {"kind": "live", "seconds": 40}})
    tables.look(alone, range(2))
    alone.pages[0].send(t="ask", id="pause", seat=0, what="pause")
    yield at(alone, "59-clock-paused")


def choose_clock(page: Page) -> None:
    """Think of a clock of one's own."""
    open_more(page)
    page.get_by_label("Time to think").select_option("own")
    page.get_by_label("The bot that steps in").scroll_into_view_if_needed()


def everything(tables: Tables) -> Iterator[Scene]:
    """All pages; the archive comes when there is something in it."""
    yield from gatherings(tables)
    yield from lobby(tables)
    yield from decisions(tables)
    yield from in_words(tables)
    yield from shared_screens(tables)
    yield from by_the_clock(tables)
    yield from endings(tables)
    yield from simple_pages()


# --- How it is shown


def context_for(chromium: Browser, site: Site, size: str, scene: Scene) -> BrowserContext:
    """Open a browser that holds the seats of whoever looks."""
    width, height = SIZES[size]
    context = chromium.new_context(
        base_url=site.url,
        viewport={"width": width, "height": height},
        is_mobile=size == "phone",
        has_touch=size == "phone",
        locale=scene.language,
        reduced_motion="reduce",
    )
    context.set_default_timeout(LONGEST)
    if scene.words:
        context.add_init_script("""localStorage.setItem("prefs", JSON.stringify({textView: true}))""")
    if scene.eyes:
        lend(context, scene.eyes)
    return context


def show(context: BrowserContext, scene: Scene) -> Page:
    """Open the page and wait until everything is on it."""
    page = context.new_page()
    page.goto(scene.path)
    page.locator(scene.ready).first.wait_for()
    scene.press(page)
    return page
