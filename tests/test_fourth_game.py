"""The game of docs/adding-a-game.md, put beside the others: everything that knows no game by its name plays it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator

import pytest

from tests.fourth_game import COMMANDS, FILES, PAGE, Copy
from tests.server.site import Browser, Message, Server, play

PROMISES = """
import random
import smalti
from smalti.engine.promises import CHECKS

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
    print(error)
"""

ENVIRONMENTS = """
import random
import gymnasium
import smalti.research

luck = random.Random(1)
env = smalti.research.aec_env("heap", render_mode="rgb_array")
env.reset(seed=1)
for agent in env.agent_iter():
    observation, _, over, _, _ = env.last()
    env.step(None if over else luck.choice(observation["action_mask"].nonzero()[0].tolist()))
print("pixels", env.render().ndim)

gym = gymnasium.make("Smalti/Heap-v0")
_, found = gym.reset(seed=1)
over = False
while not over:
    _, reward, over, _, found = gym.step(luck.choice(found["action_mask"].nonzero()[0].tolist()))
print("reward", abs(reward))

batch = smalti.research.vector_env("heap", games=8, seed=1)
batch.reset()
print("batch", batch.num_envs)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The sources with Heap in them."""
    return Copy(tmp_path_factory.mktemp("fourth"))


@pytest.fixture(scope="module")
def server(copy: Copy) -> Iterator[Server]:
    """A server that has Heap among its games."""
    with copy.site().running() as running:
        yield running


@pytest.fixture
def ada(server: Server) -> Iterator[Browser]:
    """Somebody at that server."""
    browser = Browser(server)
    yield browser
    browser.close()


def test_the_page_shows_every_file_it_lists() -> None:
    listed = re.findall(r"^\| `([\w/]+\.\w+)` \|", PAGE.replace("LANGUAGE", "en"), re.MULTILINE)
    assert sorted(FILES) == sorted(set(listed) - {"view.py"})  # for drawn boards only


def test_it_keeps_every_promise(copy: Copy) -> None:
    (copy.folder / "promises.py").write_text(PROMISES)
    found = copy.run("python promises.py", NUMBA_DISABLE_JIT="1")
    assert found == "heap has no rules of version 2; it has: 1\n"


# --- From the command line

# By command: what it prints, and whether compiled code is worth its time there.
PRINTS = {
    "smalti simulate": ("ok heap 2", False),
    "smalti play": ("Good-bye.", False),
    "echo": ("The last tile", False),
    "smalti arena": ("random – greedy", True),
    "smalti simulate heap --games 1 | smalti analyse": ("judged by mcts@200n", False),
    "python": ("heap", False),
}


@pytest.mark.parametrize("command", [line for line in COMMANDS if line != "smalti serve"])
def test_the_commands_of_the_page_work(copy: Copy, command: str) -> None:
    known = max((known for known in PRINTS if command.startswith(known)), key=len)
    text, is_compiled = PRINTS[known]
    assert text in copy.run(command, NUMBA_DISABLE_JIT="0" if is_compiled else "1")


def test_environments_play_it(copy: Copy) -> None:
    (copy.folder / "environments.py").write_text(ENVIRONMENTS)
    found = copy.run("python environments.py", NUMBA_DISABLE_JIT="0")
    assert found.split() == ["pixels", "3", "reward", "1.0", "batch", "8"]


def test_a_search_reviews_it(copy: Copy) -> None:
    plain = {"NUMBA_DISABLE_JIT": "1"}
    copy.run("smalti simulate heap --games 1 --seed 3 --out heap.json", **plain)
    review = json.loads(copy.run("smalti analyse heap.json --bot mcts@200n --json", **plain))
    assert [seat["result"]["points"] for seat in review["seats"]] in ([1, -1], [-1, 1])


def test_what_it_has_not_is_said(copy: Copy) -> None:
    with pytest.raises(AssertionError, match="there is nothing that learns heap"):
        copy.run("smalti train heap")


# --- At a table


def left_of(state: Message) -> int:
    """Count the tiles on the heap, as its board shows them."""
    (board,) = state["view"]["boards"]
    return sum(row.count("#") for row in board["rows"])


@pytest.mark.parametrize("bot", ["random", "greedy", "mcts"])
def test_every_bot_that_knows_no_game_plays_it_on_the_server(ada: Browser, bot: str) -> None:
    (info,) = [game for game in ada.get("/api/games") if game["name"] == "heap"]
    assert (info["title"], info["bots"]) == ("Heap", ["random", "greedy", "mcts"])
    table = ada.make("heap", "Ada", f"bot:{bot}")
    page = ada.open(table, 0)
    page.until(lambda state: state["view"] is not None)
    assert left_of(page.state) in range(19, 25)
    play([page], random.Random(bot))
    assert sorted(page.state["scores"]) == [0, 1]
    assert [item["label"] for item in page.state["score"]] == ["The last tile"]
    last = len(ada.get(f"/api/tables/{table}/replay")["events"])
    assert ada.get(f"/api/tables/{table}/at/{last}")["view"]["boards"][0]["rows"] == [["."] * 6] * 4


def test_a_refusal_is_told_in_english_with_its_rule(ada: Browser) -> None:
    table = ada.make("heap", "Ada", "Ben")
    page = ada.open(table, 0)
    page.until(lambda state: state["view"] is not None)
    while (left := left_of(page.state)) > 4:
        page.do(f"take {min(5, left - 4)}", seat=page.state["acting"][0])
    answer = page.do("take 5", seat=page.state["acting"][0])
    assert (answer["t"], answer["rule"], answer["reason"]) == ("refused", "HP-2", "heap.too-many")
    assert answer["sentence"] == "There are not so many tiles: the heap has 4."


def test_a_link_to_it_has_its_title_and_a_plain_picture(ada: Browser) -> None:
    table = ada.make("heap", "Ada", "bot:random")
    page = ada.open(table, 0)
    page.until(lambda state: state["view"] is not None)
    play([page], random.Random(1))
    page.settle()
    address = f"/g/{table}"
    assert 'property="og:title" content="Heap' in ada.http.get(address).text
    picture = ada.http.get(f"{address}.png")
    assert picture.headers["content-type"] == "image/png"
    assert [int.from_bytes(picture.content[place : place + 4], "big") for place in (16, 20)] == [1200, 630]
