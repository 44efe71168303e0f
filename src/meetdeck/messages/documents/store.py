"""The SQL of meetings' documents."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.messages.documents.schemas import (
    DeckSuggestion,
    DocumentKind,
    DocumentProblem,
    PreparedDeck,
    PrepareDeck,
    StoredDocument,
    Task,
)
from meetdeck.platform.database import Connection, load_queries
from meetdeck.present.findings import ValidationResult

queries = load_queries(__file__)
T = TypeVar("T", bound=msgspec.Struct)


class NewDocument(NamedTuple):
    """A document whose content already exists."""

    kind: DocumentKind
    content_id: UUID
    findings: Sequence[ValidationResult]


class SentDeck(NamedTuple):
    """The file of a prepared deck that the customer's messages link to."""

    tenant_id: UUID
    kind: DocumentKind
    content_id: UUID
    expires_at: datetime


class Problem(NamedTuple):
    """The reason why a document could not be made: a sentence for the advisor, and the faults in the data."""

    detail: str
    findings: Sequence[ValidationResult] = ()


class Failure(NamedTuple):
    """A task's failure, its number among consecutive ones, and when the advisor was notified."""

    failures: int
    problem: Problem
    happened_at: datetime
    told_at: datetime | None


async def is_used(connection: Connection) -> bool:
    """Return whether the tenant has rules, tasks or documents."""
    return await queries.is_used(connection)


async def list_documents(connection: Connection, meeting_id: UUID, now: datetime) -> list[StoredDocument]:
    """Return the documents of a meeting, in the order in which they were made."""
    rows = queries.list_documents(connection, meeting_id=meeting_id, now=now)
    return [msgspec.convert(dict(row), StoredDocument) async for row in rows]


async def list_contents(
    connection: Connection, meeting_id: UUID, *, of_rules: Sequence[UUID] | None = None, but: Sequence[UUID] = ()
) -> list[UUID]:
    """Return the ids of the contents of a meeting's documents: of some rules, or of all except some."""
    is_among = of_rules is not None
    rows = queries.list_content_ids(
        connection, meeting_id=meeting_id, rule_ids=list(of_rules if of_rules is not None else but), among=is_among
    )
    return [row["content_id"] async for row in rows]


async def list_former_contents(connection: Connection, meeting_id: UUID) -> list[UUID]:
    """Return the ids of the contents of documents made when the meeting belonged to another customer."""
    return [row["content_id"] async for row in queries.list_former_contents(connection, meeting_id=meeting_id)]


async def add_documents(
    connection: Connection, meeting_id: UUID, rule_id: UUID, made_at: datetime, documents: Sequence[NewDocument]
) -> None:
    """Insert documents; the rule's previous ones are already deleted, with their contents."""
    rows = [msgspec.to_builtins(document._asdict(), builtin_types=(UUID,)) for document in documents]
    await queries.add_documents(connection, meeting_id=meeting_id, rule_id=rule_id, made_at=made_at, documents=rows)


async def put_tasks(connection: Connection, meeting_id: UUID, rule_ids: Sequence[UUID]) -> list[tuple[UUID, UUID]]:
    """Upsert a task for each rule, without failures; return their ids, each with its rule's."""
    rows = queries.put_tasks(connection, meeting_id=meeting_id, rule_ids=list(rule_ids))
    return [(row["document_task_id"], row["document_rule_id"]) async for row in rows]


async def put_tasks_of_rule(connection: Connection, rule_id: UUID, now: datetime, *, most: int) -> list[UUID]:
    """Upsert a task for each of the next meetings to which a rule applies, without failures; return their ids."""
    rows = queries.put_tasks_of_rule(connection, rule_id=rule_id, now=now, most=most)
    return [row["document_task_id"] async for row in rows]


async def drop_unmatched_tasks(connection: Connection, rule_id: UUID) -> list[UUID]:
    """Delete the tasks of a rule for meetings to which it no longer applies; return their ids."""
    return [row["document_task_id"] async for row in queries.drop_unmatched_tasks(connection, rule_id=rule_id)]


async def list_unmatched_contents(connection: Connection, rule_id: UUID, now: datetime) -> list[UUID]:
    """Return the ids of contents that a rule made for future meetings to which it no longer applies."""
    return [row["content_id"] async for row in queries.list_unmatched_contents(connection, rule_id=rule_id, now=now)]


async def drop_tasks(connection: Connection, meeting_id: UUID, *, but: Sequence[UUID] = ()) -> list[UUID]:
    """Delete the tasks of a meeting, except those of some rules; return their ids."""
    rows = queries.drop_tasks(connection, meeting_id=meeting_id, rule_ids=list(but))
    return [row["document_task_id"] async for row in rows]


async def find_task(connection: Connection, task_id: UUID) -> Task | None:
    """Return a task."""
    row: Record | None = await queries.find_task(connection, task_id=task_id)
    return msgspec.convert(dict(row), Task) if row is not None else None


async def lock_task(connection: Connection, task_id: UUID) -> bool:
    """Lock a task until the transaction ends; return whether it exists."""
    return bool(await queries.lock_task(connection, task_id=task_id))


async def fail(connection: Connection, task_id: UUID, failure: Failure) -> None:
    """Record that a task failed."""
    await queries.fail(
        connection,
        task_id=task_id,
        failures=failure.failures,
        problem=failure.problem.detail,
        findings=msgspec.to_builtins(failure.problem.findings),
        happened_at=failure.happened_at,
        told_at=failure.told_at,
    )


async def mark_done(connection: Connection, task_id: UUID) -> None:
    """Delete the record of earlier failures."""
    await queries.mark_done(connection, task_id=task_id)


async def delete_task(connection: Connection, task_id: UUID) -> None:
    """Delete a task."""
    await queries.delete_task(connection, task_id=task_id)


async def list_problems(connection: Connection, meeting_id: UUID) -> list[DocumentProblem]:
    """Return why documents of a meeting could not be made."""
    rows = queries.list_problems(connection, meeting_id=meeting_id)
    return [_read(row, DocumentProblem) async for row in rows]


async def drop_documents(connection: Connection, meeting_id: UUID, rule_id: UUID) -> None:
    """Delete the rows of a rule's documents, but not their contents."""
    await queries.drop_documents(connection, meeting_id=meeting_id, rule_id=rule_id)


async def put_prepared_deck(
    connection: Connection, meeting_id: UUID, deck: PrepareDeck, user_name: str | None, now: datetime
) -> None:
    """Upsert the template, slides and data of a meeting's deck."""
    await queries.put_prepared_deck(
        connection,
        meeting_id=meeting_id,
        template=deck.template,
        slides=deck.slides,
        data=deck.data,
        is_sent=deck.is_sent,
        user_name=user_name,
        now=now,
    )


async def find_prepared_deck(connection: Connection, meeting_id: UUID) -> PreparedDeck | None:
    """Return the template, slides and data of a meeting's prepared deck, None if there is none."""
    row: Record | None = await queries.find_prepared_deck(connection, meeting_id=meeting_id)
    return _read(row, PreparedDeck) if row is not None else None


async def find_sent_deck(connection: Connection, meeting_id: UUID, now: datetime) -> SentDeck | None:
    """Return the file of a prepared deck to which the customer's messages link, None if there is none."""
    row: Record | None = await queries.find_sent_deck(connection, meeting_id=meeting_id, now=now)
    if row is None:
        return None
    return SentDeck(row["tenant_id"], DocumentKind(row["kind"]), row["content_id"], row["expires_at"])


async def drop_prepared_deck(connection: Connection, meeting_id: UUID) -> None:
    """Delete the template, slides and data of a meeting's deck."""
    await queries.drop_prepared_deck(connection, meeting_id=meeting_id)


async def suggest_deck(
    connection: Connection, meeting_id: UUID, customer_id: str, topic_id: UUID | None
) -> DeckSuggestion | None:
    """Return the template, slides and data of the last deck for a customer, or else for a topic; None for none."""
    row: Record | None = await queries.suggest_deck(
        connection, meeting_id=meeting_id, customer_id=customer_id, topic_id=topic_id
    )
    return _read(row, DeckSuggestion) if row is not None else None


def _read(row: Record, kind: type[T]) -> T:
    names = {field.name: field.encode_name for field in msgspec.structs.fields(kind)}
    return msgspec.convert({names[name]: value for name, value in row.items()}, kind)
