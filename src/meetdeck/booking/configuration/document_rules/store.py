"""Document rules' SQL."""

from datetime import datetime
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.configuration.document_rules.schemas import DocumentRule, DocumentRuleContent
from meetdeck.platform.database import Columns, Connection, Table, load_queries

table = Table("document_rule", Columns(DocumentRule, id="document_rule_id"), order_by="created_at, document_rule_id")
queries = load_queries(__file__, columns=table.columns)


async def list_rules_for(
    connection: Connection, topic_id: UUID | None, customer_type_id: UUID | None
) -> list[DocumentRule]:
    """Return the rules for a meeting about a topic, with a customer type."""
    rows = queries.list_rules_for(connection, topic_id=topic_id, customer_type_id=customer_type_id)
    return [table.read(row) async for row in rows]


async def has_rules(connection: Connection) -> bool:
    """Return whether there is a rule."""
    return await queries.has_rules(connection)


async def add_rule(
    connection: Connection, rule_id: UUID, content: DocumentRuleContent, secret_encrypted: bytes, now: datetime
) -> None:
    """Insert a rule. The foreign key refuses a topic or customer type that is deleted at the same time."""
    await queries.add_rule(
        connection, **table.columns.write(content, id=rule_id), secret_encrypted=secret_encrypted, now=now
    )


async def rotate_secret(connection: Connection, rule_id: UUID, secret_encrypted: bytes, now: datetime) -> None:
    """Replace a rule's secret; the previous one is kept as the former."""
    await queries.rotate_secret(connection, rule_id=rule_id, secret_encrypted=secret_encrypted, now=now)


async def list_secrets(connection: Connection, rule_id: UUID, rotated_after: datetime) -> list[bytes]:
    """Return a rule's encrypted secrets: its own, and the former one unless it was replaced before then."""
    row: Record | None = await queries.find_secrets(connection, rule_id=rule_id, rotated_after=rotated_after)
    return [secret for secret in row.values() if secret is not None] if row is not None else []
