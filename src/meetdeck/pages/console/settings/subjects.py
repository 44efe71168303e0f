"""The kinds of resources in the settings, each with its address in the API, its columns and its fields."""

from datetime import timedelta
from typing import Final

from meetdeck.booking.localization.members import LABELS
from meetdeck.pages.console.forms import Field, Subject
from meetdeck.pages.console.settings.portal_fields import PORTAL_FIELDS
from meetdeck.pages.texts import mark
from meetdeck.platform.identity import DATA_SERVICE

_LOCATION = Field("location", mark("Location"), "one", source="locations")
_CUSTOMER_TYPES = LABELS["customerTypeIds"]
_FOR_ALL = mark("Choose none to include all of them.")

SUBJECTS: Final = (
    Subject(
        "employees",
        "booking/config/employees",
        (
            Field("name", LABELS["name"], is_required=True),
            Field("email", LABELS["email"], "email", mark("Invitations go there; it is also how they sign in here.")),
            Field("phone", LABELS["phone"]),
            Field("title", LABELS["title"], hint=mark("As customers see it.")),
            _LOCATION,
            Field("initials", LABELS["initials"]),
            Field("externalId", mark("Id in your other systems")),
            Field("customerTypeIds", _CUSTOMER_TYPES, "several", _FOR_ALL, "customer-types"),
            Field("active", LABELS["active"], "tick", mark("Only active employees can be booked.")),
        ),
        ("name", "title", "location", "email", "active"),
        owned=("name", "email", "phone", "title", "externalId", "active"),
        list_path="booking/employees",
        is_narrowed=True,
        defaults={"active": True},
    ),
    Subject(
        "rooms",
        "booking/config/rooms",
        (
            Field("name", LABELS["name"], is_required=True),
            Field("capacity", mark("Seats"), "number", is_required=True),
            _LOCATION,
            Field("features", mark("What is in it"), "lines", mark("One on each line: Screen, Whiteboard.")),
            Field("email", LABELS["email"], "email", mark("The address of the room's mailbox, if it has one.")),
            Field("available", mark("In use"), "tick", mark("A room out of use is in no search.")),
            Field("canBeBooked", LABELS["canBeBooked"], "tick"),
        ),
        ("name", "location", "capacity", "available"),
        is_narrowed=True,
        defaults={"available": True, "canBeBooked": True},
    ),
    Subject(
        "locations",
        "booking/config/locations",
        (
            Field("location", mark("Name"), is_required=True),
            Field("displayName", mark("Name that customers read"), localized="localizedName"),
            Field("addRoomsToBookedMeetings", mark("Add a room to meetings that are booked here"), "tick"),
            Field("requireAvailableRoom", mark("Offer only times with a free room"), "tick"),
        ),
        ("location", "displayName", "requireAvailableRoom"),
        by_patch=True,
    ),
    Subject(
        "topics",
        "booking/config/meeting-topics",
        (
            Field("name", LABELS["name"], is_required=True, localized="localizedName"),
            Field("description", LABELS["description"], "text", localized="localizedDescription"),
            Field("durationMinutes", mark("Length"), "length", is_required=True, counted=timedelta(minutes=1)),
            Field("meetingTypes", mark("Ways to meet"), "several", _FOR_ALL, "meeting-types"),
            Field("customerTypeIds", _CUSTOMER_TYPES, "several", _FOR_ALL, "customer-types"),
            Field("customerBookable", mark("Customers may book it themselves"), "tick"),
            Field(
                "preparationTime",
                mark("Free before a meeting"),
                "length",
                mark("Other meetings keep this distance. With other buffers, the longest counts."),
                empty="00:00:00",
            ),
            Field("followUpTime", mark("Free after a meeting"), "length", empty="00:00:00"),
            Field(
                "alsoServiceGroups",
                mark("Also at these meetings"),
                "several",
                mark("One more person of each group joins. Only times at which all are free are offered."),
                "service-groups",
            ),
            Field(
                "seats",
                LABELS["seats"],
                "number",
                mark("For seminars: so many book the same time of the same advisor. 1: each has the advisor alone."),
                empty=1,
            ),
            Field(
                "minimumSeats",
                LABELS["minimumSeats"],
                "number",
                mark(
                    "An hour before the minimum notice, a meeting with fewer bookings is cancelled; all are notified."
                ),
                empty=1,
            ),
            Field("uniqueTopicId", mark("Id in your other systems")),
            Field("order", mark("Place in lists"), "number", empty=0),
        ),
        ("name", "durationMinutes", "meetingTypes", "customerBookable"),
        defaults={"durationMinutes": 60, "customerBookable": True, "order": 0, "seats": 1, "minimumSeats": 1},
    ),
    Subject(
        "customer-types",
        "booking/config/customer-types",
        (
            Field("name", LABELS["name"], is_required=True),
            Field("description", LABELS["description"], "text"),
            Field("order", mark("Place in lists"), "number", empty=0),
        ),
        ("name", "description"),
        defaults={"order": 0},
    ),
    Subject(
        "competence-groups",
        "booking/config/competence-groups",
        (
            Field("name", LABELS["name"], is_required=True),
            Field("employeeIds", LABELS["employeeIds"], "several", source="employees"),
            Field("topicIds", mark("Meeting topics"), "several", source="topics", read_from="topics"),
            Field(
                "customerTypeIds",
                LABELS["customerTypeIds"],
                "several",
                source="customer-types",
                read_from="customerTypes",
            ),
            Field(
                "parentGroupIds",
                mark("Groups above it"),
                "several",
                mark("Its employees count as members of these, too."),
                "competence-groups",
            ),
            Field(
                "childGroupIds",
                mark("Groups below it"),
                "several",
                mark("Their employees count as members, too."),
                "competence-groups",
            ),
            Field("serviceGroupIds", LABELS["serviceGroupIds"], "several", source="service-groups"),
            Field("labels", LABELS["labels"], "lines", mark("One on each line.")),
        ),
        ("name", "topicIds", "customerTypeIds", "labels"),
        owned=("name", "employeeIds"),
        by_patch=True,
        above="parentGroupIds",
    ),
    Subject(
        "service-groups",
        "booking/config/service-groups",
        (
            Field("name", LABELS["name"], is_required=True),
            Field("membershipEmail", mark("E-mail"), "email"),
            Field("employeeIds", LABELS["employeeIds"], "several", source="employees", section=mark("Who they are")),
            Field("competenceGroupIds", LABELS["competenceGroupIds"], "several", source="competence-groups"),
            Field("labels", LABELS["labels"], "lines", mark("One on each line.")),
            Field(
                "maxMeetingTimePerDay",
                mark("Most time in meetings a day"),
                "length",
                mark("Leave empty to use the organization's limit."),
                empty=None,
                unit="hours",
            ),
            Field(
                "serviceTrigger/topicIds",
                mark("Offered for these topics"),
                "several",
                _FOR_ALL,
                "topics",
                section=mark("Offered for"),
            ),
            Field(
                "serviceTrigger/customerTypeIds",
                mark("Offered to these customer types"),
                "several",
                _FOR_ALL,
                "customer-types",
            ),
            Field("serviceTrigger/meetingTypes", mark("Offered for these ways"), "several", _FOR_ALL, "meeting-types"),
            Field("serviceTrigger/locations", mark("Offered at these locations"), "several", _FOR_ALL, "locations"),
            Field(
                "serviceLevel/priority",
                LABELS["serviceLevel.priority"],
                "number",
                mark("Groups with a higher number come first among times with the same start."),
                empty=0,
                section=mark("How they serve"),
            ),
            Field(
                "serviceLevel/meetingTypes",
                mark("Serves only in these ways"),
                "several",
                mark("Choose none to include them all."),
                "meeting-types",
                empty=None,
            ),
            Field(
                "serviceLevel/locations",
                mark("Serves in person only at these locations"),
                "several",
                mark("Leave empty for any location. If you chose ways to meet above, choose locations as well."),
                "locations",
                empty=None,
            ),
            Field(
                "serviceLevel/responseTime",
                mark("Shortest notice"),
                "length",
                mark("The least time between booking and meeting."),
                empty="00:00:00",
                unit="hours",
            ),
            Field("serviceLevel/bufferBefore", mark("Free before a meeting"), "length", empty="00:00:00"),
            Field("serviceLevel/bufferAfter", mark("Free after a meeting"), "length", empty="00:00:00"),
        ),
        ("name", "competenceGroupIds", "labels", "serviceLevel/priority"),
        owned=("name", "employeeIds"),
        by_patch=True,
    ),
    Subject(
        "portals",
        "booking/config/portals",
        PORTAL_FIELDS,
        ("name", "address", "authenticationType", "languages"),
        by_patch=True,
        defaults={"authenticationType": "Anonymous", "languages": ["en", "da"], "icalEnabled": True},
        query={"includeHiddenFields": True},
        preview="booking/config/portals/preview",
        keeps_id=False,
    ),
    Subject(
        "document-rules",
        "booking/config/document-rules",
        (
            Field("template", mark("Template"), "one", source="templates", is_required=True),
            Field("topicId", mark("Meeting topic"), "one", mark("Leave empty for all."), "topics", empty=None),
            Field(
                "customerTypeId",
                mark("Customer type"),
                "one",
                mark("Leave empty for all."),
                "customer-types",
                empty=None,
            ),
            Field(
                "slides",
                mark("Slides"),
                "lines",
                mark("Their names, one per line. Leave empty for the whole template."),
            ),
            Field(
                "dataUrl",
                mark("Address that answers the data"),
                "url",
                mark(
                    "Leave empty to fill the deck with the meeting's own data. Only administrators can change this "
                    "address, because meetings are sent to it."
                ),
                empty=None,
                needs=DATA_SERVICE,
            ),
            Field(
                "hoursBefore",
                mark("Created again before the meeting"),
                "length",
                mark("How long before the meeting. Leave empty to create it only once."),
                empty=None,
                unit="hours",
                counted=timedelta(hours=1),
            ),
        ),
        ("template", "topicId", "customerTypeId"),
        by_patch=True,
    ),
)


def find_subject(slug: str) -> Subject | None:
    """Return the subject of an address."""
    return next((one for one in SUBJECTS if one.slug == slug), None)
