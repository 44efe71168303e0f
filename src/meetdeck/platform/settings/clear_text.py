"""Finds settings by which data would leave this machine in clear text: databases, text messages, HTTP; pure."""

import re
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from meetdeck.platform.outgoing import names_this_machine

_UNENCRYPTED_MODES: Final = frozenset({"disable", "allow", "prefer"})
"""The values of `sslmode` with which libpq connects without TLS, at once or when the server offers none."""

_PLAIN_SCHEMES: Final = (
    "amqp apprise bark deltachat emby enigma2 evolution fluxer flowtriq form gotify goalert gorush growl hassio "
    "http humhub irc jellyfin json kodi lametric mailto mastodon matrix misskey mmost mqtt ncloud nctalk notica "
    "notifico ntfy onebot parsep pinglet pjet psafer pushdeer rocket rsyslog session signal smpp smseagle "
    "synology toot trigv xbmc xml xmpp"
)
"""The schemes of apprise that send without TLS; those of one service on the Internet always use it."""

_VERIFIED: Final = frozenset({"yes", "true", "1", "on", "y"})
"""The values of `verify` with which apprise certainly checks a certificate: it reads many others as "no"."""

_NEXT_ADDRESS: Final = re.compile(r"[\s,;]+(?=[a-z0-9]{1,32}://)", re.IGNORECASE)
"""Separators of addresses: apprise sends to every address of a list."""


def may_be_unencrypted(database_url: str) -> bool:
    """Return whether connections to a database on another machine may be without TLS, by its `sslmode`."""
    try:
        parts = urlsplit(database_url)
        mode = dict(parse_qsl(parts.query)).get("sslmode")
    except ValueError:
        return False  # it is refused where it is read
    return mode in _UNENCRYPTED_MODES and not all(map(_is_here, parts.netloc.rpartition("@")[2].split(",")))


def calls_in_clear(url: str) -> bool:
    """Return whether requests to a web address go to another machine by plain `http://`."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False  # it is refused where it is read
    return parts.scheme == "http" and not _is_here(parts.netloc.rpartition("@")[2])


def mails_in_clear(smtp_url: str) -> bool:
    """Return whether mails go to another machine that need not encrypt: by `smtp://`, without a password."""
    parts = urlsplit(smtp_url)
    return parts.scheme == "smtp" and not parts.password and not _is_here(parts.netloc.rpartition("@")[2])


def sends_in_clear(gateway_urls: str) -> bool:
    """Return whether text messages go to another machine without TLS, or with an unchecked certificate."""
    return any(map(_sends_in_clear, _NEXT_ADDRESS.split(gateway_urls.strip())))


def _sends_in_clear(gateway_url: str) -> bool:
    scheme, _, rest = gateway_url.partition("://")
    place, _, query = rest.partition("?")
    given = parse_qsl(query, keep_blank_values=True)
    is_unchecked = any(name.lower() == "verify" and value.strip().lower() not in _VERIFIED for name, value in given)
    is_insecure = any(name.lower() == "mode" and value.strip().lower() == "insecure" for name, value in given)
    is_open = scheme.lower() in _PLAIN_SCHEMES.split() or is_unchecked or is_insecure  # the mode is of mails
    return is_open and not _is_here(re.split(r"[/\\]", place, maxsplit=1)[0].rpartition("@")[2])


def _is_here(place: str) -> bool:
    """Return whether `host:port` is this machine."""
    host = place.partition("]")[0].removeprefix("[") if place.startswith("[") else place.partition(":")[0]
    return names_this_machine(unquote(host).lower())
