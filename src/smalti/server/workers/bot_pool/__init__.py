"""Where bots think: in processes of their own, shared fairly, so that nobody waits for somebody else's bots.

Read `queue` (whose thought is next), `questions` and `process` (one process, as the server sees it), `worker` (the same
from the inside), `claims` (one of several servers thinks for a bot), then `pool`, which puts them together.
"""

from smalti.server.workers.bot_pool.claims import Overtaken
from smalti.server.workers.bot_pool.pool import BotPool
from smalti.server.workers.bot_pool.queue import Crowded

__all__ = ["BotPool", "Crowded", "Overtaken"]
