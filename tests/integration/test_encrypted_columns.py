"""The list of what is encrypted in the database has every such column: the doctor tries the key on each of them."""

from meetdeck.administration.exports.sealed import CLEAR_COLUMNS
from meetdeck.administration.exports.tables import LEFT_OUT
from meetdeck.platform.database import Connection
from meetdeck.platform.secrets import ENCRYPTED_COLUMNS

NOT_ENCRYPTED = {
    ("calendar_entry", "packed"): "times",
    ("calendar_event", "digest"): "a digest",
    ("calendar_event_file", "name_digest"): "SHA-256",
    ("calendar_feed", "digest"): "SHA-256",
    ("console_logout", "digest"): "SHA-256",
    ("console_session", "digest"): "SHA-256",
    ("content", "digest"): "SHA-256",
    ("employee_picture", "picture"): "WebP, which customers see",
    ("erasure", "customer_digest"): "HMAC-SHA-256",
    ("idempotent_answer", "fingerprint"): "HMAC-SHA-256",
    ("message", "told"): "a digest",
    ("notice", "told"): "a digest",
    ("oauth_client", "secret_digest"): "SHA-256",
    ("oauth_session", "digest"): "SHA-256",
    ("oauth_used_code", "digest"): "SHA-256",
    ("rate_count", "name"): "SHA-256",
    ("scim_token", "digest"): "SHA-256",
    ("subscription_key", "digest"): "SHA-256",
    ("template_revision", "digest"): "SHA-256",
    ("visitor_hold", "holder"): "HMAC-SHA-256",
}
_BINARY = """
select relname, attname from pg_attribute
join pg_class on pg_class.oid = attrelid
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and atttypid = 'bytea'::regtype and not attisdropped
"""


async def test_every_binary_column_is_known_as_encrypted_or_says_what_it_is(owner: Connection) -> None:
    encrypted = {(each.table, each.column) for each in ENCRYPTED_COLUMNS}
    columns = {(row["relname"], row["attname"]) for row in await owner.fetch(_BINARY)}
    assert columns == encrypted | NOT_ENCRYPTED.keys(), "add a new column to ENCRYPTED_COLUMNS, or here if it is clear"
    assert not [name for _, name in NOT_ENCRYPTED if name.endswith("_encrypted")]


def test_an_export_has_everything_that_is_encrypted_in_clear_text_or_leaves_its_table_out() -> None:
    assert {(each.table, each.column) for each in ENCRYPTED_COLUMNS if each.table not in LEFT_OUT} == {*CLEAR_COLUMNS}
