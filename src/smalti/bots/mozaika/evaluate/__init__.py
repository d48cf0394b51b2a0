"""What a seat of Mozaika can expect: a linear value function of board, hand and purse, and the chance of winning."""
