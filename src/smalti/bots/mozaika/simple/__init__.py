"""Bots for Mozaika that need no weights: hand-set rates for boards, and bids against sampled bids of the others."""
