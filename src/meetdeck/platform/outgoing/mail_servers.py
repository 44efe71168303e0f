"""Addresses of mail servers, and of mailboxes, as settings write them."""

import ipaddress
from email.errors import MessageError
from email.headerregistry import Address
from email.utils import getaddresses
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

_SENDS: Final = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
_RECEIVES: Final = {"imap": 143, "imaps": 993}


class MailServer(NamedTuple):
    """A server that accepts mails, or has a mailbox."""

    scheme: str
    host: str
    port: int
    user: str | None
    password: str | None
    folder: str
    """The folder of the mailbox; empty for a server that accepts mails."""

    @property
    def is_encrypted(self) -> bool:
        """Return whether the connection is encrypted from its first byte on."""
        return self.scheme in {"smtps", "imaps"}

    @property
    def must_encrypt(self) -> bool:
        """Return whether the connection must be encrypted by STARTTLS before anything else is sent.

        It may be plain without a password, and on this machine.
        """
        return self.scheme == "smtp+starttls" or (self.password is not None and not _is_this_machine(self.host))


def read_smtp_url(url: str) -> MailServer:
    """Return a server that accepts mails. Raises ValueError, which does not repeat the password."""
    example = "smtp+starttls://user:password@mail.example.com, smtps://… or smtp://…"
    server = _read(url, _SENDS, example)
    if server.folder:
        raise ValueError(f"it ends with the host or its port, such as {example}")
    return server


def read_imap_url(url: str) -> MailServer:
    """Return a mailbox. Raises ValueError, which does not repeat the password."""
    example = "imaps://user:password@mail.example.com"
    server = _read(url, _RECEIVES, f"{example}, or with a folder behind it")
    if server.user is None or server.password is None:
        raise ValueError(f"a mailbox has a user and a password, such as {example}")
    if not server.is_encrypted and not _is_this_machine(server.host):
        raise ValueError("it must begin with imaps:// unless it is on this machine: a password goes over it")
    return server._replace(folder=server.folder or "INBOX")


def read_sender(text: str) -> tuple[str, str]:
    """Return the name, which may be empty, and the address in `Name <meetings@firm.example>`. Raises ValueError."""
    (name, address), *others = getaddresses([text]) or [("", "")]
    try:
        valid = Address(addr_spec=address)
    except (ValueError, IndexError, MessageError):
        valid = None
    is_whole = valid is not None and valid.username and valid.domain and valid.addr_spec == address and address in text
    if not is_whole or others or not text.isprintable():
        raise ValueError("it must look like meetings@firm.example or Firm <meetings@firm.example>")
    return name, address


def _read(url: str, schemes: dict[str, int], example: str) -> MailServer:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    if parts.scheme not in schemes or not host or port == 0 or parts.query or parts.fragment:
        raise ValueError(f"it must look like {example}")
    return MailServer(
        scheme=parts.scheme,
        host=host,
        port=port or schemes[parts.scheme],
        user=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
        folder=unquote(parts.path.strip("/")),
    )


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
