"""Columns that are encrypted in the database, but in clear text in an export: it must be readable without our keys."""

from typing import Final
from uuid import UUID

import msgspec

from meetdeck.platform.errors import SetupError
from meetdeck.platform.secrets import Encryption

CLEAR_COLUMNS: Final = {
    ("document_rule", "secret_encrypted"): "secret",
    ("document_rule", "former_secret_encrypted"): "former_secret",
    ("meeting", "cpr_encrypted"): "cpr",
}
"""The name of such a column in an export, by table and column."""

_Line = dict[str, msgspec.Raw]
_NULL: Final = b"null"


class SealedColumns:
    """Decrypts and encrypts columns of lines with the installation's key."""

    def __init__(self, encryption: Encryption) -> None:
        self._encryption = encryption

    def open(self, table: str, tenant_id: UUID, lines: bytes) -> bytes:
        """Return the lines with the columns in clear text; a `Rewrite`. Raises SetupError for another key's values."""
        for (of_table, sealed), clear in CLEAR_COLUMNS.items():
            if table == of_table:
                lines = b"".join(self._open(tenant_id, line, sealed, clear) for line in lines.splitlines())
        return lines

    def seal(self, table: str, tenant_id: UUID, lines: bytes) -> bytes:
        """Return the lines with the columns encrypted; a `Rewrite`."""
        for (of_table, sealed), clear in CLEAR_COLUMNS.items():
            if table == of_table:
                lines = b"".join(self._seal(tenant_id, line, sealed, clear) for line in lines.splitlines())
        return lines

    def _open(self, tenant_id: UUID, line: bytes, sealed: str, clear: str) -> bytes:
        text: str | None = None
        value = msgspec.json.decode(_get(line, sealed), type=str | None)
        if value is not None:
            try:
                text = self._encryption.decrypt(tenant_id, bytes.fromhex(value.removeprefix("\\x")))
            except ValueError:
                raise SetupError(
                    f"A {clear} cannot be read with the encryption key of this installation. Put the key back that it "
                    "was stored with (MEETDECK_ENCRYPTION_KEY), and export again."
                ) from None
        return _rename(line, sealed, clear, msgspec.json.encode(text))

    def _seal(self, tenant_id: UUID, line: bytes, sealed: str, clear: str) -> bytes:
        text = msgspec.json.decode(_get(line, clear), type=str | None)
        value = None if text is None else "\\x" + self._encryption.encrypt(tenant_id, text).hex()
        return _rename(line, clear, sealed, msgspec.json.encode(value))


def _get(line: bytes, name: str) -> bytes:
    return bytes(msgspec.json.decode(line, type=_Line).get(name, msgspec.Raw(_NULL)))


def _rename(line: bytes, name: str, to: str, value: bytes) -> bytes:
    """Return the line with one member replaced by another name and value; the others are unchanged."""
    members = msgspec.json.decode(line, type=_Line)
    renamed = {to if key == name else key: msgspec.Raw(value) if key == name else each for key, each in members.items()}
    return msgspec.json.encode(renamed) + b"\n"
