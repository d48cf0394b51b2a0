"""How requests get in: HTTP routes, WebSocket connections, pages, cookies, and the line before them all."""
