"""The application's services, opened in groups: one for each part of the product."""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

from meetdeck.background import Base, WorkServices
from meetdeck.booking.configuration.document_rules.service import DocumentRules
from meetdeck.booking.directory.employees.service import EmployeePictures
from meetdeck.booking.scheduling.search.service.memory import MEMORY
from meetdeck.connections.calendar_connections.service.attention import CalendarAttention
from meetdeck.connections.calendar_connections.service.lines import Lines
from meetdeck.connections.calendar_connections.service.reading import ConnectionReader
from meetdeck.connections.calendar_events.service.writing import EventWriter
from meetdeck.connections.calendars.service.reading import CalendarReader
from meetdeck.installation import list_own_ports
from meetdeck.messages.documents.service.attaching import AttachedDocuments
from meetdeck.messages.documents.service.building import Builder
from meetdeck.messages.documents.service.listing import DocumentLinks
from meetdeck.messages.documents.service.preparing import Preparation
from meetdeck.messages.meeting_messages.service.subscriber import restate
from meetdeck.pages.console.kit import Logouts, RoleChecks, Sessions, SessionSecrets
from meetdeck.pages.console.sign_in.signing_in import StaffSignIns
from meetdeck.pages.portal.journey import Outside, Portals, Secrets
from meetdeck.platform.changes import Fingerprints
from meetdeck.platform.database import Database
from meetdeck.platform.errors import SetupError
from meetdeck.platform.http.calls import RequestServices
from meetdeck.platform.http.openapi import ApiDocuments, Installation
from meetdeck.platform.http.operations import Readiness
from meetdeck.platform.http.rate_limits import RateLimits
from meetdeck.platform.identity import (
    Authorization,
    Identity,
    SignIns,
    TokenIssuer,
)
from meetdeck.platform.outgoing import AllowedHosts, OutgoingClient
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.platform.secrets import Sealer, derive_keys, find_encryption_keys
from meetdeck.platform.settings import Settings, find_outgoing_proxy
from meetdeck.platform.settings.sending_hold import SendingHold
from meetdeck.platform.storage import Storage
from meetdeck.platform.work import JobQueue, Leases
from meetdeck.present.contents.service import Contents, Portraits
from meetdeck.present.decks.service.decks import Decks
from meetdeck.present.pdfs.service import Pdfs
from meetdeck.present.pictures.service import Pictures
from meetdeck.present.quotas import Quotas
from meetdeck.present.render.renderer import Renderer
from meetdeck.present.renderings import Renderings
from meetdeck.present.sweeping.service import Sweeper
from meetdeck.present.template_uploads.service import TemplateUploads
from meetdeck.present.templates.service import TemplateFiles
from meetdeck.present.usage.service import TemplateUse
from meetdeck.sent_events import SENT_EVENTS

if TYPE_CHECKING:
    from meetdeck.platform.process.telemetry import Tracing


@dataclass(frozen=True, kw_only=True)
class DeckServices:
    """The services of templates, decks, and the PDFs and pictures rendered from them."""

    files: TemplateFiles
    uploads: TemplateUploads
    decks: Decks
    pdfs: Pdfs
    pictures: Pictures
    contents: Contents
    employee_pictures: EmployeePictures
    renderings: Renderings
    template_use: TemplateUse
    background: JobQueue
    sweeper: Sweeper

    @classmethod
    def open_decks(cls, base: Base, renderer: Renderer) -> Self:
        """Return the services; `renderer` must be open while they are used."""
        settings, database, storage = base.settings, base.database, base.storage
        quotas = Quotas(database, storage, settings.quota_bytes, settings.quota_templates)
        background = JobQueue()
        files = TemplateFiles(storage, background)
        renderings = Renderings(renderer, storage, Leases(database))
        contents, template_use = Contents(storage, base.links, base.lifetime, quotas), TemplateUse(database)
        return cls(
            files=files,
            uploads=TemplateUploads(storage, quotas, files),
            decks=Decks(database, files, contents, template_use),
            pdfs=Pdfs(renderings),
            pictures=Pictures(files, renderings, base.links, background),
            contents=contents,
            employee_pictures=EmployeePictures(database, Portraits(database, contents).draw),
            renderings=renderings,
            template_use=template_use,
            background=background,
            sweeper=Sweeper(
                database, storage, get_rendering_version=renderings.get_version, rendering_lifetime=base.lifetime
            ),
        )


@dataclass(frozen=True, kw_only=True)
class DocumentServices:
    """The services of meetings' documents and of calendars, and the client that calls the firms' own addresses."""

    outgoing: OutgoingClient
    calendar_reader: CalendarReader
    connection_reader: ConnectionReader
    event_writer: EventWriter
    outside_calendars: CalendarAttention
    document_rules: DocumentRules
    document_links: DocumentLinks
    deck_preparation: Preparation

    @classmethod
    def open_documents(cls, base: Base, builder: Builder, *, calls_loopback: bool) -> Self:
        """Return the services; `calls_loopback` permits calls to this machine, in the test environment."""
        hosts = _allow_hosts(base.settings, calls_loopback=calls_loopback)
        outgoing = OutgoingClient(hosts, named=base.settings.outgoing_hosts, proxy=find_outgoing_proxy(base.settings))
        document_links = DocumentLinks(base.links, builder.name_address)
        lines = Lines(base.database, base.encryption, outgoing, base.clock)
        reader = ConnectionReader(base.database, lines, base.clock)
        return cls(
            outgoing=outgoing,
            calendar_reader=CalendarReader(base.database, base.encryption, outgoing),
            connection_reader=reader,
            event_writer=EventWriter(
                base.database,
                lines,
                base.encryption,
                base.clock,
                documents=AttachedDocuments(document_links, base.storage),
                on_link=restate,
            ),
            outside_calendars=CalendarAttention(base.database, reader, base.clock),
            document_rules=DocumentRules(base.encryption, outgoing.require_well_formed),
            document_links=document_links,
            deck_preparation=Preparation(base.lifetime),
        )


@dataclass(frozen=True, kw_only=True)
class PageServices:
    """The services of the portals and of the console's sessions."""

    portals: Portals
    console_sessions: Sessions
    session_secrets: SessionSecrets
    role_checks: RoleChecks
    logouts: Logouts
    staff_sign_ins: StaffSignIns

    @classmethod
    def open_pages(
        cls, base: Base, fingerprints: Fingerprints, sign_ins: SignIns, outside_calendars: CalendarAttention
    ) -> Self:
        """Return the services; people sign in with `sign_ins`."""
        settings, database = base.settings, base.database
        secrets, outside = Secrets(base.encryption, fingerprints), Outside(sign_ins, outside_calendars, base.moved)
        sessions, session_secrets = Sessions(database), SessionSecrets(database, base.encryption)
        return cls(
            portals=Portals.open(settings, database, base.clock, base.keys, secrets, outside),
            console_sessions=sessions,
            session_secrets=session_secrets,
            role_checks=RoleChecks(settings, sign_ins, sessions, session_secrets, Leases(database)),
            logouts=Logouts(database, sign_ins),
            staff_sign_ins=StaffSignIns(settings, sign_ins, sessions, session_secrets),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Services(RequestServices, DeckServices, DocumentServices, WorkServices, PageServices):
    """The application's services. Close them after use (`contextlib.aclosing`)."""

    storage: Storage
    readiness: Readiness
    sending_hold: SendingHold
    documents: ApiDocuments
    issuer: TokenIssuer | None
    """The built-in token issuer; None if the settings name another."""
    authorization: Authorization | None
    """The sign-in at the built-in issuer; None if the settings name another."""
    tracing: "Tracing | None"
    """The receiver of spans; None: nothing is traced, and OpenTelemetry is not imported."""

    @classmethod
    def open(
        cls,
        settings: Settings,
        database: Database,
        storage: Storage,
        renderer: Renderer,
        clock: Clock,
        *,
        calls_loopback: bool = False,
    ) -> Self:
        """Return the services; `database`, `storage` and `renderer` must be open while they are used.

        `calls_loopback`: webhooks and other outgoing calls may call this machine, in the test environment.
        """
        MEMORY.limit = settings.search_memory_mb * 1024**2
        keys = find_encryption_keys(settings.encryption_key, settings.data_dir)
        base = Base(settings, database, storage, clock, keys)
        fingerprints = Fingerprints(*derive_keys(keys, Fingerprints.PURPOSE))
        identity = Identity.open(settings, database, Sealer(*keys), clock)
        decks = DeckServices.open_decks(base, renderer)
        builder = Builder(decks.decks, decks.pdfs, decks.contents, settings.base_url)
        documents = DocumentServices.open_documents(base, builder, calls_loopback=calls_loopback)
        pages = PageServices.open_pages(base, fingerprints, identity.sign_ins, documents.outside_calendars)
        if identity.authorization is not None:
            identity.authorization.receive_logout = pages.logouts.receive
        groups = (decks, documents, pages, WorkServices.open_work(base, builder, documents))
        installation = Installation(settings.base_url if settings.public_url else None, identity.issuer is not None)
        return cls(
            **{name: service for group in groups for name, service in _list_services(group)},
            settings=settings,
            database=database,
            storage=storage,
            clock=clock,
            encryption=base.encryption,
            fingerprints=fingerprints,
            rate_limits=RateLimits(database),
            readiness=Readiness(database, storage, settings.data_dir),
            sending_hold=SendingHold(database),
            documents=ApiDocuments(installation, SENT_EVENTS),
            authenticator=identity.authenticator,
            directories=identity.directories,
            issuer=identity.issuer,
            authorization=identity.authorization,
            tracing=_open_tracing(settings),
        )

    async def aclose(self) -> None:
        """End background jobs, renderings, outgoing calls and connections to the mail server.

        Renderer, database and storage stay open.
        """
        await self.background.close()
        await self.renderings.close()
        await self.outgoing.close()
        if self.mail_server is not None:
            self.mail_server.close()
        if self.tracing is not None:
            await run_in_thread(self.tracing.close)


def _list_services(group: DeckServices | DocumentServices | WorkServices | PageServices) -> list[tuple[str, Any]]:
    return [(field.name, getattr(group, field.name)) for field in fields(group)]


def _open_tracing(settings: Settings) -> "Tracing | None":
    """Return the receiver of spans. Raises SetupError if OpenTelemetry is configured but not installed."""
    if settings.otlp_endpoint is None:
        return None
    try:
        from meetdeck.platform.process.telemetry import Tracing  # noqa: PLC0415 - 0.3 s and 10 MB that only a collector is worth
    except ImportError as error:
        raise SetupError(
            f"MEETDECK_OTLP_ENDPOINT is set, and OpenTelemetry is not installed ({error}): pip install 'meetdeck[otel]'"
        ) from error
    return Tracing(settings.otlp_endpoint, settings.environment)


def _allow_hosts(settings: Settings, *, calls_loopback: bool) -> AllowedHosts:
    is_open = calls_loopback and settings.environment == "test"
    return AllowedHosts(settings.outgoing_allow, list_own_ports(settings) if is_open else None)
