"""The threads in which decks are built, templates compiled, and PDFs and pictures finished."""

from typing import Final

from meetdeck.platform.process.threads import Threads

DECKS: Final = Threads(
    "decks",
    seconds=10,
    in_halves=True,
    advice="Ask for fewer slides, send shorter lists, or take expressions out of repeated parts of the template.",
)
TEMPLATES: Final = Threads("templates", in_halves=True)
RENDERINGS: Final = Threads("renderings", in_halves=True)
