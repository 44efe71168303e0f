"""The list of kinds of resources, and those that have words or code for each kind: none forgets one."""

from collections.abc import Set as AbstractSet
from typing import Any, Final, cast
from uuid import uuid4

import pytest

from meetdeck.administration.audit_log.schemas import AuditedKind
from meetdeck.administration.exports.checks.subjects import list_checks
from meetdeck.administration.exports.tables import TABLES
from meetdeck.booking.importing.kinds import BODIES
from meetdeck.booking.kinds import Kind
from meetdeck.pages.console.audit_log.endpoints import KINDS
from meetdeck.pages.console.settings.subjects import SUBJECTS
from meetdeck.platform.identity.permissions import PERMISSIONS
from meetdeck.platform.outgoing import OutgoingClient
from support.factories import TUESDAY_AT_TEN

_CONFIGURED: Final = {kind for kind in Kind if kind.address}
_CHECKS: Final = list_checks(uuid4(), cast("OutgoingClient", None), TUESDAY_AT_TEN, logo_by_https=True)
_PATHS: Final = {path for _, path in PERMISSIONS}
_PAGES_OF_THEIR_OWN: Final = {Kind.EMPLOYEE_SCHEDULE, Kind.ORGANIZATION_SETTING}


@pytest.mark.parametrize(
    ("expected", "listed"),
    [
        pytest.param({kind.address for kind in _CONFIGURED}, {each.value for each in AuditedKind}, id="audit log"),
        pytest.param({kind.address for kind in _CONFIGURED}, {*KINDS}, id="console's audit log"),
        pytest.param(
            {kind.area for kind in _CONFIGURED - _PAGES_OF_THEIR_OWN},
            {subject.path for subject in SUBJECTS},
            id="console's settings",
        ),
        pytest.param({kind.table for kind in Kind}, {*TABLES}, id="exports"),
        pytest.param({kind.table for kind in _CONFIGURED}, {check.table for check in _CHECKS}, id="checks of exports"),
        pytest.param({kind for kind in Kind if kind.imported_as}, {*BODIES}, id="import"),
        pytest.param({f"/api/{kind.area}" for kind in _CONFIGURED}, _PATHS, id="permissions"),
    ],
)
def test_no_list_forgets_a_kind(expected: AbstractSet[Any], listed: AbstractSet[Any]) -> None:
    assert expected - listed == set()
