"""What Meetdeck uses of icalendar's reading of lines."""

from collections.abc import Mapping

class Contentline(str):
    def parts(self) -> tuple[str, Mapping[str, str | list[str]], str]: ...
