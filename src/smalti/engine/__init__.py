"""The words every game speaks. Nothing here knows a game."""
