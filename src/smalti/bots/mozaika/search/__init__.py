"""Search in Mozaika: sealed auctions by regret matching+, moves by Monte Carlo rollouts and successive halving."""
