"""The form with which a customer adds a waiting-list entry: its initial values, its errors, and the entry."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final, Self

import msgspec

from meetdeck.booking.directory.meeting_topics.schemas import Topic
from meetdeck.booking.scheduling.wishes.schemas import WishContent
from meetdeck.booking.slots.model import MeetingType
from meetdeck.pages.portal.schemas import FormValues, Visit
from meetdeck.pages.portal.service.details import FormField, list_person_fields
from meetdeck.pages.portal.service.offers import MeetingOption
from meetdeck.platform.values import Moment

_USUAL_LENGTH: Final = timedelta(days=28)
_FARTHEST: Final = timedelta(days=364)
_PREFIX: Final = "way-"
WISH_INPUTS: Final = frozenset({"from", "to", "location", "wish"})
"""The names of the form's own inputs, beside those of `is_way`."""


class TypedWish(msgspec.Struct, frozen=True, kw_only=True):
    """The values of the form."""

    name: str = ""
    email: str = ""
    first: str = ""
    """The first day, as a browser sends it: 2026-11-24."""
    last: str = ""
    ways: frozenset[MeetingType] = frozenset()
    place: str = ""

    @classmethod
    def begin(cls, visit: Visit, ways: Sequence[MeetingOption]) -> Self:
        """Return the initial values of a form: the earlier choices."""
        choices = visit.choices
        latest = visit.today + _FARTHEST - _USUAL_LENGTH
        first = choices.day if choices.day is not None and visit.today <= choices.day <= latest else visit.today
        offered = frozenset(way.meeting_type for way in ways)
        chosen = offered & {choices.meeting_type}
        return cls(
            first=first.isoformat(),
            last=(first + _USUAL_LENGTH).isoformat(),
            ways=chosen or offered,
            place=choices.place,
        )

    @classmethod
    def read(cls, form: Mapping[str, str], typed: FormValues) -> Self:
        """Return the values of a form that was sent."""
        return cls(
            name=typed.name,
            email=typed.email,
            first=form.get("from", "").strip(),
            last=form.get("to", "").strip(),
            ways=frozenset(each for each in MeetingType if _PREFIX + each.value in form),
            place=form.get("location", ""),
        )

    @property
    def first_day(self) -> date | None:
        """Return the first day, None for an invalid one."""
        return _read_day(self.first)

    @property
    def last_day(self) -> date | None:
        """Return the last day, None for an invalid one."""
        return _read_day(self.last)


def is_way(name: str) -> bool:
    """Return whether an input of a form is a meeting type to tick."""
    return name.startswith(_PREFIX)


def list_types(ways: Sequence[MeetingOption]) -> list[tuple[MeetingType, str]]:
    """Return the meeting types to tick, wherever the meeting would be, and their names."""
    return list({way.meeting_type: way.label for way in ways}.items())


def list_places(ways: Sequence[MeetingOption]) -> list[tuple[str, str]]:
    """Return the places to choose from, each as people see it; empty if there is no choice."""
    places = [(way.place, way.address) for way in ways if way.place]
    return places if len(places) > 1 else []


def list_person(visit: Visit, typed: TypedWish, *, is_checked: bool) -> list[FormField]:
    """Return the fields of the customer's name and e-mail address."""
    hint = visit.texts.translate("We write to you here when a time becomes free.")
    person = FormValues(name=typed.name, email=typed.email)
    return list_person_fields(visit, person, is_checked=is_checked, hint=hint)


def list_wrong(visit: Visit, typed: TypedWish, ways: Sequence[MeetingOption]) -> list[tuple[str, str]]:
    """Return the fields with errors, beside those of the person, and how to correct each."""
    translate, first, last = visit.texts.translate, typed.first_day, typed.last_day
    errors: list[tuple[str, str]] = []
    if first is None:
        errors.append(("from", translate("Enter the first day that suits you.")))
    if last is None:
        errors.append(("to", translate("Enter the last day that suits you.")))
    elif last < max(visit.today, first or visit.today):
        errors.append(("to", translate("Choose a last day that is not before the first, nor over.")))
    elif last - visit.today > _FARTHEST:
        errors.append(("to", translate("Choose a last day within a year.")))
    if not typed.ways & {way.meeting_type for way in ways}:
        name = next((f"{_PREFIX}{way.meeting_type.value}" for way in ways), "")
        errors.append((name, translate("Tick at least one way to meet.")))
    return errors


def make_content(visit: Visit, typed: TypedWish, topic: Topic, ways: Sequence[MeetingOption]) -> WishContent:
    """Return the waiting-list entry of a form without errors."""
    offered = {way.meeting_type for way in ways}
    places = {way.place for way in ways}
    wanted = [each for each in MeetingType if each in typed.ways & offered]
    place = typed.place if typed.place in places else visit.portal.location
    advisor = visit.choices.advisor_id
    first, last = typed.first_day or visit.today, typed.last_day or visit.today
    return WishContent(
        topic_id=topic.id,
        customer_type_id=visit.portal.customer_type_id,
        meeting_types=wanted,
        employee_ids=[advisor] if advisor is not None else [],
        location=place if MeetingType.PHYSICAL in wanted else "",
        from_=_begin(visit, max(first, visit.today)),
        to=_begin(visit, last + timedelta(days=1)),
        portal_id=visit.portal.id,
        name=typed.name,
        email=typed.email,
        language=visit.language,
    )


def show_days(visit: Visit, begin: datetime, end: datetime) -> str:
    """Return the days of an entry: Tuesday 3 March to Thursday 5 March."""
    first, last = (moment.astimezone(visit.zone).date() for moment in (begin, end - timedelta(seconds=1)))
    return visit.texts.show_period(first, last, visit.today)


def _begin(visit: Visit, day: date) -> Moment:
    begin = datetime.combine(day, time(), visit.zone)
    return Moment.fromtimestamp(begin.timestamp(), visit.zone)


def _read_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == len("2026-11-24") else None
    except ValueError:
        return None
