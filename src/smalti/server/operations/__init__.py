"""What whoever runs the site needs: logs, metrics, health, and erasing what has to go."""
