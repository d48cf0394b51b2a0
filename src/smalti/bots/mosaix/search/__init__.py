"""Looking ahead in Mosaix: expectimax over the next rolls (`lookahead`), the exact end of a solo game (`endgame`)."""
