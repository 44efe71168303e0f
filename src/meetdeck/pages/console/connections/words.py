"""The words for the state of connections, mailboxes and calendars, made from their codes; pure."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from meetdeck.pages.texts import Texts, mark


class State(NamedTuple):
    """A state: its words in English, its color, and what to do about it; empty: nothing."""

    title: str
    color: str
    deed: str = ""


_FINE: Final = State(mark("In order"), "success")
_LEFT_OUT: Final = mark("Partly read")
_FAILS: Final = mark("Not read")

_CONNECTION: Final[Mapping[str, State]] = {
    "NotYet": State(
        mark("Waiting for consent"),
        "warning",
        mark(
            "The application may not see the group and its people yet. In Entra, give it GroupMember.Read.All and "
            "User.ReadBasic.All with an administrator's consent. Meetdeck asks again every two minutes."
        ),
    ),
    "OutOfScope": State(
        mark("No access to calendars"),
        "danger",
        mark(
            "Every mailbox of the group is denied. In Exchange Online, assign the role “Application Calendars.Read” "
            "for the group. A new assignment is in force after 30 minutes to 2 hours."
        ),
    ),
    "TooWide": State(
        mark("Too wide"),
        "warning",
        mark(
            "The calendars are read, but the application may also read people who are not in the group. Revoke the "
            "consent to calendars in Entra: the role in Exchange Online is enough."
        ),
    ),
    "WrongCredentials": State(
        mark("Sign-in refused"),
        "danger",
        mark(
            "Microsoft does not accept the application. Compare the directory's and the application's id, and enter "
            "a new secret or certificate: the old one may have expired."
        ),
    ),
    "Throttled": State(
        mark("Slowed down"),
        "warning",
        mark("Microsoft limits the application's requests for now. Meetdeck continues automatically."),
    ),
    "Unreachable": State(
        mark("No answer"),
        "danger",
        mark(
            "Microsoft does not answer. Meetdeck tries again automatically. If it lasts, ask an operator to check the"
            " network."
        ),
    ),
    "AddressNotAllowed": State(
        mark("Address not allowed"),
        "danger",
        mark("This installation may not call the address. An operator can allow it."),
    ),
    "UnexpectedAnswer": State(
        mark("Answer not understood"),
        "danger",
        mark("The answer is not one of Microsoft Graph. Compare both addresses below “National clouds”."),
    ),
}
_FIRST_TIME: Final = State(
    mark("Being read"), "info", mark("The calendars are read for the first time. It takes minutes.")
)
_STALE: Final = State(
    _FAILS,
    "danger",
    mark(
        "Nothing was read for too long. Ask an operator to run “meetdeck doctor”: the worker process may have stopped."
    ),
)

_MAILBOX: Final[Mapping[str, str]] = {
    "Denied": mark("The application may not read it: is it in the group's scope in Exchange Online?"),
    "NotFound": mark("There is no such mailbox in Microsoft 365; perhaps it is on a server of your own."),
    "Unanswered": mark("The answer did not contain it. Meetdeck tries again."),
    "ErrorMailRecipientNotFound": mark(
        "There is no such mailbox in Microsoft 365; perhaps it is on a server of your own."
    ),
}
_OTHER_MAILBOX: Final = mark("Microsoft answers {code}.")

_CALDAV: Final = "CalDav"
_CALDAV_CONNECTION: Final[Mapping[str, State]] = {
    "OutOfScope": State(
        mark("No access to calendars"),
        "danger",
        mark(
            "The account cannot see any calendars. On your server, allow it to list the people and read their "
            "calendars. Meetdeck tries again every two minutes."
        ),
    ),
    "WrongCredentials": State(
        mark("Sign-in refused"), "danger", mark("The server refuses the user name or the password: enter them again.")
    ),
    "Throttled": State(
        mark("Slowed down"), "warning", mark("The server limits requests. Meetdeck continues automatically.")
    ),
    "Unreachable": State(
        mark("No answer"),
        "danger",
        mark(
            "The server does not answer. Meetdeck tries again automatically. If it lasts, ask its administrator to"
            " check it."
        ),
    ),
    "AddressNotAllowed": _CONNECTION["AddressNotAllowed"],
    "UnexpectedAnswer": State(
        mark("Answer not understood"),
        "danger",
        mark("The answer is not one of a CalDAV server. Compare the address with your server's documentation."),
    ),
    "TooLarge": State(
        mark("Answer not understood"),
        "danger",
        mark("The answer is larger than what Meetdeck reads. Use the address of a server with fewer people."),
    ),
}
_CALDAV_MAILBOX: Final[Mapping[str, str]] = {
    "Denied": mark("The account may not read this calendar: allow it at your server."),
    "NotFound": mark("The server names this calendar, but does not have it."),
    "NoCalendar": mark("The account sees no calendar of this person: allow it at your server."),
    "TooLarge": mark("The calendar is larger than 5 MB."),
    "TooMany": mark("The calendar has more entries than can be read."),
    "UnexpectedAnswer": mark("The answer is not one of a CalDAV server."),
    "Unanswered": _MAILBOX["Unanswered"],
}
_OTHER_CALDAV_MAILBOX: Final = mark("The server's answer cannot be read ({code}).")

_CALENDAR: Final[Mapping[str, str]] = {
    "NoAnswer": mark("The server does not answer. Open the address in a browser to see whether it is right."),
    "SignInRefused": mark("Name or password are wrong: enter them again."),
    "PasswordLost": mark("The password can no longer be read. Enter it again."),
    "NotAllowed": mark("This installation may not call the address. An operator can allow it."),
    "NoCalendar": mark("The answer is not a calendar, perhaps a sign-in page. Use the address that ends with .ics."),
    "Incomplete": mark("The file is incomplete. Meetdeck reads it again automatically."),
    "TooLarge": mark("The calendar is larger than 5 MB. Use one with fewer entries."),
    "TooMany": mark("The calendar has more entries than can be read. Use one with fewer."),
    "Malformed": mark("Some entries are written wrongly and are left out."),
    "TooFine": mark("Some entries repeat too often and are left out."),
    "TooFar": mark("Some entries have repeated for too long and are left out."),
}
_ANSWERED: Final = mark("The server answers with status {status}. Open the address in a browser to see the page.")
_OTHER: Final = mark("It cannot be read ({code}).")
_STATUS: Final = "Status"


class ShownState(NamedTuple):
    """A state in the page's language."""

    title: str
    color: str
    deed: str


def describe_connection(texts: Texts, kind: str, status: str, problem: str | None) -> ShownState:
    """Return the state of a firm's connection of a kind, and what to do."""
    if status == "Waiting" and problem is None:
        state = _FIRST_TIME
    elif problem is None:
        state = _FINE if status == "Ok" else _STALE
    else:
        state = (_CALDAV_CONNECTION if kind == _CALDAV else _CONNECTION).get(problem, _STALE)
    return ShownState(texts.translate(state.title), state.color, texts.translate(state.deed) if state.deed else "")


def describe_mailbox(texts: Texts, kind: str, problem: str | None, *, is_somebodys: bool) -> str:
    """Return the problem of a mailbox in a connection of a kind; empty for one that is read."""
    if not is_somebodys:
        return texts.translate("No employee or room has this address.")
    if problem is None:
        return ""
    return texts.translate(_find_mailbox_words(kind, problem), code=problem)


def _find_mailbox_words(kind: str, problem: str) -> str:
    if kind == _CALDAV:
        return _CALDAV_MAILBOX.get(problem, _OTHER_CALDAV_MAILBOX)
    return _MAILBOX.get(problem, _OTHER_MAILBOX)


def describe_calendar(texts: Texts, status: str, problem: str | None, left_out: int, *, was_read: bool) -> ShownState:
    """Return the state of the calendar of a person or room, and what to do."""
    told = ""
    if problem is not None and problem.startswith(_STATUS):
        told = texts.translate(_ANSWERED, status=problem.removeprefix(_STATUS))
    elif problem is not None:
        told = texts.translate(_CALENDAR.get(problem, _OTHER), code=problem)
    if status != "Ok":
        return ShownState(texts.translate(_FAILS), "danger", told)
    if left_out:
        counted = texts.translate_plural("{number} entry is left out.", "{number} entries are left out.", left_out)
        return ShownState(texts.translate(_LEFT_OUT), "warning", f"{counted} {told}".strip())
    if not was_read:
        return ShownState(texts.translate("Being read"), "info", "")
    return ShownState(texts.translate(_FINE.title), _FINE.color, "")
