"""Encryption of single values at rest, with a key of each tenant's own derived from the installation's."""

import os
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from pydantic import SecretStr

from meetdeck.platform.errors import SetupError
from meetdeck.platform.issuer import write_secret_file

KEY_FILE = "encryption-key"
"""The key's name in the data folder."""
KEY_BYTES = 32
_NONCE_BYTES = 12
_FEWEST_DIFFERENT_BYTES = 18  # of 32 random bytes, 30 are different


class EncryptedColumn(NamedTuple):
    """A column of values that `Encryption` made, in words; `condition` tells them from others in it, as SQL."""

    table: str
    column: str
    words: str
    condition: str = "true"


ENCRYPTED_COLUMNS: Final = (
    EncryptedColumn("meeting", "cpr_encrypted", "`cpr` of meetings"),
    EncryptedColumn("webhook_secret", "secret_encrypted", "secrets of webhooks"),
    EncryptedColumn("document_rule", "secret_encrypted", "secrets of document rules"),
    EncryptedColumn("document_rule", "former_secret_encrypted", "former secrets of document rules"),
    # Answers without a secret are kept as they are, as JSON: an object or a list.
    EncryptedColumn(
        "idempotent_answer",
        "body",
        "answers with a secret, kept for repeats",
        r"substring(body for 1) not in ('\x', '\x5b', '\x7b')",
    ),
)
"""All that is encrypted in the database."""


class Encryption:
    """AES-256-GCM; a value is bound to its tenant, so that it cannot be read as another's."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise SetupError(f"The encryption key must be {KEY_BYTES} bytes: {KEY_BYTES * 2} hexadecimal digits.")
        self._key = key

    def encrypt(self, tenant_id: UUID, text: str) -> bytes:
        """Return nonce and ciphertext."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher(tenant_id).encrypt(nonce, text.encode(), tenant_id.bytes)

    def decrypt(self, tenant_id: UUID, sealed: bytes) -> str:
        """Return the text. Raises ValueError when it was not encrypted for this tenant with this key."""
        try:
            opened = self._cipher(tenant_id).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], tenant_id.bytes)
        except (InvalidTag, ValueError):  # the second: too short to be anything of ours
            raise ValueError("not encrypted for this tenant with this key") from None
        return opened.decode()

    def _cipher(self, tenant_id: UUID) -> AESGCM:
        return AESGCM(
            HKDF(SHA256(), KEY_BYTES, salt=None, info=b"meetdeck tenant " + tenant_id.bytes).derive(self._key)
        )


def read_encryption_key(text: str) -> bytes:
    """Return the key in a setting. Raises ValueError, without the key, for an invalid or guessable one."""
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


def find_encryption_key(chosen: SecretStr | None, data_dir: Path) -> bytes:
    """Return the operator's key, or the one that the test environment keeps in the data folder. Raises SetupError."""
    if chosen is None:
        return load_encryption_key(data_dir / KEY_FILE)
    return read_encryption_key(chosen.get_secret_value())


def load_encryption_key(path: Path) -> bytes:
    """Return the test environment's key, made at first use and readable by us alone. Raises SetupError."""
    try:
        if not path.exists():
            write_secret_file(path, os.urandom(KEY_BYTES).hex())
        return read_encryption_key(path.read_text(encoding="utf-8").strip())
    except (OSError, ValueError) as error:
        raise SetupError(
            f"The encryption key {path} cannot be read or written: {error}. Put it back from a backup: with "
            "another key, what was encrypted with this one is lost."
        ) from error
