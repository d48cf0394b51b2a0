"""What people can do at a table: each action decides on a copy of the log and returns the entries to store."""
