"""A meeting as a calendar object: its texts, its parties, and the query that requests it (RFC 5545, RFC 5546)."""

from typing import Annotated

import msgspec
from msgspec import Meta

from meetdeck.booking.localization.languages import LanguageQuery
from meetdeck.booking.localization.texts import Translations
from meetdeck.booking.scheduling.meetings.schemas.meetings import AttendeeStatus, Line
from meetdeck.booking.texts import Text
from meetdeck.platform.values import AnyCase


class Party(msgspec.Struct, frozen=True):
    """A person in an invitation."""

    name: str
    email: str
    status: AttendeeStatus = AttendeeStatus.NEEDS_ACTION


class CalendarTexts(msgspec.Struct, frozen=True):
    """The organization's texts for calendar objects of meetings without texts of their own; empty: none."""

    title: str = ""
    localized_title: Translations = {}
    description: str = ""
    localized_description: Translations = {}


class ICalTexts(msgspec.Struct, frozen=True):
    """POST /meetings/{id}/ical: texts that replace the defaults."""

    title: Line | None = None
    """The title; default: the meeting's, or the organization's."""
    description: Text | None = None
    """The description; default: the meeting's, or the organization's."""
    location: Line | None = None
    """The place; default: the room or the video link."""


class ICalMethod(AnyCase):
    """The method of an iCalendar object (RFC 5546)."""

    PUBLISH = "publish"
    REQUEST = "request"
    CANCEL = "cancel"


class ICalQuery(LanguageQuery, frozen=True, kw_only=True):
    """The query of POST /meetings/{id}/ical."""

    method: Annotated[
        ICalMethod, Meta(description="`request` invites, `cancel` withdraws the invitation, `publish` only informs.")
    ] = ICalMethod.PUBLISH
