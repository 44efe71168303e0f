"""Reads a calendar of a CalDAV server (RFC 4791): its free and busy times, or else its events."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from meetdeck.connections.caldav.client import CalDavClient
from meetdeck.connections.calendars.service.fetching import CalendarUnreadable, FetchedCalendar
from meetdeck.connections.failures import ServiceFailed, ServiceProblem
from meetdeck.connections.icalendar import Window
from meetdeck.connections.logins import Login
from meetdeck.platform.outgoing import OutgoingClient

_NO_CALENDAR: Final = "NoCalendar"
_PROBLEMS: Final = {
    ServiceProblem.CREDENTIALS: "SignInRefused",
    ServiceProblem.DENIED: "SignInRefused",
    ServiceProblem.ADDRESS: "NotAllowed",
    ServiceProblem.TOO_LARGE: "TooLarge",
}


class Collection(NamedTuple):
    """A calendar of a CalDAV server, with the client and credentials to read it."""

    client: OutgoingClient
    address: str
    login: Login
    hosts: Sequence[str] | None

    async def read(self, window: Window, *, known: str | None) -> FetchedCalendar | None:
        """Return the owner's busy times in a window as an iCalendar file; None if its tag is still `known`.

        Raises CalendarUnreadable.
        """
        calls = CalDavClient(self.client, self.address, self.login, self.hosts)
        try:
            described = await calls.describe()
            if "calendar" not in described.kinds:
                raise CalendarUnreadable(_NO_CALENDAR)
            if described.tag is not None and described.tag == known:
                return None
            return FetchedCalendar(await calls.read_times(window), described.tag, None)
        except ServiceFailed as failed:
            pause = f"{failed.retry_after.total_seconds():.0f}" if failed.retry_after is not None else None
            raise CalendarUnreadable(_name(failed), pause) from None


def _name(failed: ServiceFailed) -> str:
    """Return a problem as calendars report it, or the HTTP status if no problem fits."""
    if (known := _PROBLEMS.get(failed.problem)) is not None:
        return known
    return failed.code or ("NoAnswer" if failed.problem is ServiceProblem.UNREACHABLE else _NO_CALENDAR)
