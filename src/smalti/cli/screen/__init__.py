"""What the commands draw: boards in colour with shapes, scores counted out, progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from smalti.engine.drawing import Board, Tile
from smalti.engine.game import Item
from smalti.engine.geometry import COLUMNS, cell_name
from smalti.engine.match import Event, Match

console = Console(highlight=False)

# Background and foreground of a tile that lies for good, and the colour of one that does not.
PALETTE = {
    "black": ("#3b3b46", "#ffffff", "#9a9aa8"),
    "orange": ("#d9731a", "#1b0e02", "#f0903c"),
    "green": ("#3f8f4f", "#ffffff", "#67bb78"),
    "light blue": ("#7cc4e0", "#06232e", "#8fd3ee"),
    "dark blue": ("#2f55a4", "#ffffff", "#7f9fe6"),
    "sand": ("#d8c48c", "#2d2408", "#e3d29f"),
    "red": ("#b8433a", "#ffffff", "#e0706a"),
    "blue": ("#3a6ea5", "#ffffff", "#76a7db"),
    "ochre": ("#c99a2e", "#221802", "#dcb455"),
    "teal": ("#2a8c82", "#ffffff", "#55bfb3"),
    "plum": ("#8a4f9e", "#ffffff", "#bd84d0"),
}
BRACKETS = (("[", "]"), ("(", ")"))  # round the tiles of seat 0 and seat 1 on a board that belongs to both
MINI = 24  # minis of a breakdown at most


def cell_text(tile: Tile | None, width: int) -> Text:
    """Draw one cell."""
    if tile is None:
        return Text(" " * width)
    left, right = BRACKETS[tile.owner] if tile.owner is not None else (" ", " ")
    shown = f"{left}{tile.glyph}{right}".center(width)
    if tile.colour not in PALETTE:
        return Text(shown, style="dim")
    back, front, alone = PALETTE[tile.colour]
    if not tile.strong:
        return Text(shown, style=alone)
    return Text(shown, style=f"{front} on {back}" + (" bold underline" if tile.mark else " bold"))


def cell_width(boards: list[Board]) -> int:
    """Return the width of a cell that suits all these boards."""
    return 2 + max((len(tile.glyph) for board in boards for row in board.rows for tile in row if tile), default=1)


def board_text(board: Board, width: int = 0) -> Text:
    """Draw a board with its column letters and row numbers."""
    width = width or cell_width([board])
    columns = max(len(row) for row in board.rows)
    text = Text()
    text.append(f"{board.title}\n", style="bold")
    margin = "   " if board.named else ""
    if board.named:
        letters = "".join(letter.center(width) for letter in COLUMNS[:columns])
        text.append(f"{margin}{letters}\n", style="dim")
    for number, row in enumerate(board.rows, 1):
        text.append(f"{number:>2} " if margin else "", style="dim")
        for tile in row:
            text.append_text(cell_text(tile, width))
        text.append("\n")
    for note in board.notes:
        text.append(f"{margin}{note}\n")
    return text


def table(boards: list[Board]) -> None:
    """Draw all boards of a table: what belongs to all first, then the seats' side by side."""
    for board in boards:
        if board.seat is None:
            console.print(board_text(board))
    own = [board for board in boards if board.seat is not None]
    if own:
        console.print(Columns([board_text(board, cell_width(own)) for board in own], padding=(0, 3)))
    if any(tile and tile.owner is not None for board in boards for row in board.rows for tile in row):
        owners = "   ".join(f"{left} {right} seat {seat}" for seat, (left, right) in enumerate(BRACKETS))
        console.print(f"   {owners}", style="dim", markup=False)
    for legend in dict.fromkeys(board.legend for board in boards if board.legend):
        console.print(f"   {legend}", style="dim", markup=False)


def listing(lines: list[str]) -> None:
    """Write short lines side by side."""
    console.print(Columns(lines, padding=(0, 3)))


def headline(text: str) -> None:
    """Write a title."""
    console.rule(f"[bold]{text}[/bold]", align="left")


def print_event(event: Event) -> None:
    """Write who did what."""
    who = "chance" if event.by is None else f"seat {event.by}"
    console.print(Text.assemble((f"{who:>7}  ", "dim"), event.do))


# --- Scores, counted out


def breakdown(boards: list[Board], items: list[Item], totals: dict[int, int]) -> None:
    """Draw everything that scores on small boards, then list it with its rule and its points."""
    for seat, total in totals.items():
        mine = [item for item in items if item.seat == seat]
        board = next((b for b in boards if b.seat == seat or (b.seat is None and b.named)), None)
        minis = [mini(board, item) for item in mine if board and item.points and item.cells][:MINI]
        headline(f"seat {seat}: {total} point{'s' * (total != 1)}")
        if board and board.seat == seat:
            console.print(Padding(Columns([board_text(board)]), (0, 0, 0, 1)), end="")
        if minis:
            console.print(Padding(Columns(minis, padding=(0, 3)), (0, 0, 0, 1)))
        console.print(Padding(item_list(mine, total), (0, 0, 1, 1)))


def mini(board: Board, item: Item) -> Text:
    """Draw a small board on which only the cells of one item show."""
    text = Text()
    for number, row in enumerate(board.rows):
        for column, tile in enumerate(row):
            text.append_text(mini_cell(tile, cell_name(column, number) in item.cells))
        text.append("\n")
    text.append(f"{item.points:+d}", style="bold")
    return text


def mini_cell(tile: Tile | None, shown: bool) -> Text:
    """Draw one cell of a small board."""
    if tile is None:
        return Text("  ")
    if not shown or tile.colour not in PALETTE:
        return Text("· ", style="dim")
    back, front, _ = PALETTE[tile.colour]
    return Text(tile.glyph[-1:] + " " if tile.glyph.isascii() else shape_of(tile), style=f"{front} on {back}")


def shape_of(tile: Tile) -> str:
    """Return the character of a glyph that is a shape, and a blank or the fly."""
    shape = next(character for character in tile.glyph if not character.isascii())
    return shape + ("*" if tile.mark and "*" in tile.glyph else " ")


def item_list(items: list[Item], total: int) -> Table:
    """List items with their rule, their cells and their points; what is worth nothing is only counted."""
    listing = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    listing.add_column("rule")
    listing.add_column("what")
    listing.add_column("cells", max_width=44)
    listing.add_column("points", justify="right")
    for item in items:
        if item.points:
            cells = " ".join(item.cells) if len(item.cells) < 16 else "the whole board"
            listing.add_row(item.rule, item.label, cells, f"{item.points:+d}")
    nothing = sum(not item.points for item in items)
    if nothing:
        listing.add_row("", f"{nothing} more worth nothing", "", "0", style="dim")
    listing.add_row("", "total", "", str(total), style="bold")
    return listing


VERDICTS = {"lost": "not won"}  # others are plain as they are


def result(match: Match) -> None:
    """Say who has won."""
    won, verdict = match.winners, match.game.verdict(match.table)
    if verdict:
        console.print(f"[bold]{max(match.scores)} points: {VERDICTS.get(verdict, verdict)}[/bold]")
    elif len(won) == 1:
        console.print(f"[bold]seat {won[0]} wins[/bold]")
    else:
        console.print(f"[bold]a tie between seats {' and '.join(map(str, won))}[/bold]")


# --- Progress


@contextmanager
def progress(label: str, total: int | None = None, show: bool = False) -> Iterator[Callable[..., None]]:
    """Show how far long work has come, on standard error: a bar on a terminal, else a line now and then.

    Without `show` there is a bar only where it does not get between lines of output.
    """
    if not sys.stderr.isatty():
        yield plain_progress(label, show)
    elif show or not sys.stdout.isatty():
        with bar(label, total) as advance:
            yield advance
    else:
        yield lambda *_: None


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """Say on a terminal what is waited for, as long as it takes."""
    if not console.is_terminal:
        yield
        return
    with console.status(label):
        yield


@contextmanager
def bar(label: str, total: int | None) -> Iterator[Callable[..., None]]:
    """Show a bar."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(label, total=total)

        def advance(amount: int = 1, description: str | None = None) -> None:
            shown.update(task, advance=amount, description=description or label)

        yield advance


def plain_progress(label: str, show: bool) -> Callable[..., None]:
    """Write a line whenever something new begins."""
    seen: set[str] = set()

    def advance(amount: int = 1, description: str | None = None) -> None:
        if show and description and description not in seen:
            seen.add(description)
            print(description, file=sys.stderr, flush=True)

    return advance
