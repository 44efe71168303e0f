"""The configuration's addresses (contract section 4): only v3 has them."""

from litestar import Controller

from meetdeck.booking.configuration.endpoints.competence_groups import CompetenceGroups
from meetdeck.booking.configuration.endpoints.employee_schedules import EmployeeSchedules
from meetdeck.booking.configuration.endpoints.organization_settings import OrganizationSettings
from meetdeck.booking.configuration.endpoints.portals import Portals
from meetdeck.booking.configuration.endpoints.service_groups import ServiceGroups
from meetdeck.platform.http.versions import Version


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version."""
    if version is not Version.V3:
        return []
    return [CompetenceGroups, ServiceGroups, Portals, EmployeeSchedules, OrganizationSettings]
