"""The pure table: what happened at it and the state that leads to, by replaying and in no other way.

No asyncio, no input or output, no clock: times come with the entries. Read `entries`, then `log`.
"""
