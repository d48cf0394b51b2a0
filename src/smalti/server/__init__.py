"""The server: the only place where time, people, storage and randomness meet.

Read `messages` (the wire), `log` (what a table's log means), `rooms` (tables being played), `store` (how logs are
kept), then `socket` and `routes`. `app` puts them together.
"""
