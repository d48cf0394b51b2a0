"""`python -m smalti` is the command line."""

from smalti.cli import main

main()
