"""On a small screen nothing that matters is hidden, and what is read first comes first."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visit
from tests.browser.scenes import context_for, decisions, show
from tests.browser.site import Site
from tests.browser.stages import Gathered, Tables, after, asks, lend

HEIGHTS = (740, 640)  # without and with the browser's own bars
IS_SEEN = """() => {
    const box = (part) => document.querySelector(part).getBoundingClientRect();
    return box('.lower').bottom <= box('.tray').top + 1;
}"""


def test_the_own_bowl_is_not_hidden_behind_what_is_to_be_decided(site: Site, chromium: Browser, tables: Tables) -> None:
    # While the start tiles are given out, the bowls are empty: then it is enough to see them on a whole screen.
    for scene in (scene for scene in decisions(tables) if "-patterns-" in scene.name):
        context = context_for(chromium, site, "phone", scene)
        page = show(context, scene)
        for height in HEIGHTS[:1] if "giving" in scene.name else HEIGHTS:
            page.set_viewport_size({"width": 360, "height": height})
            page.wait_for_function(IS_SEEN)
        context.close()


def test_tab_comes_to_the_game_first_and_to_the_site_after_it(visit: Visit, tables: Tables) -> None:
    table = tables.playing("patterns").play(after(10, asks(0, "playing")))
    ada = visit("phone")
    lend(ada.page.context, table.host)
    ada.open(f"/table/{table.id}")
    expect(ada.page.locator(".table .play")).to_be_visible()
    where = "['main', '#app > header', 'footer'].find((part) => document.activeElement.closest(part)) ?? 'skip'"
    stops: list[str] = []
    while "footer" not in stops:
        ada.page.keyboard.press("Tab")
        stops.append(ada.page.evaluate(where))
        assert len(stops) < 150, stops
    assert list(dict.fromkeys(stops)) == ["skip", "main", "#app > header", "footer"]
    tops = [ada.page.locator(part).bounding_box() for part in ("main", "#app > header", "footer")]
    assert sorted(tops, key=lambda box: box["y"] if box else 0) == tops


def test_tables_in_words_are_pushed_along_instead_of_squeezed(visit: Visit, tables: Tables) -> None:
    table = tables.playing("mosaix").play(after(20, asks(0, "forming")))
    ada = visit("phone")
    lend(ada.page.context, table.host)
    ada.open(f"/table/{table.id}")
    ada.use_words()
    formations = ada.page.get_by_role("region", name="Formations")
    expect(formations).to_be_visible()
    assert formations.evaluate("node => node.scrollWidth > node.clientWidth")
    heights: list[int] = formations.evaluate(
        "node => [...node.querySelectorAll('td')].map((cell) => cell.offsetHeight)"
    )
    assert max(heights) < 45, heights


def nearly_over(tables: Tables) -> Gathered:
    """Return a table of Patterns on which only flips are left; some games end without any, so several are played."""
    for _ in range(20):
        table = tables.playing("patterns").play(
            lambda state: not state["acting"] or state["view"]["phase"] == "flipping"
        )
        if table.state["acting"]:
            return table
    raise AssertionError("none of twenty games came to its last flips")


def test_the_board_does_not_tell_the_result_before_it_is_counted_out(visit: Visit, tables: Tables) -> None:
    table = nearly_over(tables)
    ada = visit(reduced_motion=False)
    lend(ada.page.context, table.host)
    ada.open(f"/table/{table.id}")
    expect(ada.page.locator(".table .play")).to_be_visible()
    table.play()
    expect(ada.page.get_by_role("region", name="Counting…")).to_be_visible()
    told = ada.page.locator(".side .points").all_inner_texts()
    ada.press_button("Skip to the result")
    points = [f"{score} points" for score in reversed(table.state["scores"])]
    expect(ada.page.locator(".side .points")).to_have_text(points)
    assert told != points
