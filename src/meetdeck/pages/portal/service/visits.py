"""Opening a portal for a visitor: the portal, its language and its time zone."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from meetdeck.booking.configuration.organization_settings import service as organization_settings
from meetdeck.booking.configuration.organization_settings.schemas import DisplayLabel, OrganizationSetting
from meetdeck.booking.configuration.portals import store as portals
from meetdeck.booking.configuration.portals.schemas import Portal
from meetdeck.booking.configuration.portals.service.identity import PortalIdentity, find_portal
from meetdeck.booking.directory.timezones.service import list_timezones
from meetdeck.booking.localization.languages import choose_closest, find_closest
from meetdeck.booking.localization.texts import speak
from meetdeck.booking.scheduling.meetings.store.meetings import find_language
from meetdeck.pages.portal.schemas import Choices, Visit
from meetdeck.pages.texts import choose_language, get_texts
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import NotFound
from meetdeck.platform.identity import require_enabled


class PortalUnknown(NotFound):
    """There is no portal at this address, or no longer."""

    code = "portal_unknown"

    def __init__(self) -> None:
        super().__init__("There is no booking page here.")


class FoundPortal(NamedTuple):
    """A portal, and the address at which it was found."""

    address: str
    identity: PortalIdentity


class Request(msgspec.Struct, frozen=True):
    """The parts of a request that determine a visit, beside the portal's address."""

    choices: Choices
    accept_language: str
    now: datetime
    meeting_id: UUID | None = None
    """The meeting of the page: its language is used if the visitor chose none."""


async def look_up_portal(database: Database, address: str) -> FoundPortal:
    """Return the portal with an id or address. Raises PortalUnknown."""
    identity = await find_portal(database, address)
    if identity is None:
        raise PortalUnknown
    return FoundPortal(address, identity)


async def open_visit(database: Database, portal: FoundPortal, request: Request) -> Visit:
    """Return the visit of a portal. Raises PortalUnknown, TenantDisabled."""
    identity = portal.identity
    async with database.transaction(identity.tenant_id) as connection:
        await require_enabled(connection)
        found = await portals.list_portals(connection, [identity.portal_id])
        setting = await organization_settings.get_setting(connection)
        spoken = await find_language(connection, request.meeting_id) if request.meeting_id is not None else None
    if not found:
        raise PortalUnknown
    return _make_visit(identity.tenant_id, found[0], portal.address, setting, request, spoken or "")


async def open_draft(connection: Connection, tenant_id: UUID, portal: Portal, request: Request) -> Visit:
    """Return a visit of an unsaved portal."""
    setting = await organization_settings.get_setting(connection)
    visit = _make_visit(tenant_id, portal, portal.address or str(portal.id), setting, request)
    return replace(visit, is_draft=True)


def _make_visit(
    tenant_id: UUID,
    portal: Portal,
    address: str,
    setting: OrganizationSetting,
    request: Request,
    spoken: str = "",
) -> Visit:
    choices = request.choices
    offered = [language.value for language in portal.languages]
    wishes = (choices.language, spoken, request.accept_language, setting.main_locale)
    texts = get_texts(choose_language(offered, *wishes))
    home = ZoneInfo(setting.time_zone.identifier)
    content_language = find_closest(setting.main_locale, setting.enabled_locales, texts.language)
    return Visit(
        tenant_id=tenant_id,
        portal=speak(portal, content_language),
        address=address,
        texts=texts,
        zone=_find_zone(choices.zone) or home,
        home_zone=home,
        now=request.now,
        choices=choices,
        type_labels=_speak_labels(setting.meeting_type_labels, content_language),
        employee_labels=_speak_labels(setting.employee_labels, content_language),
        content_language=content_language,
        phone=setting.phone,
        privacy_url=setting.privacy_url,
        language=content_language or choose_closest([setting.main_locale], texts.language) or texts.language,
    )


def _find_zone(name: str) -> ZoneInfo | None:
    """Return the time zone with a name, if people can choose it."""
    known = {zone.identifier for zone in list_timezones()} if name else set[str]()
    return ZoneInfo(name) if name in known else None


def _speak_labels(labels: list[DisplayLabel], language: str | None) -> list[DisplayLabel]:
    return sorted((speak(one, language) for one in labels), key=lambda one: one.order)
