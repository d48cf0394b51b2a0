"""The documentation is true: its code runs, its links lead somewhere, every game has its page."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
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
    ROOT / "bench/results.md",
]


def test_the_readme_plays_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert len(code) == 1
    assert len(code[0].splitlines()) <= 15
    exec(compile(code[0], "README.md", "exec"), {})
    assert re.fullmatch(r"\[\d+, \d+, \d+\] \[[\d, ]+\]\n", capsys.readouterr().out)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text()):
        if "://" not in link:
            assert (page.parent / link).exists(), f"{page.name}: {link}"


@pytest.mark.parametrize("game", smalti.games.everyone(), ids=str)
def test_every_rule_that_is_cited_is_in_the_pages_of_the_game(game: smalti.Game) -> None:
    page = (ROOT / "docs" / "games" / f"{game.name}.md").read_text()
    sources = "".join(file.read_text() for file in (ROOT / "src/smalti/games" / game.name).glob("*.py"))
    cited = set(re.findall(r"\b(?:MX|MZ|PT)-\d+", sources))
    assert cited
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
    first_screen = "\n".join((ROOT / "README.md").read_text().splitlines()[:20])
    for part in ("python3 dev.py play", "python3 dev.py test", "docs/pictures/boards.svg"):
        assert part in first_screen


def test_the_readme_is_typed_for_strict_users(tmp_path: Path) -> None:
    code = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[0]
    (tmp_path / "user.py").write_text(code)
    out, err, status = mypy.api.run(
        ["--strict", "--config-file=", "--cache-dir", str(tmp_path), str(tmp_path / "user.py")]
    )
    assert status == 0, out + err


HEAP = """
import random, sys
import smalti
from smalti.engine.promises import CHECKS

smalti.games.__path__.append(sys.argv[1])
luck = random.Random(1)
for seed in range(5):
    match = smalti.Match(smalti.games.find("heap"), seats=2)
    while not match.is_over:
        if match.awaits_chance:
            match.draw(luck)
        else:
            match.play(min(match.acting), luck.choice(match.legal(min(match.acting))))
        for check in CHECKS:
            check(match, luck)
    smalti.verify(smalti.record_of(match))
assert smalti.games.find("heap", 1) is smalti.games.find("heap")
try:
    smalti.games.find("heap", 2)
except smalti.BadInput as error:
    assert str(error) == "heap has no rules of version 2; it has: 1", error

from smalti import bots
match = smalti.Match(smalti.games.find("heap"), 2)
match.draw(luck)
while not match.is_over:
    seat = min(match.acting)
    seen = bots.Seen(match.game, match.seen_by(seat).tobytes(), seat, 1)
    match.play(seat, bots.think("mcts@40n" if seat else "random", seen).move)

from smalti.server.entries import Facts
from smalti.server.log import Log
from smalti.server.terms import Terms
terms = Terms(stand_in=bots.stand_in("heap"))
assert terms.stand_in in bots.offered("heap") == bots.names("heap")
assert Log(Facts("t", "heap", 2, {}, 1, 0.0, b"", b"", "host", terms)).match.game.name == "heap"

import smalti.research
env = smalti.research.aec_env("heap")
env.reset(seed=1)
for agent in env.agent_iter():
    observation, _, over, _, _ = env.last()
    env.step(None if over else luck.choice(observation["action_mask"].nonzero()[0].tolist()))
print("played")
"""


def test_the_game_of_the_page_on_adding_games_can_be_played(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text()
    files = re.findall(r"### `src/smalti/games/heap/(\w+\.py)`\n\n```python\n(.*?)```", page, re.S)
    assert len(files) == 9
    (tmp_path / "heap").mkdir()
    for name, code in files:
        (tmp_path / "heap" / name).write_text(code, encoding="utf-8")
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", HEAP, tmp_path], capture_output=True, text=True, env=plain)
    assert done.stdout == "played\n", done.stderr
