"""A visit of a portal: the choices in its address, the held time, and the typed values."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, Final, Self
from urllib.parse import urlencode
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from meetdeck.booking.configuration.organization_settings.schemas import DisplayLabel
from meetdeck.booking.configuration.portals.schemas import Portal
from meetdeck.booking.scheduling.time_slots.service.companions import Companion
from meetdeck.booking.slots.model import MeetingType
from meetdeck.pages.texts import Texts

FEWEST_DAYS: Final = 7
MOST_DAYS: Final = 35
_MOST_OTHERS: Final = 40
_LONGEST_OTHER: Final = 1_000
_LONGEST_NAME: Final = 200
_NAMES: Final = {"topic", "type", "place", "advisor", "zone", "lang", "date", "days"}


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """A visitor's choices so far, in a page's address: invalid ones count as not chosen."""

    topic_id: UUID | None = None
    meeting_type: MeetingType | None = None
    place: str = ""
    """A location's name, for physical meetings."""
    advisor_id: UUID | None = None
    zone: str = ""
    """The IANA name of the time zone in which times are shown; empty: the organization's."""
    language: str = ""
    day: date | None = None
    """The first day whose times are shown; None: today."""
    days: int = FEWEST_DAYS
    others: tuple[tuple[str, str], ...] = ()
    """Other parameters, which may fill in hidden fields."""

    @classmethod
    def read(cls, params: Iterable[tuple[str, str]]) -> Self:
        """Return the choices in the parameters of an address or form."""
        pairs = list(params)
        given = {name: value for name, value in pairs if name in _NAMES}
        others = [
            (name, value[:_LONGEST_OTHER]) for name, value in pairs if name not in _NAMES and len(name) <= _LONGEST_NAME
        ]
        return cls(
            topic_id=_read(UUID, given.get("topic")),
            meeting_type=_read(MeetingType, given.get("type")),
            place=given.get("place", "")[:_LONGEST_OTHER],
            advisor_id=_read(UUID, given.get("advisor")),
            zone=given.get("zone", "")[:100],
            language=given.get("lang", "")[:35],
            day=_read(date.fromisoformat, given.get("date")),
            days=min(max(_read(int, given.get("days")) or FEWEST_DAYS, FEWEST_DAYS), MOST_DAYS),
            others=tuple(others[:_MOST_OTHERS]),
        )

    @property
    def params(self) -> list[tuple[str, str]]:
        """Return the choices as parameters, without those that were not chosen."""
        own = {
            "topic": self.topic_id,
            "type": self.meeting_type and self.meeting_type.lower(),
            "place": self.place,
            "advisor": self.advisor_id,
            "zone": self.zone,
            "lang": self.language,
            "date": self.day,
            "days": self.days if self.days != FEWEST_DAYS else None,
        }
        return [(name, str(value)) for name, value in own.items() if value] + list(self.others)

    @property
    def are_none(self) -> bool:
        """Return whether only a language is chosen yet: the visit begins."""
        return self == Choices(language=self.language, others=self.others)

    def write(self, **changes: Any) -> str:  # noqa: ANN401 - members by name
        """Return the choices as the query of an address, some of them changed."""
        query = urlencode(replace(self, **changes).params)
        return f"?{query}" if query else "?"

    def list_inputs(self, **changes: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - members by name
        """Return the choices as a form's hidden inputs, some of them changed."""
        return replace(self, **changes).params


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """The permission to hold one time at a portal: each page with times contains one, sealed."""

    portal_id: UUID
    token: UUID
    """The reservation's token."""
    meeting_id: UUID | None = None
    """The meeting to be moved."""
    hidden: dict[str, str] = {}
    """The answers to hidden fields, by the fields' names."""

    def as_ticket(self) -> "Ticket":
        """Return only the permission to hold, without the held time."""
        return Ticket(portal_id=self.portal_id, token=self.token, meeting_id=self.meeting_id, hidden=self.hidden)


class WishTicket(msgspec.Struct, frozen=True, kw_only=True):
    """The permission to add one waiting-list entry at a portal: its form contains one, sealed."""

    portal_id: UUID
    token: UUID
    shown_at: datetime
    """When the form was first shown."""


class Hold(Ticket, frozen=True, kw_only=True):
    """A time that is reserved for a visitor: the pages after the times carry it, sealed."""

    time_slot_id: UUID
    topic_id: UUID | None
    topic: str
    """The topic's name, in the visitor's language; empty: no particular topic."""
    meeting_type: MeetingType
    place: str
    address: str
    """The place as people see it."""
    employee_id: UUID
    advisor: str
    """The advisor's name."""
    picture_id: UUID | None = None
    """The advisor's picture, if there is one."""
    companions: list[Companion] = []
    """The other people of the firm whose time is held."""
    starts_at: datetime
    ends_at: datetime
    expires_at: datetime
    """When the reservation expires."""
    held_at: datetime
    """When the time was first held."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A customer who signed in."""

    portal_id: UUID
    customer_id: str
    name: str
    email: str


class FormValues(msgspec.Struct, frozen=True, kw_only=True):
    """The values of a form: the person's and those of the portal's visible fields, by the fields' ids."""

    name: str = ""
    email: str = ""
    answers: Mapping[str, str] = {}

    def list_inputs(self) -> list[tuple[str, str]]:
        """Return the values as a form's hidden inputs."""
        own = [("name", self.name), ("email", self.email)]
        return [(name, value) for name, value in [*own, *answer_inputs(self.answers)] if value]


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """A request for a page of a portal: the portal, and the visitor's language and time zone."""

    tenant_id: UUID
    portal: Portal
    """Including its hidden fields."""
    address: str
    """The portal's address in the request."""
    texts: Texts
    zone: ZoneInfo
    """The zone in which times are shown."""
    home_zone: ZoneInfo
    """The organization's zone."""
    now: datetime
    choices: Choices
    type_labels: list[DisplayLabel]
    """The organization's names of meeting types, in the visitor's language."""
    employee_labels: list[DisplayLabel]
    is_draft: bool = False
    """True if the portal is drawn before it is saved."""
    phone: str = ""
    """The organization's telephone number; empty: none."""
    privacy_url: str = ""
    """The address of the organization's privacy notice; empty: none."""
    language: str
    """The tag of the visitor's language: an enabled one if there is one, otherwise the page's."""
    content_language: str | None
    """The tag of the language in which the organization's texts are read; None: the main one."""

    @property
    def today(self) -> date:
        """Return the date in the visitor's time zone."""
        return self.now.astimezone(self.zone).date()


def answer_inputs(answers: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the answers to fields as inputs of a form."""
    return [(f"answer-{field_id}", value) for field_id, value in answers.items()]


def _read(kind: Any, text: str | None) -> Any:  # noqa: ANN401 - whatever `kind` makes
    """Return the value in a text; None if there is none, or it is invalid."""
    if not text:
        return None
    try:
        return kind(text.strip())
    except (ValueError, OverflowError):
        return None
