"""The benchmark: `engine` runs it, `peers` are those we measure beside, `processes` starts ours, `report` tells."""
