"""Records that a change writes in its own transaction: events, audit entries and idempotent answers."""

from meetdeck.platform.changes.audit_log import (
    Actor,
    AuditAction,
    Difference,
    Entry,
    HasIdAndName,
    describe_change,
    describe_membership,
    list_differences,
    name_operator,
    write_entries,
)
from meetdeck.platform.changes.idempotency import (
    HEADER,
    Answer,
    Fingerprints,
    IdempotentRequest,
    KeptAnswer,
    write_kept,
)
from meetdeck.platform.changes.outbox import (
    Event,
    EventType,
    NewEvent,
    drop_unplaced,
    forget_data,
    write_data,
    write_event,
    write_row,
)

__all__ = [
    "HEADER",
    "Actor",
    "Answer",
    "AuditAction",
    "Difference",
    "Entry",
    "Event",
    "EventType",
    "Fingerprints",
    "HasIdAndName",
    "IdempotentRequest",
    "KeptAnswer",
    "NewEvent",
    "describe_change",
    "describe_membership",
    "drop_unplaced",
    "forget_data",
    "list_differences",
    "name_operator",
    "write_data",
    "write_entries",
    "write_event",
    "write_kept",
    "write_row",
]
