"""Errors of scheduling, each with its stable code."""

from collections.abc import Sequence
from uuid import UUID

from meetdeck.platform.errors import Conflict, Fault, Forbidden, Invalid, NotFound
from meetdeck.platform.phrases import phrase

_MOST_SAID = 3


class TimeSlotTaken(Conflict):
    """An employee or the room of a slot is already booked or reserved at that time."""

    code = "time_slot_taken"


class TimeBusy(Conflict):
    """An employee or the room of a slot is busy at that time; `entries` names the conflicting entries."""

    code = "time_busy"

    def __init__(self, entries: Sequence[str]) -> None:
        super().__init__(
            phrase(
                "{entries}. Choose another time, or, as an employee, send ignoreTimeSlotConflicts true "
                "to book it anyway.",
                entries=", ".join(entries),
            )
        )


class TimeSlotHeld(Conflict):
    """A time slot is reserved or booked, and no calendar entry that could be changed or deleted by itself."""

    code = "time_slot_held"


class FromCalendar(Conflict):
    """A calendar entry was read from a calendar of another system; only that system can change it."""

    code = "from_calendar"

    def __init__(self) -> None:
        super().__init__("This time was read from a connected calendar. Change or delete it there.")


class TooLateToUndo(Conflict):
    """A change of a meeting cannot be undone: it was announced, was another person's, or the meeting changed since."""

    code = "too_late"


class WrongToken(Forbidden):
    """The sent token is not the reservation's."""

    code = "wrong_token"

    def __init__(self) -> None:
        detail = "This is not the token that holds the time. Send the token it was reserved with."
        super().__init__(detail, faults=(Fault("/query/token", detail),))


class ReservationGone(Conflict):
    """The reservation cannot become a meeting any more: expired, used, or another employee's."""

    code = "reservation_gone"


class RenewalsUsedUp(Conflict):
    """A reservation was renewed as often as allowed."""

    code = "renewals_used_up"


class NotBookable(Conflict):
    """The employee or room cannot be booked at all."""

    code = "not_bookable"


class NoRoomFree(Conflict):
    """The location requires rooms for physical meetings, and none is free that seats everybody."""

    code = "no_room_free"


class NotOffered(Conflict):
    """The search does not offer the requested slot to the customer, or not with people of its groups.

    `rule` says why (docs/api/meetings.md#customer-bookings, docs/api/joint-meetings.md).
    """

    code = "not_offered"

    def __init__(self, rule: str, detail: str, *, together: bool = False) -> None:
        if together:
            told = phrase(
                "People of alsoServiceGroups join only at times that the search offers, and it does not offer this"
                " one ({rule}). {detail}",
                rule=rule,
                detail=detail,
            )
        else:
            told = phrase(
                "Customers can book only times that the search offers, and it does not offer this one ({rule}). "
                "{detail}",
                rule=rule,
                detail=detail,
            )
        super().__init__(told, faults=(Fault("/startDate", detail),))
        self.rule = rule


class ServiceGroupTaken(Conflict):
    """Too few people of some service groups are free to come along; `groups` are the groups' names."""

    code = "service_group_taken"

    def __init__(self, groups: Sequence[str]) -> None:
        detail = phrase("Too few people of {groups} are free at that time.", groups=", ".join(groups))
        super().__init__(
            phrase("{detail} Choose another time.", detail=detail), faults=(Fault("/alsoServiceGroups", detail),)
        )
        self.groups = groups


class SeriesConflict(Conflict):
    """Some meetings of a series cannot be booked or moved; `conflicts` are their local times with the reasons.

    `instead` has the nearest free local time for each conflict, in the same order; empty if there is none.
    """

    code = "series_conflict"

    def __init__(
        self,
        conflicts: Sequence[tuple[str, Conflict]],
        count: int,
        *,
        pointer: str = "/recurrence",
        instead: Sequence[str] = (),
    ) -> None:
        details = [f"{time}: {each.detail}" for time, each in conflicts]
        for place, free in enumerate(instead):
            if free:
                details[place] = phrase("{detail} Free near it: {moment}.", detail=details[place], moment=free)
        said = "; ".join(details[:_MOST_SAID])
        super().__init__(
            phrase(
                "{number} of the {count} meetings of the series cannot be at their time, so nothing is changed. {said}",
                number=len(conflicts),
                count=count,
                said=said,
            ),
            faults=tuple(Fault(pointer, detail) for detail in details),
        )


class RoomTooSmall(Conflict):
    """The room of a meeting has too few seats."""

    code = "room_too_small"


class MeetingNotFound(NotFound):
    """The meeting does not exist, or was cancelled."""

    code = "meeting_not_found"

    def __init__(self, meeting_id: UUID) -> None:
        super().__init__(phrase("There is no meeting {meeting_id}.", meeting_id=meeting_id))


class InvalidTime(Invalid):
    """An impossible time: in the past, empty, or too long."""

    code = "invalid_time"


class InvalidMeeting(Invalid):
    """A meeting's body that breaks a rule."""

    code = "invalid_meeting"


class SearchTooLarge(Invalid):
    """A search with too many slots; `days` of it would have about as many as allowed."""

    code = "search_too_large"

    def __init__(self, count: int, most: int, *, days: int) -> None:
        fewer = (
            phrase("Search fewer days (lookForwardTime: about {days} would do)", days=days)
            if days
            else "Search fewer hours"
        )
        detail = phrase(
            "{fewer}, or for fewer advisors and meeting types: with topic, customerTypeId, "
            "meetingTypes, employeeTypes or explicitEmployeeIds.",
            fewer=fewer,
        )
        super().__init__(
            phrase(
                "This search finds {count:,} free slots, but a response has at most {most:,}. {detail}",
                count=count,
                most=most,
                detail=detail,
            ),
            faults=(Fault("/query/lookForwardTime", detail),),
        )
