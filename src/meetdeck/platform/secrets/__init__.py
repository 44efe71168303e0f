"""Encryption of stored values, and sealed values handed to clients."""

from meetdeck.platform.secrets.derived_keys import derive_keys
from meetdeck.platform.secrets.encryption import (
    ENCRYPTED_COLUMNS,
    KEY_FILE,
    EncryptedColumn,
    Encryption,
    find_encryption_keys,
    read_encryption_keys,
)
from meetdeck.platform.secrets.links import LinkQuery, SignedLinks
from meetdeck.platform.secrets.sealing import SealBroken, Sealer, SealExpired
from meetdeck.platform.secrets.secret_files import create_secret_file, write_secret_file

__all__ = [
    "ENCRYPTED_COLUMNS",
    "KEY_FILE",
    "EncryptedColumn",
    "Encryption",
    "LinkQuery",
    "SealBroken",
    "SealExpired",
    "Sealer",
    "SignedLinks",
    "create_secret_file",
    "derive_keys",
    "find_encryption_keys",
    "read_encryption_keys",
    "write_secret_file",
]
