"""Meetdeck: book time with an advisor, walk in with the deck."""

__version__: str


def __getattr__(name: str) -> str:
    """Return `__version__`, read on first use: reading it takes 4 MB, and the deck engine never needs it."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version  # noqa: PLC0415 - see above

    found = globals()[name] = version("meetdeck")
    return found
