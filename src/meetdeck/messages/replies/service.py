"""Setting the status of attendees from their replies to invitations."""

import ssl
from datetime import datetime
from functools import cached_property
from typing import Final, NoReturn
from uuid import UUID

import structlog
from prometheus_client import Counter

from meetdeck.booking.scheduling.meetings.service.attendee_answers import answer_invitation
from meetdeck.messages.replies import store
from meetdeck.messages.replies.mailbox import Mailbox
from meetdeck.messages.replies.reading import Reply, read_reply
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.outgoing import MailServer
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.platform.settings.sending_hold import find_hold
from meetdeck.platform.work import Leases, run_periodically

_FIRST_SECONDS: Final = 2.0
_EVERY_SECONDS: Final = 15.0
_AT_ONCE: Final = 100
_MOST_REMEMBERED: Final = 100_000

_REPLIES: Final = Counter("meetdeck_replies", "Replies to invitations by mail: accepted, or not trusted.", ["outcome"])

log = structlog.stdlib.get_logger()


class Replies:
    """Reads the replies in a mailbox, in one of several processes. Other mails stay there unread."""

    def __init__(self, database: Database, server: MailServer) -> None:
        self._database = database
        self._server = server
        self._left: set[tuple[int, int]] = set()
        """Mails that are not replies: each process reads them once."""

    async def run(
        self, clock: Clock, *, first_seconds: float = _FIRST_SECONDS, every_seconds: float = _EVERY_SECONDS
    ) -> NoReturn:
        """Read the mailbox four times a minute, until cancelled; failures do not stop it."""
        await run_periodically(
            "replies",
            lambda: self.read(clock()),
            Leases(self._database),
            first_seconds=first_seconds,
            every_seconds=every_seconds,
        )

    async def read(self, now: datetime) -> int:
        """Process the replies in unread mails; return their number. Raises MailboxUnavailable.

        A held installation does not touch the mailbox, which belongs to the original.
        """
        taken = 0
        if await self._database.find(find_hold) is not None:
            return taken
        async with Mailbox.open(self._server, trust=self._trust) as mailbox:
            unread = await mailbox.list_unread()
            new = [uid for uid in unread if (mailbox.validity, uid) not in self._left]
            for uid in new[:_AT_ONCE]:
                mail = await mailbox.read(uid)
                reply = await run_in_thread(read_reply, mail) if mail is not None else None
                if reply is None:
                    self._leave(mailbox.validity, uid)
                    continue
                taken += await self._take(reply, now)
                await mailbox.mark_read(uid)
        return taken

    def _leave(self, validity: int, uid: int) -> None:
        if len(self._left) >= _MOST_REMEMBERED:
            self._left.clear()
        self._left.add((validity, uid))

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """Return the authorities that are trusted; reading them takes 20 ms of processor time, and is done once."""
        return ssl.create_default_context()

    async def _take(self, reply: Reply, now: datetime) -> bool:
        """Set the status of an attendee; return False for an unknown sender, or an outdated invitation."""
        tenant_id = await self._database.find(lambda connection: store.identify_meeting(connection, reply.meeting_id))
        is_taken = tenant_id is not None and await self._database.run(
            tenant_id, lambda connection: _answer(connection, reply, now)
        )
        _REPLIES.labels("taken" if is_taken else "refused").inc()
        log.info("reply", taken=is_taken)
        return is_taken


async def _answer(connection: Connection, reply: Reply, now: datetime) -> bool:
    """Set the status for the meeting, or the meetings of a series, that a reply answers; return whether it was set."""
    answered = [
        await _answer_one(connection, meeting_id, reply, now)
        for meeting_id in await store.list_answered(connection, reply.meeting_id, reply.original_start, now)
    ]
    return any(answered)


async def _answer_one(connection: Connection, meeting_id: UUID, reply: Reply, now: datetime) -> bool:
    sent = await store.find_sequence(connection, meeting_id, reply.address)
    if sent is None or (reply.sequence is not None and reply.sequence < sent):
        return False
    return await answer_invitation(connection, meeting_id, reply.address, reply.status, now)
