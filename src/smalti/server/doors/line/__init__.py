"""The line to the outside: what reaches us before it is a request, by which name, from where and how often.

Read `config` first (what uvicorn is given), then `http_protocol` and `websocket_protocol` (bytes), `door` (every
request and every connection), `limits` (how often somebody may do something).
"""
