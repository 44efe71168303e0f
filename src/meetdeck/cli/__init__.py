"""The command line: a file for each group of commands."""

from meetdeck.platform.process import no_garbage_collection

with no_garbage_collection():  # a seventh of the time in which a command is loaded
    from meetdeck.cli.command_line import main

__all__ = ["main"]
