"""The questions of a booking beside name and address: the portal's fields for such meetings, and a free room."""

from typing import Self
from uuid import UUID

import msgspec

from meetdeck.pages.console.booking.holds import Hold
from meetdeck.pages.console.booking.search_form import PHYSICAL, Employee, Search
from meetdeck.pages.console.kit import ConsolePage, find_words


class Question(msgspec.Struct, frozen=True, rename="camel"):
    """A field of a portal."""

    name: str
    label: str
    type: str
    placeholder: str = ""
    options: list[str] = []
    order: int = 0
    description: str = ""
    default_value: str = ""
    localized_label: dict[str, str] = {}
    localized_placeholder: dict[str, str] = {}
    localized_description: dict[str, str] = {}
    localized_options: dict[str, list[str]] = {}
    option_words: list[str] = []
    """The options in the language of a page, by place."""

    def speak(self, language: str) -> Self:
        """Return the question with its words in a language, as far as it has some."""
        options = find_words(self.localized_options, language) or []
        return msgspec.structs.replace(
            self,
            label=find_words(self.localized_label, language) or self.label,
            placeholder=find_words(self.localized_placeholder, language) or self.placeholder,
            description=find_words(self.localized_description, language) or self.description,
            option_words=options if len(options) == len(self.options) else self.options,
        )


class Room(msgspec.Struct, frozen=True):
    """A room that is free for the held time."""

    id: UUID
    name: str
    location: str
    capacity: int


class _Portal(msgspec.Struct, frozen=True, rename="camel"):
    fields: list[Question]
    topic_id: UUID | None
    customer_type_id: UUID | None

    def suits(self, search: Search) -> bool:
        """Return whether customers would book such a meeting there."""
        topic = search.topic.id if search.topic is not None else None
        return self.topic_id in {None, topic} and (
            not search.wanted.customer or str(self.customer_type_id or "") in {"", search.wanted.customer}
        )


async def list_questions(page: ConsolePage, search: Search) -> list[Question]:
    """Return the fields of the portal that fits such a meeting best, in their order."""
    portals = await page.api.get("booking/config/portals", list[_Portal])
    suiting = [one for one in portals if one.fields and one.suits(search)]
    best = max(suiting, key=lambda one: (one.topic_id is not None, one.customer_type_id is not None), default=None)
    fields = sorted(best.fields, key=lambda one: one.order) if best is not None else []
    return [one.speak(page.texts.language) for one in fields]


async def list_rooms(page: ConsolePage, employee: Employee | None, search: Search, held: Hold) -> list[Room]:
    """Return the free rooms at the place of a physical meeting. Raises ApiRefusal."""
    place = search.wanted.place or (employee.location if employee is not None else "")
    if search.wanted.type != PHYSICAL or not place:
        return []
    return await page.api.get("booking/room-vacancies", list[Room], location=place, timeSlotId=str(held.slot))
