"""The services of background work: those of each cell, and those of the installation."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Self

from meetdeck.administration.audit_log.service import AuditRetention
from meetdeck.administration.backups.success import BackupNumbers
from meetdeck.administration.firm_clock.service import ClockWatch
from meetdeck.administration.recent_requests.service import RecentRequestRetention
from meetdeck.booking.scheduling.minimum_seats.service import MinimumSeats, MinimumSeatsSubscriber
from meetdeck.booking.scheduling.retention.schemas import Periods
from meetdeck.booking.scheduling.retention.service import Retention
from meetdeck.booking.scheduling.time_slots.service.reservation_events import write_expired
from meetdeck.booking.scheduling.wishes.service.freeing import FreedTimeSubscriber
from meetdeck.booking.scheduling.wishes.service.offering import WishOffering
from meetdeck.connections.calendar_events.service.subscriber import EventSubscriber
from meetdeck.events.backlog.service import BacklogNumbers
from meetdeck.events.feed.service import EventRetention
from meetdeck.events.routing.service import Routing
from meetdeck.events.webhooks.service.deliveries import DeliveryFanout
from meetdeck.events.webhooks.service.sending import DeliverySender
from meetdeck.messages.carriers.smtp import SmtpCarrier
from meetdeck.messages.documents.service.building import Builder
from meetdeck.messages.documents.service.making import Maker
from meetdeck.messages.documents.service.planning import Planner
from meetdeck.messages.opening import (
    open_mail_server,
    open_notice_sending,
    open_notices,
    open_reminder_planning,
    open_reminders,
    open_replies,
    open_sending,
    open_subscriber,
)
from meetdeck.messages.replies.service import Replies
from meetdeck.platform.database import Database
from meetdeck.platform.process import MovedClocks
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.secrets import Encryption, SignedLinks
from meetdeck.platform.settings import Area, Settings
from meetdeck.platform.storage import Storage
from meetdeck.platform.work import Jobs, WorkerPresence
from meetdeck.sent_events import EXAMPLES

if TYPE_CHECKING:
    from meetdeck.services import DocumentServices


@dataclass(frozen=True)
class Base:
    """The parts that every group of services needs to open."""

    settings: Settings
    database: Database
    storage: Storage
    clock: Clock
    keys: Sequence[bytes]
    """The installation's encryption keys, the current one first."""
    moved: MovedClocks = field(default_factory=MovedClocks)

    @cached_property
    def encryption(self) -> Encryption:
        """Return the encryption with the installation's keys."""
        return Encryption(*self.keys)

    @cached_property
    def links(self) -> SignedLinks:
        """Return the signer of links."""
        return SignedLinks(*self.keys)

    @property
    def lifetime(self) -> timedelta:
        """Return how long stored contents and their links are valid."""
        return timedelta(hours=self.settings.content_lifetime_hours)


@dataclass(frozen=True, kw_only=True)
class CellServices:
    """The background work in one of the databases in which tenants live."""

    jobs: Jobs
    routing: Routing
    workers: WorkerPresence
    retention: Retention
    audit_retention: AuditRetention
    event_retention: EventRetention
    recent_retention: RecentRequestRetention

    @classmethod
    def open_cell(
        cls, base: Base, builder: Builder, documents: "DocumentServices", mail_server: SmtpCarrier | None
    ) -> Self:
        """Return the services of the base's database; `builder` makes the documents of meetings."""
        settings, database = base.settings, base.database
        jobs = _open_jobs(base, builder, documents, mail_server)
        return cls(
            jobs=jobs,
            routing=_open_routing(base, jobs),
            workers=WorkerPresence(
                database, is_worker=Area.WORKER in settings.only, complains=settings.environment == "production"
            ),
            retention=Retention(database, Periods(settings.retention_days, settings.cpr_retention_days)),
            audit_retention=AuditRetention(database, timedelta(days=settings.audit_days)),
            event_retention=EventRetention(database, settings.event_days),
            recent_retention=RecentRequestRetention(database),
        )


@dataclass(frozen=True, kw_only=True)
class WorkServices:
    """The services of background work, and the numbers measured about it."""

    cells: tuple[CellServices, ...]
    """The work in each of the databases in which tenants live, the first one first."""
    jobs: Jobs
    """The jobs of the first database, and so on."""
    routing: Routing
    retention: Retention
    audit_retention: AuditRetention
    event_retention: EventRetention
    backlog: BacklogNumbers
    backup_numbers: BackupNumbers
    moved: MovedClocks
    clock_watch: ClockWatch
    mail_server: SmtpCarrier | None
    """The carrier of all mails; None without a mail server."""
    replies: Replies | None
    """The reader of answers to invitations; None without a mailbox."""

    @classmethod
    def open_work(cls, base: Base, builder: Builder, documents: "DocumentServices") -> Self:
        """Return the services; `builder` makes the documents of meetings."""
        settings, database = base.settings, base.database
        mail_server = open_mail_server(settings)
        cells = tuple(
            CellServices.open_cell(replace(base, database=cell), builder, documents, mail_server)
            for cell in database.cells
        )
        first = cells[0]
        return cls(
            cells=cells,
            jobs=first.jobs,
            routing=first.routing,
            retention=first.retention,
            audit_retention=first.audit_retention,
            event_retention=first.event_retention,
            backlog=BacklogNumbers(database, first.jobs.queues),
            backup_numbers=BackupNumbers(database),
            moved=base.moved,
            clock_watch=ClockWatch(database, base.moved),
            mail_server=mail_server,
            replies=open_replies(settings, database),
        )


def _open_jobs(base: Base, builder: Builder, documents: "DocumentServices", mail_server: SmtpCarrier | None) -> Jobs:
    """Return the queue of jobs; jobs that call other people's addresses run separately."""
    settings, database, keys = base.settings, base.database, base.keys
    return Jobs(
        database,
        handlers=(
            open_sending(settings, database, keys, mail_server),
            *open_reminders(settings, database, keys, mail_server),
            open_notice_sending(settings, database, keys, mail_server, documents.document_links),
            WishOffering(database),
            MinimumSeats(database),
        ),
        outside=(
            DeliverySender(database, base.encryption, documents.outgoing, EXAMPLES, base.moved),
            documents.calendar_reader,
            documents.connection_reader,
            documents.event_writer,
            Maker(database, documents.document_rules, documents.outgoing, builder, base.moved),
        ),
        moved=base.moved,
    )


def _open_routing(base: Base, jobs: Jobs) -> Routing:
    """Return the routing of events to their subscribers; it wakes the jobs."""
    return Routing(
        base.database,
        subscribers=(
            DeliveryFanout(),
            EventSubscriber(),
            open_subscriber(base.settings),
            open_reminder_planning(base.settings),
            open_notices(base.settings),
            Planner(base.lifetime),
            FreedTimeSubscriber(),
            MinimumSeatsSubscriber(),
        ),
        sources=(write_expired,),
        on_routed=jobs.stir,
        moved=base.moved,
    )
