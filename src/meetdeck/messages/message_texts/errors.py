"""Errors of message texts."""

from meetdeck.booking.configuration.portals.schemas import PageLanguage
from meetdeck.messages.writing.kinds import TextKind
from meetdeck.platform.errors import NotFound
from meetdeck.platform.phrases import phrase


class MessageTextNotFound(NotFound):
    """The kind of message or the language does not exist."""

    code = "message_text_not_found"

    def __init__(self, kind: str, language: str) -> None:
        kinds, languages = ", ".join(each.value for each in TextKind), ", ".join(each.value for each in PageLanguage)
        super().__init__(
            phrase(
                "There is no text for {kind} in {language}. Kinds: {kinds}; languages: {languages}.",
                kind=kind[:40],
                language=language[:40],
                kinds=kinds,
                languages=languages,
            )
        )
