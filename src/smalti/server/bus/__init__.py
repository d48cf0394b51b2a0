"""What processes tell each other: publish–subscribe over Redis, or nothing where there is one process.

Read `bus` (what a bus can do), `local_bus` (one process), then `redis_bus` (several) with its `circuit_breaker`.
"""

from smalti.server.bus.bus import Bus
from smalti.server.bus.local_bus import LocalBus
from smalti.server.bus.redis_bus import RedisBus

__all__ = ["Bus", "LocalBus", "RedisBus", "bus_for"]


def bus_for(redis: str | None, wait: float = 0.0) -> Bus:
    """Return the bus for a Redis address, or the one of a single process."""
    return RedisBus(redis, wait) if redis else LocalBus()
