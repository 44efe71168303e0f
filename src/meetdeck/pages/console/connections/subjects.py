"""The forms of connections and of calendars of one person or room: their fields and addresses."""

from typing import Final

from meetdeck.pages.console.forms import Choice, Field, Subject
from meetdeck.pages.texts import mark

CONNECTION: Final = Subject(
    "connections",
    "booking/config/calendar-connections",
    (
        Field("name", mark("Name"), hint=mark("Its name on this page."), is_required=True),
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
        Field(
            "tentativeBlocks",
            mark("Tentative appointments block"),
            "tick",
            section=mark("What counts"),
        ),
        Field(
            "staleAfter",
            mark("Old after minutes"),
            "minutes",
            mark("A calendar that was not read for so long is old."),
            is_required=True,
        ),
        Field("whenStale", mark("While a calendar is old"), "one", source="when-stale", is_required=True),
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
        "tentativeBlocks": True,
        "staleAfter": "00:10:00",
        "whenStale": "Offer",
        "writes": "None",
        "address": "https://graph.microsoft.com",
        "loginAddress": "https://login.microsoftonline.com",
    },
)

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
