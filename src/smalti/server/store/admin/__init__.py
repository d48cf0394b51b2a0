"""The database from outside, for whoever runs the site: opening it, finding games, erasing people and games."""
