"""The threads in which decks are built, templates compiled, and PDFs and pictures finished."""

from typing import Final

from meetdeck.platform.threads import Threads

DECKS: Final = Threads(
    "decks",
    seconds=10,
    advice="Ask for fewer slides, send shorter lists, or take expressions out of repeated parts of the template.",
)
TEMPLATES: Final = Threads("templates")
RENDERINGS: Final = Threads("renderings")
