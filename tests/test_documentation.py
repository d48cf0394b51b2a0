"""The documentation is true: its code runs, its links lead somewhere, every game has its page."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import mypy.api
import pytest

import smalti

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "bench").rglob("*.md")),
]


def test_the_readme_plays_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert len(code) == 1
    assert len(code[0].splitlines()) <= 15
    exec(compile(code[0], "README.md", "exec"), {})
    assert re.fullmatch(r"\[\d+, \d+, \d+\] \[[\d, ]+\]\n", capsys.readouterr().out)


def anchors_of(page: Path) -> set[str]:
    """Return what links can lead to within a page: its headings, written as Markdown's viewers write them."""
    heads = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link, anchor in re.findall(r"\]\(([^)#]*?)(?:#([^)]*))?\)", page.read_text("utf-8")):
        if "://" not in link:
            target = page.parent / link if link else page
            assert target.exists(), f"{page.name}: {link}"
            assert not anchor or anchor in anchors_of(target), f"{page.name}: {link}#{anchor}"


# Where the names of files begin: at the root of the project, or where everybody knows what is meant.
BASES = (ROOT, ROOT / "src" / "smalti", ROOT / "web")
FILE_NAME = re.compile(r"`((?:[\w.*-]+/)+(?:[\w.*-]+\.(?:py|ts|js|svelte|css|json|toml|md|sql|txt|yaml|sh|service))?)`")
NOT_KEPT = (".dev/", ".venv/", "dist/", "web/node_modules/", "src/smalti/server/pages/")  # made by dev.py


def pattern_of(name: str) -> str:
    """Return a file's name as a pattern: words in capitals stand for any name."""
    return re.sub(r"\b[A-Z]{4,}\b", "*", name.rstrip("/"))


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name != "adding-a-game.md"], ids=lambda page: page.name
)
def test_files_that_are_named_are_there(page: Path) -> None:
    named = [name for name in FILE_NAME.findall(page.read_text("utf-8")) if not name.startswith(NOT_KEPT)]
    missing = [name for name in named if not any(any(base.glob(pattern_of(name))) for base in BASES)]
    assert not missing


def test_the_map_of_changes_names_many_files() -> None:
    page = (ROOT / "docs" / "where-to-change.md").read_text("utf-8")
    assert len(FILE_NAME.findall(page)) > 50


@pytest.mark.parametrize("game", smalti.games.everyone(), ids=str)
def test_every_rule_that_is_cited_is_in_the_pages_of_the_game(game: smalti.Game) -> None:
    page = (ROOT / "docs" / "games" / f"{game.name}.md").read_text()
    sources = "".join(file.read_text() for file in (ROOT / "src/smalti/games" / game.name).glob("*.py"))
    cited = set(re.findall(r"\b[A-Z]{2}-\d+", sources))
    assert len({rule[:2] for rule in cited}) == 1  # each game numbers its rules with letters of its own
    assert not {rule for rule in cited if not re.search(rf"\b{rule}\b", page)}
    assert game.authors.split(",")[0] in page


def plain_blocks(page: str) -> list[str]:
    """List the fenced blocks of a page that name no language."""
    parts = re.split(r"^```(\w*)\n", page, flags=re.M)
    opened = zip(parts[1::4], parts[2::4], strict=True)
    return [block for language, block in opened if not language]


@pytest.mark.parametrize(("name", "scores"), [("mosaix", [123]), ("mozaika", [20]), ("patterns", [60, 59])])
def test_the_board_drawn_in_the_pages_of_a_game_is_worth_what_they_say(name: str, scores: list[int]) -> None:
    game, page = smalti.games.find(name), (ROOT / "docs" / "games" / f"{name}.md").read_text()
    table, seats = game.read_board(plain_blocks(page)[-1])
    items = game.breakdown(table)
    assert [sum(item.points for item in items if item.seat == seat) for seat in seats] == scores
    assert all(re.search(rf"\b{score}\b", page.partition("worked through")[2]) for score in scores)


RESEARCH = (ROOT / "docs" / "research.md").read_text("utf-8")


@pytest.mark.parametrize(
    "code", re.findall(r"```python\n(.*?)```", RESEARCH, re.S), ids=lambda code: code.split("\n")[-2]
)
def test_the_examples_for_researchers_run(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "research.md", "exec"), {})
    assert capsys.readouterr().out


def test_the_tables_of_spaces_are_up_to_date() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "space_tables.py"))
    assert tool["with_tables"](RESEARCH) == RESEARCH


def test_the_first_screen_has_both_commands_and_a_picture() -> None:
    readme = (ROOT / "README.md").read_text()
    first_screen = "\n".join(readme.splitlines()[:20])
    for part in ("python3 dev.py play", "python3 dev.py test", "docs/pictures/table.png"):
        assert part in first_screen
    assert "docs/pictures/boards.svg" in readme


def test_levels_are_called_as_in_the_browser() -> None:
    texts = json.loads((ROOT / "web" / "src" / "texts" / "en" / "bots.json").read_text("utf-8"))
    rows = re.findall(r"^\| (\d) \| (\w+) \|", (ROOT / "docs" / "arena.md").read_text(), re.M)
    levels = {key.removeprefix("bot."): name for key, name in texts.items() if key.startswith("bot.level-")}
    assert {f"level-{number}": name for number, name in rows} == levels


def test_the_readme_is_typed_for_strict_users(tmp_path: Path) -> None:
    code = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[0]
    (tmp_path / "user.py").write_text(code)
    out, err, status = mypy.api.run(
        ["--strict", "--config-file=", "--cache-dir", str(tmp_path), str(tmp_path / "user.py")]
    )
    assert status == 0, out + err
