"""The configuration's addresses (contract section 4): only v3 has them."""

from litestar import Router

from meetdeck.booking.configuration.endpoints.competence_groups import CompetenceGroups
from meetdeck.booking.configuration.endpoints.employee_schedules import EmployeeSchedules
from meetdeck.booking.configuration.endpoints.organization_settings import OrganizationSettings
from meetdeck.booking.configuration.endpoints.portals import Portals
from meetdeck.booking.configuration.endpoints.service_groups import ServiceGroups
from meetdeck.platform.http.versions import Version

_CONTROLLERS = (CompetenceGroups, ServiceGroups, Portals, EmployeeSchedules, OrganizationSettings)


def make_router(version: Version) -> Router:
    """Return the addresses of one version."""
    return Router("/config", route_handlers=_CONTROLLERS if version is Version.V3 else ())
