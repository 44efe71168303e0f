"""The configuration's addresses (contract section 4): only v3 has them."""

from litestar import Controller

from meetdeck.booking.configuration.allowed_options.endpoints import AllowedOptionsOfMeetings
from meetdeck.booking.configuration.competence_groups.endpoints import CompetenceGroups
from meetdeck.booking.configuration.document_rules.endpoints import DocumentRulesOfMeetings, DocumentSecrets
from meetdeck.booking.configuration.employee_schedules.endpoints import EmployeeSchedules
from meetdeck.booking.configuration.organization_settings.endpoints import OrganizationSettings
from meetdeck.booking.configuration.portals.endpoints import Portals
from meetdeck.booking.configuration.service_groups.endpoints import ServiceGroups
from meetdeck.platform.values import Version


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version."""
    if version is not Version.V3:
        return []
    return [
        CompetenceGroups,
        ServiceGroups,
        Portals,
        DocumentRulesOfMeetings,
        DocumentSecrets,
        EmployeeSchedules,
        OrganizationSettings,
        AllowedOptionsOfMeetings,
    ]
