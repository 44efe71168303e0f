"""Windows' names of time zones."""

WINDOWS_TO_OLSON: dict[str, str]
