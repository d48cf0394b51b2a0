"""Games that are over: lists, replays, records, proofs, pictures."""
