"""Encryption of single values at rest, with a key for each tenant derived from the installation's."""

import os
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import SecretStr

from meetdeck.platform.errors import SetupError
from meetdeck.platform.secrets.derived_keys import derive_keys
from meetdeck.platform.secrets.secret_files import create_secret_file

KEY_FILE = "encryption-key"
"""The key's file name in the data folder."""
KEY_BYTES = 32
_NONCE_BYTES = 12
_NO_TEXT = 0x80
_TENANTS = 1_000  # whose ciphers are remembered
_FEWEST_DIFFERENT_BYTES = 18  # of 32 random bytes, 30 are different


class EncryptedColumn(NamedTuple):
    """A column of values made by `Encryption`; `condition` selects them from others in it, as SQL."""

    table: str
    column: str
    words: str
    condition: str = "true"


ENCRYPTED_COLUMNS: Final = (
    EncryptedColumn("meeting", "cpr_encrypted", "`cpr` of meetings"),
    EncryptedColumn("webhook_secret", "secret_encrypted", "secrets of webhooks"),
    EncryptedColumn("calendar_connection", "secret_encrypted", "certificates and secrets of calendar connections"),
    EncryptedColumn("calendar", "password_encrypted", "passwords of calendars"),
    EncryptedColumn("document_rule", "secret_encrypted", "secrets of document rules"),
    EncryptedColumn("document_rule", "former_secret_encrypted", "former secrets of document rules"),
    EncryptedColumn("erasure_key", "key_encrypted", "keys of erasure receipts"),
    EncryptedColumn("console_session", "tokens_encrypted", "tokens of console sessions"),
    EncryptedColumn("console_session", "kept_form_encrypted", "forms kept while staff sign in again"),
    # Answers without a secret are stored unencrypted, as JSON: an object or a list.
    EncryptedColumn(
        "idempotent_answer",
        "body",
        "answers with a secret, kept for repeats",
        r"substring(body for 1) not in ('\x', '\x5b', '\x7b')",
    ),
)
"""All encrypted columns of the database."""


class Encryption:
    """AES-256-GCM; a value is bound to its tenant, so that it cannot be read as another's.

    The first of several keys encrypts, and each of them decrypts (docs/decisions/0167).
    """

    def __init__(self, *keys: bytes) -> None:
        if not keys or any(len(key) != KEY_BYTES for key in keys):
            raise SetupError(f"The encryption key must be {KEY_BYTES} bytes: {KEY_BYTES * 2} hexadecimal digits.")
        self._keys = keys
        self._ciphers = lru_cache(_TENANTS)(self._make_ciphers)

    def encrypt(self, tenant_id: UUID, text: str) -> bytes:
        """Return nonce and ciphertext; no text begins with the first byte, so that JSON is told apart."""
        random = os.urandom(_NONCE_BYTES)
        nonce = bytes([random[0] | _NO_TEXT]) + random[1:]
        return nonce + self._ciphers(tenant_id)[0].encrypt(nonce, text.encode(), tenant_id.bytes)

    def decrypt(self, tenant_id: UUID, sealed: bytes) -> str:
        """Return the text. Raises ValueError when it was not encrypted for this tenant with one of our keys."""
        return self._open(tenant_id, sealed)[1]

    def renew(self, tenant_id: UUID, sealed: bytes) -> bytes | None:
        """Return the value encrypted with the first key, None if it already is. Raises ValueError like `decrypt`."""
        place, text = self._open(tenant_id, sealed)
        return self.encrypt(tenant_id, text) if place else None

    def _open(self, tenant_id: UUID, sealed: bytes) -> tuple[int, str]:
        """Return the index of the key that a value was encrypted with, and its text."""
        for place, cipher in enumerate(self._ciphers(tenant_id)):
            try:
                opened = cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], tenant_id.bytes)
            except (InvalidTag, ValueError):  # the second: too short to be anything of ours
                continue
            return place, opened.decode()
        raise ValueError("not encrypted for this tenant with this key")

    def _make_ciphers(self, tenant_id: UUID) -> tuple[AESGCM, ...]:
        return tuple(AESGCM(key) for key in derive_keys(self._keys, b"meetdeck tenant " + tenant_id.bytes))


def read_encryption_keys(text: str) -> tuple[bytes, ...]:
    """Return the keys in a setting, separated by commas, each once; the first one encrypts.

    Raises ValueError, without the keys, for none, or an invalid or guessable one.
    """
    listed = [each.strip() for each in text.split(",") if each.strip()]
    return tuple(dict.fromkeys(_read_key(each) for each in listed or [""]))


def _read_key(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ValueError(f"it must be {KEY_BYTES * 2} hexadecimal digits: `openssl rand -hex {KEY_BYTES}`")
    if _can_be_guessed(key):
        raise ValueError(f"it is not random and can be guessed: make one with `openssl rand -hex {KEY_BYTES}`")
    return key


def _can_be_guessed(key: bytes) -> bool:
    """Return whether a key has few different bytes, counts up, repeats itself or is a text; random ones never do."""
    steps = {(after - before) % 256 for before, after in pairwise(key)}
    half = KEY_BYTES // 2
    is_text = key.isascii() and key.decode("ascii").isprintable()
    return len(set(key)) < _FEWEST_DIFFERENT_BYTES or len(steps) == 1 or key[:half] == key[half:] or is_text


def find_encryption_keys(chosen: SecretStr | None, data_dir: Path) -> tuple[bytes, ...]:
    """Return the operator's keys, or those that the test environment keeps in the data folder. Raises SetupError."""
    if chosen is None:
        return load_encryption_keys(data_dir / KEY_FILE)
    return read_encryption_keys(chosen.get_secret_value())


def load_encryption_keys(path: Path) -> tuple[bytes, ...]:
    """Return the test environment's keys, one created at first use and readable only by us. Raises SetupError."""
    try:
        if not path.exists():
            create_secret_file(path, os.urandom(KEY_BYTES).hex())
        return read_encryption_keys(path.read_text(encoding="utf-8").strip())
    except (OSError, ValueError) as error:
        raise SetupError(
            f"The encryption key {path} cannot be read or written: {error}. Restore it from a backup: with another "
            "key, values that were encrypted with this one are lost."
        ) from error
