"""A visit of a portal, made in memory."""

from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from meetdeck.booking.configuration.organization_settings.schemas import DisplayLabel
from meetdeck.booking.configuration.portals.schemas import (
    AuthenticationType,
    FieldType,
    FieldValidation,
    PageLanguage,
    Portal,
    PortalField,
)
from meetdeck.pages.portal.schemas import Choices, Visit
from meetdeck.pages.texts import get_texts

COPENHAGEN: Final = ZoneInfo("Europe/Copenhagen")
NOON: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)


def make_field(name: str, *, required: bool = False, pattern: str | None = None, **members: Any) -> PortalField:
    """Return a field of a portal: of text, visible and optional, unless given otherwise."""
    shown: dict[str, Any] = {"label": "", "type": FieldType.TEXT, "placeholder": "", "hidden": False}
    return PortalField(
        id=members.pop("id", None) or uuid4(),
        name=name,
        validation=FieldValidation(required=required, pattern=pattern),
        **(shown | members),
    )


def make_portal(*fields: PortalField, **members: Any) -> Portal:
    """Return a portal for anybody."""
    given: dict[str, Any] = {
        "id": UUID(int=1),
        "name": "Ours",
        "location": "",
        "logo_url": "",
        "logo_height": None,
        "styling": "",
        "authentication_type": AuthenticationType.ANONYMOUS,
        "customer_type_id": None,
        "topic_id": None,
        "crm_mapping_configuration_id": None,
        "ical_enabled": True,
        "labels": [],
        "address": "ours",
        "languages": list(PageLanguage),
        "embed_hosts": [],
        "brand_color": None,
    }
    return Portal(fields=list(fields), **(given | members))


def make_visit(*fields: PortalField, language: str = "en", zone: str = COPENHAGEN.key, **members: Any) -> Visit:
    """Return a visit of a portal with these fields; `members` are the portal's, `type_labels` the visit's."""
    labels: list[DisplayLabel] = members.pop("type_labels", [])
    return Visit(
        tenant_id=UUID(int=2),
        portal=make_portal(*fields, **members),
        address="ours",
        texts=get_texts(language),
        zone=ZoneInfo(zone),
        home_zone=COPENHAGEN,
        now=NOON,
        choices=Choices(),
        type_labels=labels,
        employee_labels=[],
        language=language,
        content_language=None,
    )
