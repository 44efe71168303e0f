"""The command line: a file for each group of commands."""

from meetdeck.cli.command_line import main

__all__ = ["main"]
