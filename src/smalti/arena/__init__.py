"""The arena: matches between bots, played in parallel and judged fairly.

Read `contest` (who meets whom, and where they sit), `matches` (one match), `parallel` (many, in several processes),
then `statistics` and `standings` (what the results say). Who takes part stands in `players`: bots by name, other
programs by lines of JSON (`programs`), OpenSpiel's tree search (`spiel`).
"""
