"""Processes that work for the server: plain ones with two pipes, which leave nothing behind when anybody is killed."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process


async def start_child(module: str, *words: str) -> Process:
    """Run a module of ours in a process of its own; its end is for it to notice that its input has ended."""
    path = os.pathsep.join(filter(None, sys.path))  # what can be imported here can be imported there
    environment = {**os.environ, "PYTHONPATH": path}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *words, stdin=PIPE, stdout=PIPE, env=environment
    )
