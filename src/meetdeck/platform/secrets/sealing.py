"""Sealed values: a page hands them to a browser and gets them back unread, unchanged and in time; nothing is stored.

The reasons: docs/decisions/0074-people-sign-in-without-cookies.md.
"""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from meetdeck.platform.errors import Invalid
from meetdeck.platform.secrets.derived_keys import derive_keys

_VERSION = b"\x01"
_NONCE_BYTES = 12
_EXPIRY_BYTES = 8
_PURPOSES = 64  # whose keys are remembered; the product has a handful


class SealBroken(Invalid):
    """A sealed value was changed, cut off or forged, or was sealed for another purpose or with another key."""

    code = "seal_broken"


class SealExpired(Invalid):
    """A sealed value of ours has expired; `payload` is its content."""

    code = "seal_expired"

    def __init__(self, detail: str, payload: bytes) -> None:
        super().__init__(detail)
        self.payload = payload


class Sealer:
    """Seals values with AES-256-GCM, under a key for each purpose that is derived from the installation's.

    The first of several keys seals, and each of them opens. A value of one purpose opens for no other. Nothing is
    remembered: a value opens as often as it is sent in time.
    """

    def __init__(self, *keys: bytes) -> None:
        self._keys = keys
        self._ciphers = lru_cache(_PURPOSES)(self._make_ciphers)

    def seal(self, purpose: str, payload: bytes, now: datetime, lifetime: timedelta) -> str:
        """Return the sealed payload as text that needs no escaping in addresses and forms.

        It is valid until `now + lifetime`, to the second; its length is 4/3 of the payload's, and 50 characters.
        """
        nonce = os.urandom(_NONCE_BYTES)
        expires = int((now + lifetime).timestamp()).to_bytes(_EXPIRY_BYTES, signed=True)
        sealed = self._ciphers(purpose)[0].encrypt(nonce, expires + payload, _VERSION)
        return _to_text(_VERSION + nonce + sealed)

    def open(self, purpose: str, sealed: str, now: datetime) -> bytes:
        """Return the payload of a sealed value. Raises SealBroken, or SealExpired after its time."""
        raw = _from_text(sealed)
        version, nonce, rest = raw[:1], raw[1 : 1 + _NONCE_BYTES], raw[1 + _NONCE_BYTES :]
        opened = _try_each(self._ciphers(purpose), nonce, rest, version)
        expires, payload = opened[:_EXPIRY_BYTES], opened[_EXPIRY_BYTES:]
        if now >= datetime.fromtimestamp(int.from_bytes(expires, signed=True), UTC):
            raise SealExpired("This has expired.", payload)
        return payload

    def _make_ciphers(self, purpose: str) -> tuple[AESGCM, ...]:
        return tuple(AESGCM(key) for key in derive_keys(self._keys, b"meetdeck sealed " + purpose.encode()))


def _try_each(ciphers: Sequence[AESGCM], nonce: bytes, sealed: bytes, version: bytes) -> bytes:
    for cipher in ciphers:
        try:
            return cipher.decrypt(nonce, sealed, version)
        except (InvalidTag, ValueError):  # the second: too short to be anything of ours
            continue
    raise _broken()


def _to_text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def _from_text(text: str) -> bytes:
    """Return the bytes of a text that `_to_text` wrote. Raises SealBroken for any other."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:  # signs that are none of base64's, or too few
        raise _broken() from None
    if raw[:1] != _VERSION or _to_text(raw) != text:  # else several texts would be the same value
        raise _broken()
    return raw


def _broken() -> SealBroken:
    return SealBroken("This was altered, or was not made by this installation for this purpose.")
