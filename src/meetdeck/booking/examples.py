"""Example bodies of the API page; they work unchanged, in the page's order, with the demo data."""

from typing import Any

Body = dict[str, Any]
Patch = list[dict[str, Any]]

# Ids of the demo (`demo/firm.py`): they are derived from names, so that they are the same everywhere.
EMPLOYEE = "60ecab82-498d-5ad2-a150-ee4898e01c4b"
COLLEAGUE = "e96ff762-bfd6-5fe8-9254-1feef4ce4fa8"
ROOM = "1bdd1ec3-9da2-5e43-959b-62f3745482ee"
TOPIC = "0540052b-33b2-5a6e-ad88-217db1517974"
CUSTOMER_TYPE = "f40e6e72-0918-5f9d-8796-0e7f584d6eb9"
LOCATION = "6b3b38b8-af69-5f38-99f8-2b8dc3bea038"
COMPETENCE_GROUP = "78d04c93-0118-5428-bb88-d106b7bdc1f2"
SERVICE_GROUP = "155881dd-ae1b-5193-a3e5-190a2257ed97"
PORTAL = "beccec29-60a8-5d93-8808-60e62cf7bc77"
SCHEDULE = "784e626a-d7f3-54dc-ba79-0e10b22b3d19"
SETTING = "54f139e4-afdb-54b3-b47f-3c1dbcf89877"
TEMPLATE = "Annual review"


def _replace(path: str, value: object) -> Patch:
    return [{"op": "replace", "path": path, "value": value}]


NEW_EMPLOYEE: Body = {
    "name": "Mette Bruun",
    "email": "mette@nordlys.example",
    "phone": "+45 70 10 20 44",
    "title": "Advisor",
    "location": "Aarhus",
}
SAME_EMPLOYEE: Body = {
    "name": "Anna Holm",
    "email": "anna@nordlys.example",
    "phone": "+45 70 10 20 30",
    "title": "Senior advisor",
    "location": "Aarhus",
}
NEW_ROOM: Body = {"name": "Skoven", "capacity": 6, "location": "Aarhus", "features": ["Screen"]}
SAME_ROOM: Body = {
    "name": "Fjorden",
    "capacity": 8,
    "location": "Aarhus",
    "features": ["Screen", "Video", "Wheelchair access"],
}
NEW_TOPIC: Body = {
    "name": "Insurance check",
    "description": "Whether you are covered, and not twice.",
    "durationMinutes": 45,
    "meetingTypes": ["Physical", "Online"],
}
SAME_TOPIC: Body = {
    "name": "Annual review",
    "description": "Where you stand, and what to do next.",
    "durationMinutes": 60,
}
RENAMED_TOPIC = _replace("/localizedName/en-GB", "Annual review")
NEW_CUSTOMER_TYPE: Body = {"name": "Students", "description": "Who studies, whatever they earn.", "order": 3}
SAME_CUSTOMER_TYPE: Body = {"name": "Private", "order": 0}
NEW_LOCATION: Body = {"location": "Odense", "displayName": "Odense, Havnegade 3", "addRoomsToBookedMeetings": True}
MOVED_LOCATION = _replace("/displayName", "Aarhus, Åboulevarden 14")

NEW_COMPETENCE_GROUP: Body = {
    "name": "Reviews of private customers",
    "customerTypeIds": [CUSTOMER_TYPE],
    "topicIds": [TOPIC],
    "employeeIds": [EMPLOYEE],
    "labels": ["Private"],
}
NAMED_COMPETENCE_GROUP = _replace("/name", "Annual reviews")
COMPETENCE_GROUPS = [COMPETENCE_GROUP]
NEW_SERVICE_GROUP: Body = {
    "name": "Evening team",
    "membershipEmail": "evening@nordlys.example",
    "employeeIds": [EMPLOYEE],
    "maxMeetingTimePerDay": "06:00:00",
    "serviceTrigger": {"topicIds": [TOPIC]},
    "serviceLevel": {"priority": 5, "bufferAfter": "00:10:00"},
}
SERVICE_GROUPS = [SERVICE_GROUP]
ADDRESSED_SERVICE_GROUP = _replace("/membershipEmail", "aarhus@nordlys.example")
TRIGGERED_SERVICE_GROUP = _replace("/meetingTypes", ["Physical", "Online", "Telephone"])
PREFERRED_SERVICE_GROUP = _replace("/priority", 10)

NEW_PORTAL: Body = {
    "name": "Book an annual review",
    "location": "Aarhus",
    "fields": [
        {"name": "phone", "label": "Phone", "type": "Phone", "validation": {"required": True}},
        {"name": "interpreter", "label": "I need an interpreter", "type": "Checkbox"},
    ],
    "customerTypeId": CUSTOMER_TYPE,
    "topicId": TOPIC,
    "labels": ["Private"],
    "languages": ["en", "da"],
    "embedHosts": ["www.nordlys.example"],
    "brandColor": "#0A5C5C",
}
TALLER_LOGO = _replace("/logoHeight", 48)
NEW_SCHEDULE: Body = {
    "employeeId": COLLEAGUE,
    "workdays": [
        {"dayOfWeek": "Monday", "from": "08:30:00", "to": "16:30:00"},
        {"dayOfWeek": "Tuesday", "from": "08:30:00", "to": "16:30:00"},
    ],
}
LATER_MONDAY = _replace("/workdays/0/from", "09:00:00")
NAMED_CALENDARS = _replace("/iCalMeetingTitle", "Meeting with Nordlys Rådgivning")
NEW_DOCUMENT_RULE: Body = {"topicId": TOPIC, "template": TEMPLATE, "hoursBefore": 24}
EARLIER_DOCUMENTS = _replace("/hoursBefore", 48)
CLOSING_DAY = "2035-12-24T00:00:00Z"

# Mondays and Tuesdays far ahead: a meeting may be booked while the reservation of the example is held.
TOKEN = "0b7f1f3e-6a2d-4c55-9d0e-7f3a1c2b4d5e"  # noqa: S105 - a reservation's token is the caller's to choose
RESERVATION: Body = {
    "timeSlot": {
        "startDate": "2035-03-05T09:00:00Z",
        "endDate": "2035-03-05T10:00:00Z",
        "status": "Reserved",
        "employeeId": EMPLOYEE,
    },
    "token": TOKEN,
}
BUSY_TIME: Body = {
    "startDate": "2035-03-07T12:00:00Z",
    "endDate": "2035-03-07T15:00:00Z",
    "status": "Busy",
    "employeeId": EMPLOYEE,
}
LONGER_BUSY_TIME = _replace("/endDate", "2035-03-07T16:00:00Z")
REASSIGNING: Body = {
    "employeeId": EMPLOYEE,
    "from": "2035-03-07T12:00:00Z",
    "to": "2035-03-07T15:00:00Z",
    "dryRun": True,
}
NEW_MEETING: Body = {
    "employeeId": EMPLOYEE,
    "customerId": "C-1001",
    "crmId": "CRM-1001",
    "customerTypeId": CUSTOMER_TYPE,
    "topicId": TOPIC,
    "type": "Online",
    "title": "Annual review with Freja Søndergaard",
    "startDate": "2035-03-06T09:00:00Z",
    "endDate": "2035-03-06T10:00:00Z",
    "externalAttendees": [{"name": "Freja Søndergaard", "email": "freja@example.com"}],
}
QUARTERLY_MEETINGS: Body = NEW_MEETING | {
    "startDate": "2035-03-08T09:00:00Z",
    "endDate": "2035-03-08T10:00:00Z",
    "recurrence": "FREQ=MONTHLY;INTERVAL=3;COUNT=4",
}
NAMED_MEETING = _replace("/title", "Annual review")
CALENDAR: Body = {"title": "Your annual review"}
NEW_WISH: Body = {
    "topicId": TOPIC,
    "customerTypeId": CUSTOMER_TYPE,
    "meetingTypes": ["Online"],
    "from": "2035-03-05T08:00:00Z",
    "to": "2035-03-16T16:00:00Z",
    "customerId": "C-1001",
    "name": "Freja Søndergaard",
    "email": "freja@example.com",
}
LONGER_WISH = _replace("/to", "2035-03-30T16:00:00Z")
