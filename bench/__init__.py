"""The benchmarks: `engine` and `research` run them, with `peers` and `research_peers` as those we measure beside.

`report` and `research_report` tell. `processes` starts ours, `parts` says where the engine's time goes; `environments`
are ours, `loops` how they are played, `idle` those that do nothing.
"""
