"""The one table of permissions, used by the API and the console (docs/decisions/0163); pure.

An address that is missing from the table is closed to everybody.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final

from meetdeck.platform.settings import RoleNames


class Access(StrEnum):
    """The least permission that a caller needs; from EMPLOYEE on, the role of that name in `RoleNames`."""

    ANYBODY = "anybody"
    """No credentials, or those that the address itself requires: a signed link, the return from signing in."""
    CALLER = "caller"
    """A token and a subscription key of the firm, with any roles or none: all that the contracts require."""
    EMPLOYEE = "employee"
    MANAGER = "manager"
    CONFIGURATOR = "configurator"
    ADMIN = "admin"
    ELEVATED = "elevated"
    """The role of programs, which every administrator has, too."""
    NOBODY = "nobody"
    """The need of an address that has no entry."""

    def permits(self, roles: frozenset[str], names: RoleNames) -> bool:
        """Return whether a known caller, with these roles and all that they include, has the permission."""
        return self in {Access.ANYBODY, Access.CALLER} or self.find_role(names) in roles

    def find_role(self, names: RoleNames) -> str | None:
        """Return the claim's value of the role, None if no role is needed or none would be enough."""
        return getattr(names, self.value, None)


# Methods and addresses by the permission that they need, those of the API without the version.
_TABLE: Final[Mapping[Access, str]] = {
    Access.ANYBODY: """
        GET                  /api/present/contents/{content_id}/download
        GET                  /api/present/pictures/{template_id}
        GET                  /console/sign-in
        GET                  /console/sign-in/return
        GET                  /console/signed-out
        POST                 /console/backchannel-logout
    """,
    Access.CALLER: """
        GET                  /api/booking/calendar-sources
        GET                  /api/booking/config/allowed-options
        GET POST             /api/booking/config/competence-groups
        GET                  /api/booking/config/competence-groups/employee/{employee_id}
        PATCH                /api/booking/config/competence-groups/employee/{employee_id}/add
        PATCH                /api/booking/config/competence-groups/employee/{employee_id}/remove
        GET PATCH DELETE     /api/booking/config/competence-groups/{group_id}
        GET POST             /api/booking/config/customer-types
        GET PUT DELETE       /api/booking/config/customer-types/{customer_type_id}
        GET POST             /api/booking/config/document-rules
        GET PATCH DELETE     /api/booking/config/document-rules/{document_rule_id}
        POST                 /api/booking/config/document-rules/{document_rule_id}/secrets
        GET                  /api/booking/config/employee-schedules
        GET PATCH            /api/booking/config/employee-schedules/{schedule_id}
        GET                  /api/booking/config/employee-schedules/{schedule_id}/actual
        GET POST             /api/booking/config/employees
        GET PUT DELETE       /api/booking/config/employees/{employee_id}
        GET POST             /api/booking/config/labels
        GET                  /api/booking/config/labels/search
        GET                  /api/booking/config/labels/suggest
        GET PATCH DELETE     /api/booking/config/labels/{label_id}
        GET                  /api/booking/config/labels/{label_id}/carriers
        GET POST             /api/booking/config/locations
        GET PATCH DELETE     /api/booking/config/locations/{location_id}
        GET POST             /api/booking/config/meeting-topics
        GET PUT PATCH DELETE /api/booking/config/meeting-topics/{topic_id}
        GET PUT              /api/booking/config/message-settings
        GET                  /api/booking/config/message-texts
        GET PUT DELETE       /api/booking/config/message-texts/{kind}/{language}
        GET POST             /api/booking/config/message-texts/{kind}/{language}/preview
        GET                  /api/booking/config/organization-settings
        PATCH                /api/booking/config/organization-settings/{setting_id}
        POST DELETE          /api/booking/config/organization-settings/{setting_id}/closing-days
        GET POST             /api/booking/config/portals
        POST                 /api/booking/config/portals/preview
        GET PATCH DELETE     /api/booking/config/portals/{portal_id}
        GET POST             /api/booking/config/rooms
        GET PUT DELETE       /api/booking/config/rooms/{room_id}
        GET POST             /api/booking/config/service-groups
        GET                  /api/booking/config/service-groups/employee/{employee_id}
        PATCH                /api/booking/config/service-groups/employee/{employee_id}/add
        PATCH                /api/booking/config/service-groups/employee/{employee_id}/remove
        GET PATCH DELETE     /api/booking/config/service-groups/{group_id}
        GET                  /api/booking/config/service-groups/{group_id}/advisors
        PATCH                /api/booking/config/service-groups/{group_id}/service-level
        PATCH                /api/booking/config/service-groups/{group_id}/service-trigger
        GET                  /api/booking/config/timezones
        GET                  /api/booking/employees
        GET                  /api/booking/employees/{employee_id}
        GET                  /api/booking/employees/{employee_id}/picture
        GET                  /api/booking/meeting-topics
        GET POST             /api/booking/meetings
        POST                 /api/booking/meetings/preview
        POST                 /api/booking/meetings/reassign
        GET                  /api/booking/meetings/unattended
        GET PATCH DELETE     /api/booking/meetings/{meeting_id}
        GET PUT DELETE       /api/booking/meetings/{meeting_id}/deck
        GET                  /api/booking/meetings/{meeting_id}/deck/suggestion
        GET                  /api/booking/meetings/{meeting_id}/documents
        GET                  /api/booking/meetings/{meeting_id}/documents/problems
        GET                  /api/booking/meetings/{meeting_id}/history
        POST                 /api/booking/meetings/{meeting_id}/ical
        POST                 /api/booking/meetings/{meeting_id}/notice
        POST                 /api/booking/meetings/{meeting_id}/undo
        GET                  /api/booking/reports/forecast
        GET                  /api/booking/reports/meetings
        GET                  /api/booking/reports/meetings/counted
        GET                  /api/booking/reports/utilization
        GET                  /api/booking/room-vacancies
        GET                  /api/booking/rooms
        GET                  /api/booking/rooms/{room_id}
        GET POST             /api/booking/time-slots
        GET                  /api/booking/time-slots/available
        GET                  /api/booking/time-slots/explain
        POST                 /api/booking/time-slots/preview
        POST                 /api/booking/time-slots/reserve
        GET PATCH DELETE     /api/booking/time-slots/{time_slot_id}
        GET POST             /api/booking/wishes
        GET PATCH DELETE     /api/booking/wishes/{wish_id}
        POST                 /api/present/contents
        GET DELETE           /api/present/contents/{content_id}
        GET POST             /api/present/recipes
        GET PUT DELETE       /api/present/recipes/{recipe_id}
        GET                  /api/present/reports/templates
        POST                 /api/present/slides
        POST                 /api/present/slides/generate
        POST                 /api/present/slides/pdf
        POST                 /api/present/slides/picture
        GET POST             /api/present/templates
        POST                 /api/present/templates/validation
        GET DELETE           /api/present/templates/{name}
        GET                  /api/present/templates/{name}/data
        GET                  /api/present/templates/{name}/revisions
        GET                  /api/present/templates/{name}/slides
        GET                  /api/present/templates/{name}/slides/{slide_name}
        PATCH                /api/present/templates/{template_id}/labels
    """,
    Access.EMPLOYEE: """
        GET                  /console
        GET                  /console/absences
        GET POST             /console/absences/new
        POST                 /console/absences/restore
        GET POST             /console/absences/{entry_id}/change
        GET POST             /console/absences/{entry_id}/meetings
        POST                 /console/absences/{entry_id}/remove
        GET POST             /console/book
        POST                 /console/book/hold
        POST                 /console/book/times
        POST                 /console/book/wish
        GET                  /console/calendar
        GET POST             /console/calendar/changes/line
        POST                 /console/calendar/changes/tell
        POST                 /console/calendar/changes/undo
        GET                  /console/calendar/customer
        GET                  /console/calendar/events.json
        GET                  /console/calendar/meetings/{meeting_id}
        POST                 /console/calendar/meetings/{meeting_id}/attendance
        POST                 /console/calendar/meetings/{meeting_id}/cancel
        GET                  /console/calendar/meetings/{meeting_id}/deck
        GET                  /console/calendar/meetings/{meeting_id}/deck/picture
        POST                 /console/calendar/meetings/{meeting_id}/deck/remove
        POST                 /console/calendar/meetings/{meeting_id}/drag
        GET POST             /console/calendar/meetings/{meeting_id}/edit
        GET                  /console/calendar/meetings/{meeting_id}/glance
        POST                 /console/calendar/meetings/{meeting_id}/move
        POST                 /console/calendar/meetings/{meeting_id}/undo
        GET POST             /console/calendar/time
        GET                  /console/calendar/why
        GET                  /console/decks
        POST                 /console/decks/data
        GET                  /console/decks/made/{content_id}
        GET                  /console/decks/made/{content_id}/deck
        GET                  /console/decks/made/{content_id}/pdf
        GET POST             /console/decks/new
        POST                 /console/decks/preview
        GET                  /console/decks/recipes/{recipe_id}
        POST                 /console/decks/recipes/{recipe_id}/delete
        GET                  /console/find
        POST                 /console/language
        GET                  /console/sign-in/resume
        POST                 /console/sign-out
        GET                  /console/suggestions/{source}
        GET                  /console/templates
        GET                  /console/templates/picture
        GET                  /console/templates/{template_id}
        GET                  /console/templates/{template_id}/revisions
        GET                  /console/templates/{template_id}/tags
        GET                  /console/wishes
        GET POST             /console/wishes/new
        POST                 /console/wishes/{wish_id}/remove
    """,
    Access.MANAGER: """
        GET POST             /console/absences/leavers/{employee_id}
        GET                  /console/hours
        POST                 /console/hours/undo
        GET POST             /console/hours/{employee_id}
        GET                  /console/reports
        GET                  /console/reports/forecast
        GET                  /console/reports/forecast.csv
        GET                  /console/reports/forecast/times
        GET                  /console/reports/meetings/counted
        GET                  /console/reports/{slug}
    """,
    Access.CONFIGURATOR: """
        POST                 /console/example
        POST                 /console/example/remove
        GET                  /console/settings
        GET POST             /console/settings/closing-days
        POST                 /console/settings/closing-days/holidays
        POST                 /console/settings/closing-days/undo
        GET POST             /console/settings/labels
        GET POST             /console/settings/labels/{label_id}
        POST                 /console/settings/labels/{label_id}/delete
        GET                  /console/settings/languages
        GET                  /console/settings/messages
        GET POST             /console/settings/messages/{kind}/{language}
        POST                 /console/settings/messages/{kind}/{language}/preview
        POST                 /console/settings/messages/{kind}/{language}/reset
        GET POST             /console/settings/organization
        POST                 /console/settings/organization/undo
        GET                  /console/settings/{slug}
        GET POST             /console/settings/{slug}/new
        POST                 /console/settings/{slug}/preview
        POST                 /console/settings/{slug}/undo
        GET POST             /console/settings/{slug}/{key}
        POST                 /console/settings/{slug}/{key}/delete
        GET POST             /console/settings/{slug}/{key}/picture
        GET                  /console/templates/upload
        POST                 /console/templates/upload/check
        POST                 /console/templates/upload/store
        POST                 /console/templates/{template_id}/delete
        POST                 /console/templates/{template_id}/labels
    """,
    Access.ADMIN: """
        GET                  /console/audit-log
        GET                  /console/connections
        GET POST             /console/connections/calendars/new
        GET POST             /console/connections/calendars/{key}
        POST                 /console/connections/calendars/{key}/delete
        POST                 /console/connections/calendars/{key}/read
        GET POST             /console/connections/feeds/{employee_id}
        POST                 /console/connections/feeds/{employee_id}/end
        GET POST             /console/connections/new
        GET                  /console/connections/{key}
        GET POST             /console/connections/{key}/change
        POST                 /console/connections/{key}/delete
        POST                 /console/connections/{key}/read
        GET POST             /console/settings/directory
        POST                 /console/settings/directory/{token_id}/revoke
        GET POST             /console/settings/keys
        POST                 /console/settings/keys/clients
        POST                 /console/settings/keys/clients/{client_id}/delete
        POST                 /console/settings/keys/{key_id}/revoke
        POST                 /console/settings/keys/{key_id}/rotate
        GET                  /console/settings/requests
        GET                  /console/settings/webhooks
        GET POST             /console/settings/webhooks/new
        GET POST             /console/settings/webhooks/{key}
        POST                 /console/settings/webhooks/{key}/active
        POST                 /console/settings/webhooks/{key}/delete
        POST                 /console/settings/webhooks/{key}/replay
        POST                 /console/settings/webhooks/{key}/secret
        POST                 /console/settings/webhooks/{key}/test
    """,
    Access.ELEVATED: """
        GET POST             /api/administration/clients
        DELETE               /api/administration/clients/{client_id}
        GET POST             /api/administration/keys
        DELETE               /api/administration/keys/{key_id}
        POST                 /api/administration/keys/{key_id}/rotate
        GET                  /api/administration/requests
        GET POST             /api/administration/scim-tokens
        DELETE               /api/administration/scim-tokens/{token_id}
        GET                  /api/audit-log
        GET POST             /api/booking/config/calendar-connections
        GET PATCH DELETE     /api/booking/config/calendar-connections/{connection_id}
        GET                  /api/booking/config/calendar-connections/{connection_id}/mailboxes
        POST                 /api/booking/config/calendar-connections/{connection_id}/read
        GET POST             /api/booking/config/calendars
        GET PATCH DELETE     /api/booking/config/calendars/{calendar_id}
        POST                 /api/booking/config/calendars/{calendar_id}/read
        POST                 /api/booking/config/employee-schedules
        DELETE               /api/booking/config/employee-schedules/{schedule_id}
        DELETE               /api/booking/config/organization-settings/{setting_id}
        GET POST DELETE      /api/booking/config/employees/{employee_id}/calendar-feed
        GET                  /api/booking/messages/undelivered
        GET                  /api/events
        GET POST             /api/events/webhooks
        GET PATCH DELETE     /api/events/webhooks/{webhook_id}
        GET                  /api/events/webhooks/{webhook_id}/deliveries
        POST                 /api/events/webhooks/{webhook_id}/replay
        POST                 /api/events/webhooks/{webhook_id}/secrets
        POST                 /api/events/webhooks/{webhook_id}/test
        GET                  /api/present/renderer
        POST                 /api/test/clock
    """,
}

DATA_SERVICE: Final = Access.ELEVATED
"""The permission needed, beside that of the address, to set where meetings are sent.

That is `dataUrl` of document rules, and the secret by which a data service recognizes Meetdeck.
"""


def _read(table: Mapping[Access, str]) -> dict[tuple[str, str], Access]:
    """Return the permission of each method of each address. Raises ValueError for a repeated one."""
    entries: dict[tuple[str, str], Access] = {}
    for access, lines in table.items():
        for line in filter(None, map(str.strip, lines.splitlines())):
            *methods, address = line.split()
            for method in methods:
                if entries.setdefault((method, address), access) is not access:
                    raise ValueError(f"{method} {address} has two entries in the table of permissions")
    return entries


PERMISSIONS: Final[Mapping[tuple[str, str], Access]] = _read(_TABLE)
"""The permission by method and address, in which parameters are written as in `/console/hours/{employee_id}`."""

_VERSION: Final = re.compile(r"^/api/v\d+(?=/)")


@lru_cache(maxsize=4096)
def find_access(method: str, address: str) -> Access:
    """Return the permission for a method of an address, written as in `PERMISSIONS` or with the API's version."""
    return PERMISSIONS.get((method, _VERSION.sub("/api", address)), Access.NOBODY)
