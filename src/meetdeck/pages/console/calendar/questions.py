"""The questions that a meeting's answers belong to: the labels of portals' fields."""

from collections.abc import Sequence
from typing import Self
from uuid import UUID

import msgspec

from meetdeck.pages.console.kit import Api, find_words


class Question(msgspec.Struct, frozen=True, rename="camel"):
    """A field of a portal."""

    name: str
    label: str
    type: str = ""
    options: list[str] = []
    order: int = 0
    hidden: bool = False
    localized_label: dict[str, str] = {}
    localized_options: dict[str, list[str]] = {}
    option_words: list[str] = []
    """The options in the language of a page, by place; empty: as they are."""

    def speak(self, language: str) -> Self:
        """Return the question with its words in a language, if it has some."""
        label = find_words(self.localized_label, language)
        options = find_words(self.localized_options, language)
        words = options if options is not None and len(options) == len(self.options) else []
        return msgspec.structs.replace(self, label=label or self.label, option_words=words)

    def show_answer(self, answer: str) -> str:
        """Return an answer in the question's language."""
        words = dict(zip(self.options, self.option_words, strict=False))
        return words.get(answer, answer)

    @property
    def is_tick(self) -> bool:
        """Return whether it is answered with yes or no."""
        return self.type == "Checkbox"

    @property
    def is_phone(self) -> bool:
        """Return whether its answer is a telephone number."""
        return self.type == "Phone"


class AskingPortal(msgspec.Struct, frozen=True, rename="camel"):
    """A portal with its questions."""

    id: UUID
    name: str
    fields: list[Question] = []
    topic_id: UUID | None = None


async def list_portals(api: Api, language: str) -> list[AskingPortal]:
    """Return the portals with all their fields, these in the language of a page."""
    portals = await api.get("booking/config/portals", list[AskingPortal], includeHiddenFields=True)
    return [msgspec.structs.replace(one, fields=[each.speak(language) for each in one.fields]) for one in portals]


def find_questions(
    portals: Sequence[AskingPortal], portal_id: UUID | None, topic_id: UUID | None
) -> dict[str, Question]:
    """Return the questions by the keys of their answers.

    Those of the meeting's own portal come first, then those of portals for its topic, which staff answer.
    """
    nearest = sorted(portals, key=lambda one: (one.id != portal_id, one.topic_id != topic_id, one.topic_id is not None))
    questions: dict[str, Question] = {}
    for portal in nearest:
        for one in portal.fields:
            questions.setdefault(one.name, one)
    return questions


def list_asked(portals: Sequence[AskingPortal], portal_id: UUID | None) -> list[str]:
    """Return the keys of a portal's questions to customers, in its order; empty for a meeting without a portal."""
    fields = [field for portal in portals if portal.id == portal_id for field in portal.fields]
    return [one.name for one in sorted(fields, key=lambda one: one.order) if not one.hidden]
