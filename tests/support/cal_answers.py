"""Answers of Cal.com's API v2, as its documentation shows them, written into a folder."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

USERS: Final[list[dict[str, Any]]] = [
    {
        "id": 1,
        "username": "anna",
        "name": "Anna Holm",
        "email": "anna@example.com",
        "timeZone": "Europe/London",
        "weekStart": "Monday",
        "defaultScheduleId": 254,
        "profile": {"id": 1, "organizationId": 1, "userId": 1, "username": "anna"},
    },
    {"id": 7, "userId": 2, "teamId": 3, "accepted": True, "user": {"email": "bo@example.com", "name": "Bo Lind"}},
]
EVENT_TYPES: Final[list[dict[str, Any]]] = [
    {
        "id": 11,
        "lengthInMinutes": 45,
        "lengthInMinutesOptions": [45, 60],
        "title": "Pension check",
        "slug": "pension-check",
        "description": "Your pension, on one page.",
        "locations": [
            {"type": "address", "address": "Nyhavn 40", "public": True},
            {"type": "integration", "integration": "cal-video"},
        ],
        "bookingFields": [{"type": "name", "slug": "name", "isDefault": True}],
        "minimumBookingNotice": 0,
        "beforeEventBuffer": 0,
        "afterEventBuffer": 90,
        "recurrence": {"disabled": True},
        "price": 0,
        "hidden": True,
        "seats": {"seatsPerTimeSlot": 4, "showAttendeeInfo": True, "showAvailabilityCount": True},
        "teamId": 3,
        "schedulingType": "roundRobin",
        "hosts": [{"userId": 1, "mandatory": False, "priority": "medium"}, {"userId": 2}],
    },
    {
        "id": 12,
        "lengthInMinutes": 30,
        "title": "Mortgage",
        "slug": "mortgage",
        "description": None,
        "locations": [{"type": "attendeePhone"}],
        "bookingFields": [{"type": "text", "slug": "income", "isDefault": False}],
        "slotInterval": 10,
        "seats": {"disabled": True},
        "ownerId": 1,
    },
]
SCHEDULES: Final[list[dict[str, Any]]] = [
    {
        "id": 254,
        "ownerId": 1,
        "name": "Working hours",
        "timeZone": "Europe/Copenhagen",
        "availability": [{"days": ["Monday", "Tuesday"], "startTime": "09:00", "endTime": "15:30"}],
        "isDefault": True,
        "overrides": [
            {"date": "2024-05-20", "startTime": "18:00", "endTime": "21:00"},
            {"date": "2035-03-05", "startTime": "17:00", "endTime": "20:00"},
            {"date": "2035-03-06", "startTime": "00:00", "endTime": "00:00"},
        ],
    },
    {"id": 255, "ownerId": 1, "name": "Evenings", "timeZone": "Europe/Rome", "availability": [], "isDefault": False},
]
BOOKINGS: Final[list[dict[str, Any]]] = [
    {
        "id": 123,
        "uid": "booking_uid_123",
        "title": "Pension check between Anna and Jane",
        "hosts": [{"id": 1, "name": "Anna Holm", "email": "anna@example.com", "timeZone": "Europe/London"}],
        "status": "accepted",
        "start": "2035-03-12T08:30:00Z",
        "end": "2035-03-12T09:15:00Z",
        "duration": 45,
        "eventType": {"id": 11, "slug": "pension-check"},
        "attendees": [{"name": "Jane Doe", "email": "jane@example.com", "timeZone": "Europe/London", "absent": False}],
    },
    {
        "id": 124,
        "title": "Past",
        "hosts": [{"id": 1, "name": "Anna Holm"}],
        "status": "accepted",
        "start": "2024-08-13T15:30:00Z",
        "end": "2024-08-13T16:30:00Z",
    },
    {
        "id": 125,
        "title": "Off",
        "hosts": [{"id": 1, "name": "Anna Holm"}],
        "status": "cancelled",
        "start": "2035-03-13T15:30:00Z",
        "end": "2035-03-13T16:30:00Z",
    },
]


def write_answers(folder: Path, **changed: Any) -> Path:
    """Write the four answers, some of them changed, by their names; return the folder."""
    answers: Mapping[str, Any] = {
        "users": USERS,
        "event_types": EVENT_TYPES,
        "schedules": SCHEDULES,
        "bookings": BOOKINGS,
        **changed,
    }
    for name, data in answers.items():
        text = json.dumps({"status": "success", "data": data}, indent=1)
        (folder / f"{name.replace('_', '-')}.json").write_text(text, encoding="utf-8")
    return folder
