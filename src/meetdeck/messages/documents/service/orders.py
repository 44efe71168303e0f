"""Orders: which documents to make for a meeting, and when to make them again."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from meetdeck.booking.configuration.document_rules.schemas import DocumentRule
from meetdeck.booking.configuration.document_rules.service import DocumentRules
from meetdeck.booking.configuration.document_rules.store import table as document_rules
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.store.meetings import find_meeting
from meetdeck.messages.documents import store
from meetdeck.messages.documents.schemas import Task
from meetdeck.messages.documents.service.facts import MeetingFacts, read_facts
from meetdeck.platform.database import Connection
from meetdeck.platform.settings.outgoing_hosts import find_outgoing_hosts


class Order(NamedTuple):
    """A document to make: its rule, and its meeting as it was when the order was read."""

    tenant_id: UUID
    task: Task
    meeting: Meeting
    rule: DocumentRule
    facts: MeetingFacts
    secrets: Sequence[str]
    outgoing_hosts: Sequence[str] | None
    """The hosts that the firm may name; None: the installation's."""

    def find_next(self, now: datetime) -> datetime | None:
        """Return when it must be made again; None: never."""
        if self.rule.hours_before is None:
            return None
        again = self.meeting.start_date - timedelta(hours=self.rule.hours_before)
        return again if again > now else None


async def read_order(
    connection: Connection, tenant_id: UUID, task_id: UUID, rules: DocumentRules, now: datetime
) -> Order | None:
    """Return the order of a task; when no document is needed, delete the task and return None."""
    task = await store.find_task(connection, task_id)
    if task is None:
        return None
    meeting = await find_meeting(connection, task.meeting_id)
    found = await document_rules.list(connection, [task.document_rule_id])
    if meeting is None or meeting.is_cancelled or meeting.start_date <= now or not found:
        await store.delete_task(connection, task_id)
        return None
    secrets = await rules.list_secrets(connection, tenant_id, found[0].id, now)
    hosts = await find_outgoing_hosts(connection)
    return Order(tenant_id, task, meeting, found[0], await read_facts(connection, meeting), secrets, hosts)
