"""What a mandala of Patterns is worth: learned features, their sum, and the chance of winning that follows from it."""
