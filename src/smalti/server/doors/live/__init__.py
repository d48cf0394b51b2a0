"""One WebSocket for each open page.

Read `page` (what a page knows and what is new to it), `commands` (what it can say), then `connection`, which reads and
writes.
"""
