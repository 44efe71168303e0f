"""The forms of connections and of calendars of one person or room: their fields and addresses."""

from typing import Final

from meetdeck.pages.console.forms import Choice, Field, Subject
from meetdeck.pages.texts import mark

MICROSOFT: Final = "Microsoft365"
CALDAV: Final = "CalDav"
_NAME: Final = Field("name", mark("Name"), hint=mark("Its name on this page."), is_required=True)
_WHAT_COUNTS: Final = (
    Field(
        "tentativeBlocks",
        mark("Tentative appointments block"),
        "tick",
        section=mark("What counts"),
    ),
    Field(
        "staleAfter",
        mark("Out of date after"),
        "length",
        mark("A calendar that has not been read for this long is out of date."),
        is_required=True,
    ),
    Field("whenStale", mark("While a calendar is out of date"), "one", source="when-stale", is_required=True),
)
_COUNTS: Final = {"tentativeBlocks": True, "staleAfter": "00:10:00", "whenStale": "Offer"}

CONNECTION: Final = Subject(
    "connections",
    "booking/config/calendar-connections",
    (
        _NAME,
        Field(
            "directoryId",
            mark("Directory (tenant) id"),
            hint=mark("In Entra: your application's overview."),
            is_required=True,
        ),
        Field(
            "clientId",
            mark("Application (client) id"),
            hint=mark("In Entra: your application's overview."),
            is_required=True,
        ),
        Field(
            "groupId",
            mark("Group's object id"),
            hint=mark("The calendars of its members, and of groups in it, are read: people and rooms."),
            is_required=True,
        ),
        Field(
            "clientSecret",
            mark("Client secret"),
            "secret",
            mark("The secret's value, not its id. Leave this empty if you use a certificate."),
            empty=None,
            section=mark("How the application signs in"),
        ),
        Field(
            "certificate",
            mark("Certificate"),
            "key",
            mark("In place of a secret: the private key, and then the certificate, as PEM."),
            empty=None,
        ),
        *_WHAT_COUNTS,
        Field(
            "writes",
            mark("What Meetdeck writes into calendars"),
            "one",
            mark("Writing needs the role Application Calendars.ReadWrite in place of Calendars.Read."),
            "calendar-writes",
            is_required=True,
        ),
        Field(
            "address",
            mark("Address of Microsoft Graph"),
            "url",
            is_required=True,
            section=mark("National clouds"),
        ),
        Field("loginAddress", mark("Address of the sign-in"), "url", is_required=True),
    ),
    ("name",),
    by_patch=True,
    defaults={
        "name": "Microsoft 365",
        **_COUNTS,
        "writes": "None",
        "address": "https://graph.microsoft.com",
        "loginAddress": "https://login.microsoftonline.com",
    },
)

CALDAV_CONNECTION: Final = Subject(
    "connections",
    CONNECTION.path,
    (
        _NAME,
        Field(
            "address",
            mark("Address of the server"),
            "url",
            mark("Meetdeck finds the people and their calendars from here."),
            is_required=True,
        ),
        Field(
            "userName",
            mark("User name"),
            hint=mark("An account that may list the people and read their calendars."),
            is_required=True,
            section=mark("How Meetdeck signs in"),
        ),
        Field("password", mark("Password"), "secret", empty=None),
        *_WHAT_COUNTS,
    ),
    ("name",),
    by_patch=True,
    defaults={"name": "CalDAV", **_COUNTS},
)


def find_subject(kind: str) -> Subject:
    """Return the form of connections of a kind."""
    return CALDAV_CONNECTION if kind == CALDAV else CONNECTION


CALENDAR: Final = Subject(
    "calendars",
    "booking/config/calendars",
    (
        Field(
            "kind",
            mark("Kind"),
            "one",
            is_required=True,
            choices=(Choice("Ics", "iCalendar (.ics)"), Choice("CalDav", "CalDAV")),
        ),
        Field(
            "address",
            mark("Address"),
            "url",
            mark("Where the calendar is read every 15 minutes. Leave this empty to upload a file."),
            empty=None,
        ),
        Field("userName", mark("User name"), hint=mark("If the address asks for a sign-in."), empty=None),
        Field("password", mark("Password"), "secret", empty=None),
    ),
    ("address",),
    by_patch=True,
    defaults={"kind": "Ics"},
)
KEPT_CALENDAR: Final = CALENDAR._replace(fields=CALENDAR.fields[1:])
"""The form of a calendar that is there already: its kind stays."""
