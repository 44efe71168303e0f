"""The threads in which portals' pages search for times, never behind other work."""

from typing import Final

from meetdeck.platform.process.threads import Threads

PAGES: Final = Threads(
    "pages", seconds=5, advice="Choose a topic, a location or a day with fewer times.", waiting=1_000
)
