"""Loading the demo data at the first start, and keeping its credentials file up to date at every start."""

from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from meetdeck.booking.scheduling.meetings.schemas.meetings import NewMeeting
from meetdeck.booking.scheduling.meetings.service import meetings
from meetdeck.booking.slots.model import MeetingType
from meetdeck.demo.credentials import (
    Credentials,
    TenantCredentials,
    UserCredentials,
    are_stored,
    make_tenant_credentials,
    read_credentials,
    store_tenant_credentials,
    write_credentials,
)
from meetdeck.demo.firm import FIRMS, NORDLYS, Firm, add_firm, next_monday
from meetdeck.demo.people import list_people, store_people
from meetdeck.demo.pictures import add_pictures
from meetdeck.demo.portals import list_portals, put_portal
from meetdeck.platform.database import Connection
from meetdeck.platform.identity import Principal, UserKind
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values import Moment
from meetdeck.present.template_uploads.service import save_template
from meetdeck.services import Services

TEMPLATE_NAME = "Annual review"
TEMPLATE_FILE = Path(__file__).with_name("annual-review.pptx")
SAMPLE_DATA_FILE = Path(__file__).with_name("annual-review.json")

# Meetings of next week: advisor, weekday, hour, minutes, type, title.
_MEETINGS = (
    ("Anna Holm", 0, 9, 60, MeetingType.PHYSICAL, "Annual review with Mette Kjær"),
    ("Anna Holm", 0, 13, 45, MeetingType.ONLINE, "Pension check with Ole Bruun"),
    ("Bo Lind", 1, 10, 90, MeetingType.PHYSICAL, "Buying a home: Sofie and Emil Krag"),
    ("Camilla Friis", 2, 9, 60, MeetingType.ONLINE, "Investing with Niels Hede"),
    ("Eva Sand", 2, 14, 60, MeetingType.TELEPHONE, "Annual review with Karin Bay"),
    ("Hassan Ali", 3, 11, 60, MeetingType.PHYSICAL, "Investing with Peter Lund"),
)
_ROOMS = {"Anna Holm": "Havblik", "Bo Lind": "Fjorden", "Hassan Ali": "Kajen"}


async def load_demo_data(services: Services) -> Credentials:
    """Insert missing demo data; return the credentials, which are also in the credentials file."""
    settings = services.settings
    known = read_credentials(settings.data_dir)
    keys = {tenant.tenant_id: tenant for tenant in known.tenants} if known else {}
    tenants = [await _load_tenant(services, firm, keys.get(firm.tenant_id)) for firm in FIRMS]
    token_url = f"{settings.base_url}/oauth/token" if services.issuer else None
    credentials = Credentials(settings.base_url, token_url, tenants, f"{settings.base_url}/console")
    if known != credentials:
        write_credentials(settings.data_dir, credentials)
    return credentials


async def _load_tenant(services: Services, firm: Firm, known: TenantCredentials | None) -> TenantCredentials:
    """Insert a firm's missing data, also for a firm of an earlier version, and return its credentials."""
    credentials = await _load_firm(services, firm, known)
    credentials = await _load_people(services, firm, credentials)
    return await _load_portals(services, firm, credentials)


async def _load_firm(services: Services, firm: Firm, known: TenantCredentials | None) -> TenantCredentials:
    database, now = services.database, services.clock()
    async with database.transaction(firm.tenant_id) as connection:
        is_loaded: bool = await connection.fetchval("select exists (select from tenant)")
        if is_loaded and known is not None:
            if not await are_stored(connection, known):
                await store_tenant_credentials(connection, known, now)
            return known
    credentials = make_tenant_credentials(firm.tenant_id, firm.name, services.settings.elevated_role)
    upload = await services.uploads.check_upload(
        _owner(firm), name=TEMPLATE_NAME, customer_type=firm.customer_types[0], content=TEMPLATE_FILE.read_bytes()
    )
    async with database.transaction(firm.tenant_id) as connection:
        if not is_loaded:
            await add_firm(connection, firm)
            await add_pictures(connection, firm)
            await save_template(connection, _owner(firm), upload, now)
            if firm is NORDLYS:
                await _add_meetings(connection, firm, services.encryption, now)
        await store_tenant_credentials(connection, credentials, now)
    return credentials


async def _load_people(services: Services, firm: Firm, credentials: TenantCredentials) -> TenantCredentials:
    """Store a firm's users, which earlier versions did not have, and return its credentials with them."""
    people = list_people(firm, services.settings.role_names)
    async with services.database.transaction(firm.tenant_id) as connection:
        await store_people(connection, people)
    listed = {
        kind: [
            UserCredentials(one.user_name, one.name, one.email, list(one.roles)) for one in people if one.kind is kind
        ]
        for kind in UserKind
    }
    return msgspec.structs.replace(credentials, users=listed[UserKind.STAFF], customers=listed[UserKind.CUSTOMER])


async def _load_portals(services: Services, firm: Firm, credentials: TenantCredentials) -> TenantCredentials:
    """Insert a firm's portal if none is known, and return the credentials with the existing portals."""
    async with services.database.transaction(firm.tenant_id) as connection:
        if not credentials.portals:
            await put_portal(connection, firm)
        return msgspec.structs.replace(credentials, portals=await list_portals(connection))


async def _add_meetings(connection: Connection, firm: Firm, encryption: Encryption, now: datetime) -> None:
    monday = next_monday(now)
    for advisor, weekday, hour, minutes, meeting_type, title in _MEETINGS:
        starts_at = monday + timedelta(days=weekday, hours=hour)
        room = _ROOMS.get(advisor) if meeting_type is MeetingType.PHYSICAL else None
        meeting = NewMeeting(
            employee_id=firm.id_of("employee", advisor),
            customer_id=title.rpartition(" with ")[2],
            crm_id=f"CRM-{1000 + weekday * 100 + hour}",
            customer_type_id=firm.id_of("customer type", "Private"),
            type=meeting_type,
            title=title,
            room_id=firm.id_of("room", room) if room else None,
            start_date=Moment.fromisoformat(starts_at.isoformat()),
            end_date=Moment.fromisoformat((starts_at + timedelta(minutes=minutes)).isoformat()),
        )
        await meetings.create_meeting(connection, _owner(firm), meeting, encryption, now)


def _owner(firm: Firm) -> Principal:
    return Principal(firm.tenant_id, firm.id_of("user", "owner"))
