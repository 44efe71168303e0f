"""The requests: every list and search that the API has, in the forms that grow with the firm."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from large_firm_parts.server import Server
from meetdeck.platform.process import clock

_ANYBODY: Final = "time-slots/available?requireEmployeeParticipation=false&"

_REQUESTS: Final[Mapping[str, str]] = {
    "schedules": "config/employee-schedules",
    "meetings": "meetings",
    "meetings, changed": "meetings?startDateModified={yesterday}",
    "meetings of an advisor": "meetings?employeeId={employee}",
    "time slots, 360 days": "time-slots?endDate={in360}",
    "time slots, 31 days": "time-slots",
    "time slots of an advisor": "time-slots?employeeId={employee}&endDate={in360}",
    "available, everybody, 7 days": _ANYBODY + "lookForwardTime=7.00:00:00",
    "available, everybody, 30 days": _ANYBODY + "lookForwardTime=30.00:00:00",
    "available, everybody, 366 days, online": _ANYBODY + "lookForwardTime=366.00:00:00&meetingTypes=online",
    "available, a topic, 7 days": _ANYBODY + "topic={topic}",
    "available, a topic, a customer, online": _ANYBODY
    + "topic={topic}&customerTypeId={customer_type}&isCustomerInitiated=true&meetingTypes=online",
    "available, one named, 30 days": _ANYBODY + "employeeTypes=Explicit&explicitEmployeeIds={employee}"
    "&lookForwardTime=30.00:00:00",
    "available, one named, 366 days": _ANYBODY + "employeeTypes=Explicit&explicitEmployeeIds={employee}"
    "&lookForwardTime=366.00:00:00",
    "available, a service group, 7 days": _ANYBODY + "employeeTypes=ServiceGroup",
    "explain": "time-slots/explain?employeeId={employee}&date={monday}",
    "employees": "employees",
    "config/employees": "config/employees",
    "rooms": "rooms",
    "topics": "meeting-topics?isCustomer=true",
    "customer types": "config/customer-types",
    "locations": "config/locations",
    "competence groups": "config/competence-groups",
    "service groups": "config/service-groups",
    "advisors of a service group": "config/service-groups/{service_group}/advisors",
    "portals": "config/portals",
    "labels": "config/labels?pageSize=200",
    "time zones": "config/timezones",
}
NAMES: Final = tuple(_REQUESTS)


def list_requests(server: Server) -> dict[str, str]:
    """Return the address of each request."""
    now = clock.now().replace(microsecond=0)
    values = {
        "yesterday": (now - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "in360": (now + timedelta(days=360)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "monday": (now + timedelta(days=7 - now.weekday())).strftime("%Y-%m-%d"),
        "employee": server.id_of("employee", 7),
        "topic": server.id_of("topic", 7),
        "customer_type": server.id_of("customer type", 1),
        "service_group": server.id_of("service group", 2),
    }
    return {name: "/api/v3/booking/" + path.format_map(values) for name, path in _REQUESTS.items()}
