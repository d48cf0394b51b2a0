"""Processes beside the server: bots think in them (`bot_pool`), rules are compiled in them (`compiling`)."""
