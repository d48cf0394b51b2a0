"""What a grid of Mosaix is worth: its features, the value function over them, opponents, the probability of winning."""
