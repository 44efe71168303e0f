"""Meetdeck: book time with an advisor, walk in with the deck."""

from importlib.metadata import version

__version__ = version("meetdeck")
