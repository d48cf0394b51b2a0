"""The command line: one module for each command, `screen` for what they draw, `files` for what they read and write.

Exit codes: 0 success, 1 refused by the rules, 2 bad input; `serve` has 3 for a database, a Redis or a port it cannot
use.
"""

from __future__ import annotations

import io
import os
import sys

import typer

from smalti.cli import admin, analyse, arena, bench, play, score, serve, show, simulate, train, verify, warm
from smalti.engine.errors import Refused, SmaltiError

app = typer.Typer(
    name="smalti",
    help="Three tile-laying board games from one implementation of their rules: Mozaika, Patterns and Mosaix.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (serve, play, verify, simulate, score, show, analyse, arena, train, warm, bench):
    app.command(help=command.HELP)(getattr(command, command.__name__.rpartition(".")[2]))
app.add_typer(admin.app, name="admin")


def main() -> None:
    """Run the command line; an error is one line and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # what a terminal cannot show is escaped
    try:
        app()
    except SmaltiError as error:
        rule = f"{error.rule} " if isinstance(error, Refused) else ""
        print(f"smalti: {rule}{error}", file=sys.stderr)
        sys.exit(1 if isinstance(error, Refused) else 2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has closed the pipe; leave without a second error when Python flushes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        print(f"smalti: {error.strerror or error}{f': {error.filename}' if error.filename else ''}", file=sys.stderr)
        sys.exit(2)
