"""Builds the HTTP application: wiring only."""

from dataclasses import dataclass
from datetime import timedelta
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, Self

from litestar import Controller, Litestar, Router
from litestar.di import Provide
from litestar.types import ASGIApp

from meetdeck.administration import controllers as administration
from meetdeck.administration.audit_log.service import AuditRetention
from meetdeck.administration.backups.success import BackupNumbers
from meetdeck.booking import endpoints as booking
from meetdeck.booking.configuration.document_rules.service import DocumentRules
from meetdeck.booking.scheduling import controllers as scheduling
from meetdeck.booking.scheduling.retention.schemas import Periods
from meetdeck.booking.scheduling.retention.service import Retention
from meetdeck.booking.scheduling.time_slots.service.reservation_events import write_expired
from meetdeck.booking.scheduling.wishes.service.freeing import FreedTimeSubscriber
from meetdeck.booking.scheduling.wishes.service.offering import WishOffering
from meetdeck.events import controllers as events
from meetdeck.events.backlog.service import BacklogNumbers
from meetdeck.events.feed.service import EventRetention
from meetdeck.events.routing.service import Routing
from meetdeck.events.webhooks.service.deliveries import DeliveryFanout
from meetdeck.events.webhooks.service.sending import DeliverySender
from meetdeck.installation import list_own_ports
from meetdeck.labels import endpoints as labels
from meetdeck.messages import controllers as messages
from meetdeck.messages.documents.service.building import Builder
from meetdeck.messages.documents.service.listing import DocumentLinks
from meetdeck.messages.documents.service.making import Maker
from meetdeck.messages.documents.service.planning import Planner
from meetdeck.messages.opening import (
    open_notice_sending,
    open_notices,
    open_reminder_planning,
    open_reminders,
    open_replies,
    open_sending,
    open_subscriber,
)
from meetdeck.messages.replies.service import Replies
from meetdeck.pages.console.controllers import CONTROLLERS as CONSOLE_PAGES
from meetdeck.pages.console.kit import Logouts, RoleChecks, Sessions, SessionSecrets
from meetdeck.pages.console.sign_in.signing_in import StaffSignIns
from meetdeck.pages.mailbox.endpoints import Mailbox
from meetdeck.pages.portal import controllers as portals
from meetdeck.pages.portal.journey import Portals, Secrets
from meetdeck.platform.changes import Fingerprints
from meetdeck.platform.database import Database
from meetdeck.platform.errors import SetupError
from meetdeck.platform.http.answers import EXCEPTION_HANDLERS, WholeAnswer
from meetdeck.platform.http.around import (
    Compression,
    ForwardingMiddleware,
    Proxies,
    RecordingMiddleware,
    RequestMiddleware,
    ServedAreas,
    list_first_steps,
)
from meetdeck.platform.http.calls import RequestServices, make_state, provide_call, provide_services
from meetdeck.platform.http.limits import limit_addresses
from meetdeck.platform.http.openapi import ApiDocuments, Installation, describe_version
from meetdeck.platform.http.operations import OAuth, Operations, Readiness
from meetdeck.platform.http.rate_limits import RateLimits
from meetdeck.platform.http.requests import authenticate, require_access
from meetdeck.platform.identity import (
    KEY_FILE,
    Authenticator,
    Authorization,
    BuiltInProvider,
    KeyRing,
    KeySource,
    SignIns,
    StoredUsers,
    TokenIssuer,
    TokenRules,
    TokenVerifier,
    find_client,
    find_key,
    load_signing_key,
)
from meetdeck.platform.outgoing import AllowedHosts, OutgoingClient, make_fetch
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.platform.secrets import Encryption, Sealer, SignedLinks, derive_keys, find_encryption_keys
from meetdeck.platform.settings import EVERYTHING, Area, Settings
from meetdeck.platform.settings.sending_hold import SendingHold
from meetdeck.platform.storage import Storage
from meetdeck.platform.values import Duration, Version
from meetdeck.platform.work import JobQueue, Jobs, Leases, WorkerPresence
from meetdeck.present import controllers as present
from meetdeck.present.contents.service import Contents
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
from meetdeck.web.pages import Pages, static_files
from meetdeck.web.sign_in import SignInPage

if TYPE_CHECKING:
    from meetdeck.platform.process.telemetry import Tracing

_BUILT_IN_AUDIENCE = "meetdeck"
_SERVED = frozenset({Area.PRESENT, Area.BOOKING, Area.PAGES})
_FORM_OVERHEAD_BYTES = 64 * 1024
_MOST_JSON_BYTES: Final = 1024 * 1024
"""The limit of a body that holds neither files nor the data of a deck: 10,000 members of a group have 400 KB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services(RequestServices):
    """The application's services. Close them after use (`contextlib.aclosing`)."""

    storage: Storage
    readiness: Readiness
    sending_hold: SendingHold
    files: TemplateFiles
    uploads: TemplateUploads
    decks: Decks
    pdfs: Pdfs
    pictures: Pictures
    contents: Contents
    renderings: Renderings
    template_use: TemplateUse
    background: JobQueue
    sweeper: Sweeper
    retention: Retention
    audit_retention: AuditRetention
    event_retention: EventRetention
    routing: Routing
    jobs: Jobs
    backlog: BacklogNumbers
    backup_numbers: BackupNumbers
    workers: WorkerPresence
    replies: Replies | None
    """The reader of answers to invitations; None without a mailbox."""
    outgoing: OutgoingClient
    document_rules: DocumentRules
    document_links: DocumentLinks
    portals: Portals
    console_sessions: Sessions
    session_secrets: SessionSecrets
    role_checks: RoleChecks
    logouts: Logouts
    staff_sign_ins: StaffSignIns
    documents: ApiDocuments
    issuer: TokenIssuer | None
    """The built-in one, or None when the settings name another; likewise the next."""
    authorization: Authorization | None
    tracing: "Tracing | None" = None
    """Where spans go; None: nothing is traced, and OpenTelemetry is not imported."""

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
        """Put them together; `database` must be open while they are used.

        `calls_loopback`: webhooks and the like may lead to this machine, in the test environment.
        """
        keys = find_encryption_keys(settings.encryption_key, settings.data_dir)
        links = SignedLinks(*keys)
        lifetime = timedelta(hours=settings.content_lifetime_hours)
        rules = _token_rules(settings)
        issuer = _open_issuer(settings, database, rules) if settings.issuer is None else None
        quotas = Quotas(database, storage, settings.quota_bytes, settings.quota_templates)
        files = TemplateFiles(storage)
        renderings = Renderings(renderer, storage, Leases(database))
        background = JobQueue()
        encryption, sealer = Encryption(*keys), Sealer(*keys)
        fingerprints = Fingerprints(*derive_keys(keys, Fingerprints.PURPOSE))
        authorization = _open_authorization(settings, database, issuer, sealer) if issuer else None
        provider = _make_provider(issuer, authorization, clock) if issuer and authorization else None
        outgoing = OutgoingClient(_allow_hosts(settings, calls_loopback=calls_loopback), named=settings.outgoing_hosts)
        document_rules = DocumentRules(encryption, outgoing.require_well_formed)
        pdfs, contents, template_use = (
            Pdfs(renderings),
            Contents(storage, links, lifetime, quotas),
            TemplateUse(database),
        )
        decks = Decks(database, files, contents, template_use)
        builder = Builder(decks, pdfs, contents, settings.base_url)
        document_links = DocumentLinks(links, builder.name_address)
        secrets, sign_ins = Secrets(encryption, fingerprints), SignIns.open(settings, sealer, provider)
        console_sessions, session_secrets = Sessions(database), SessionSecrets(database, encryption)
        logouts = Logouts(database, sign_ins)
        if authorization is not None:
            authorization.receive_logout = logouts.receive
        jobs = Jobs(
            database,
            handlers=(
                open_sending(settings, database, keys),
                *open_reminders(settings, database, keys),
                open_notice_sending(settings, database, keys, document_links),
                WishOffering(database),
            ),
            outside=(
                DeliverySender(database, encryption, outgoing),
                Maker(database, document_rules, outgoing, builder),
            ),
        )
        return cls(
            settings=settings,
            database=database,
            authenticator=_make_authenticator(database, rules, issuer),
            storage=storage,
            readiness=Readiness(database, storage, settings.data_dir),
            sending_hold=SendingHold(database),
            files=files,
            uploads=TemplateUploads(storage, quotas, files),
            decks=decks,
            pdfs=pdfs,
            pictures=Pictures(files, renderings, links, background),
            contents=contents,
            renderings=renderings,
            template_use=template_use,
            background=background,
            sweeper=Sweeper(
                database, storage, get_rendering_version=renderings.get_version, rendering_lifetime=lifetime
            ),
            retention=Retention(database, Periods(settings.retention_days, settings.cpr_retention_days)),
            audit_retention=AuditRetention(database, timedelta(days=settings.audit_days)),
            event_retention=EventRetention(database, settings.event_days),
            outgoing=outgoing,
            document_rules=document_rules,
            document_links=document_links,
            routing=Routing(
                database,
                subscribers=(
                    DeliveryFanout(),
                    open_subscriber(settings),
                    open_reminder_planning(settings),
                    open_notices(settings),
                    Planner(lifetime),
                    FreedTimeSubscriber(),
                ),
                sources=(write_expired,),
                on_routed=jobs.stir,
            ),
            jobs=jobs,
            backlog=BacklogNumbers(database, jobs.queues),
            backup_numbers=BackupNumbers(database),
            workers=WorkerPresence(
                database, is_worker=Area.WORKER in settings.only, complains=settings.environment == "production"
            ),
            replies=open_replies(settings, database),
            encryption=encryption,
            fingerprints=fingerprints,
            rate_limits=RateLimits(database),
            console_sessions=console_sessions,
            session_secrets=session_secrets,
            role_checks=RoleChecks(settings, sign_ins, console_sessions, session_secrets, Leases(database)),
            logouts=logouts,
            staff_sign_ins=StaffSignIns(settings, sign_ins, console_sessions, session_secrets),
            portals=Portals.open(settings, database, clock, keys, secrets, sign_ins),
            documents=ApiDocuments(
                Installation(settings.base_url if settings.public_url else None, issuer is not None), _SENT
            ),
            issuer=issuer,
            authorization=authorization,
            tracing=_open_tracing(settings),
            clock=clock,
        )

    async def aclose(self) -> None:
        """End the background jobs; the renderer, the database and the storage are still there."""
        await self.background.close()
        await self.renderings.close()
        await self.outgoing.close()
        if self.tracing is not None:
            await run_in_thread(self.tracing.close)


def build_app(services: Services) -> ASGIApp:
    """Wire the application."""
    settings = services.settings
    max_body_bytes = settings.max_upload_bytes + _FORM_OVERHEAD_BYTES
    routes = make_routes(with_issuer=services.issuer is not None, max_body_bytes=max_body_bytes, areas=settings.only)
    ours = list_first_steps(route.path for route in routes.routes)
    app = routes if settings.only >= _SERVED else ServedAreas(routes, settings.only)
    app = Compression(app) if settings.compression else app
    app = RequestMiddleware(app, make_state(services), cors_origins=settings.cors_origins)
    tells_timing = settings.server_timing and settings.environment == "test"
    if services.tracing is not None or tells_timing:
        app = RecordingMiddleware(app, services.tracing, tells_timing=tells_timing)
    return ForwardingMiddleware(app, Proxies(settings.trusted_proxies), settings.public_path, ours)


_SENT = events.list_sent(scheduling.EVENT_DATA, present.EVENT_DATA)


def describe_api(version: Version) -> dict[str, Any]:
    """Return the OpenAPI document of a version, without anything running."""
    return describe_version(make_routes(), version, _SENT)


@cache
def make_routes(
    *, with_issuer: bool = False, max_body_bytes: int | None = None, areas: frozenset[Area] = EVERYTHING
) -> Litestar:
    """Return every address and its handler: the same for all that is served with them, and made once, being slow."""
    handlers: list[Any] = [Pages, static_files, Operations]
    if Area.PAGES in areas:
        handlers += [*portals.CONTROLLERS, Mailbox]
    if areas >= _SERVED:  # the console calls the API of all parts
        handlers += CONSOLE_PAGES
    if with_issuer:
        handlers += [OAuth, SignInPage]
    handlers += [router for version in Version for router in _make_routers(version, areas, max_body_bytes)]
    return Litestar(
        route_handlers=handlers,
        dependencies=provide_services(Services) | {"call": Provide(provide_call, sync_to_thread=False)},
        exception_handlers=EXCEPTION_HANDLERS,
        openapi_config=None,  # our own documents, one for each version
        logging_config=None,  # structlog is set up already
        type_encoders={Duration: str},
        request_max_body_size=max_body_bytes,
    )


def _make_routers(version: Version, served: frozenset[Area], max_body_bytes: int | None) -> list[Router]:
    """Return the services of a version, behind authentication; addresses with a signed link need none.

    Controllers are registered with whole paths: Litestar copies all handlers of a router that is inside another.
    """
    parts = (
        ("/present", {Area.PRESENT}, present.list_controllers(version)),
        ("/booking", {Area.BOOKING}, _list_booking(version)),
        ("/events", {Area.PRESENT, Area.BOOKING}, events.list_controllers(version)),
        ("", {Area.PRESENT, Area.BOOKING}, administration.list_controllers(version)),
    )
    public = [
        Router(f"/api/{version}/present", route_handlers=present.PUBLIC_CONTROLLERS, middleware=[limit_addresses])
    ]
    return [
        *(public if Area.PRESENT in served else []),
        *(
            Router(
                f"/api/{version}{prefix}",
                route_handlers=controllers,
                middleware=[authenticate],
                guards=[require_access],
                response_class=WholeAnswer,
                request_max_body_size=max_body_bytes if prefix == "/present" else _MOST_JSON_BYTES,
            )
            for prefix, areas, controllers in parts
            if controllers and areas & served
        ),
    ]


def _list_booking(version: Version) -> list[type[Controller]]:
    """Return the addresses below `/booking`: those of others that are about its resources are there, too."""
    areas = (booking, labels, messages, portals)
    return [controller for area in areas for controller in area.list_controllers(version)]


def _open_tracing(settings: Settings) -> "Tracing | None":
    """Return where spans go. Raises SetupError where OpenTelemetry is wanted and is not installed."""
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


def _token_rules(settings: Settings) -> TokenRules:
    return TokenRules(
        issuer=settings.issuer or settings.base_url,
        audience=settings.audience or _BUILT_IN_AUDIENCE,
        tenant_claim=settings.claim_tenant,
        user_claim=settings.claim_user,
        roles_claim=settings.claim_roles,
        roles=settings.role_names,
    )


def _make_authenticator(database: Database, rules: TokenRules, issuer: TokenIssuer | None) -> Authenticator:
    tokens = TokenVerifier(rules, KeySource(rules.issuer, issuer.fetch if issuer else make_fetch()))
    return Authenticator(tokens, KeyRing(partial(find_key, database)))


def _open_issuer(settings: Settings, database: Database, rules: TokenRules) -> TokenIssuer:
    key = load_signing_key(settings.data_dir / KEY_FILE)
    return TokenIssuer(key, rules, lambda client_id: find_client(database, client_id))


def _open_authorization(settings: Settings, database: Database, issuer: TokenIssuer, sealer: Sealer) -> Authorization:
    bases = (settings.base_url, settings.listening_url)
    return Authorization(issuer, sealer, StoredUsers(database), bases)


def _make_provider(issuer: TokenIssuer, authorization: Authorization, clock: Clock) -> BuiltInProvider:
    """Return the built-in issuer as the provider at which customers of portals and staff sign in."""
    return BuiltInProvider(issuer.rules.issuer, issuer.fetch, authorization.make_send(clock))
