"""How long a click takes until the screen has it confirmed: in a real browser, at a real server, on this machine.

    python -m bench.click [CLICKS]

Two people play Patterns on one screen, so that every click is a move. The time is taken inside the page, from the
click until the log shows the event that the server has stored: the way to the server, the rules, the disk, the way
back, and the drawing.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator

from playwright.sync_api import Page
from tests.browser.pictures import running_chromium, running_site
from tests.browser.stages import Tables, lend

# A click is measured from its dispatch to the change of the log, seen by an observer before the next frame is drawn.
CLICK = """() => new Promise((done) => {
    const log = document.querySelector('[role=log]');
    const count = log.childElementCount;
    const button = document.querySelector('ul.moves button');
    const observer = new MutationObserver(() => {
        if (log.childElementCount <= count) return;
        observer.disconnect();
        done(performance.now() - start);
    });
    observer.observe(log, {childList: true});
    const start = performance.now();
    button.click();
})"""
READY = "document.querySelector('ul.moves button') && !document.querySelector('ul.moves [aria-disabled=true]')"


def times(page: Page) -> Iterator[float]:
    """Click until the game is over; yield the milliseconds of each."""
    while "over" not in page.title():
        page.wait_for_function(f"() => ({READY}) || document.title.includes('over')")
        if "over" not in page.title():
            yield float(page.evaluate(CLICK))


def measured(clicks: int) -> list[float]:
    """Play game after game until there are enough clicks."""
    found: list[float] = []
    with running_site() as site, running_chromium() as chromium:
        tables = Tables(site)
        context = chromium.new_context(base_url=site.url, reduced_motion="reduce")
        context.add_init_script("""localStorage.setItem("prefs", JSON.stringify({textView: true}))""")
        page = context.new_page()
        while len(found) < clicks:
            table = tables.shared("patterns", "Ada", "Bo")
            lend(context, table.host)
            page.goto(f"/table/{table.id}")
            found += list(times(page))
        tables.leave()
    return found[:clicks]


def main(clicks: int = 100) -> None:
    """Measure and tell."""
    found = sorted(measured(clicks))
    shares = statistics.quantiles(found, n=20)
    print(f"click to confirmed screen, {len(found)} clicks: median {statistics.median(found):.1f} ms, "
          f"95 % within {shares[-1]:.1f} ms, fastest {found[0]:.1f} ms, slowest {found[-1]:.1f} ms")  # fmt: skip


if __name__ == "__main__":
    main(*[int(word) for word in sys.argv[1:2]])
