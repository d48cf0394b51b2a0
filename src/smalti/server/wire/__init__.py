"""What goes over the wire: messages of the WebSocket, bodies of HTTP, and their documentation."""
