"""Calls to the outside, and the addresses that may be called."""

from meetdeck.platform.outgoing.addresses import (
    check_address,
    is_loopback,
    is_private,
    names_this_machine,
)
from meetdeck.platform.outgoing.calls import Fetch, OutgoingAnswer, OutgoingCall, Send
from meetdeck.platform.outgoing.client import Limits, OutgoingClient, OutgoingRefused, OutgoingReply, OutgoingRequest
from meetdeck.platform.outgoing.destinations import AllowedHosts, NamedHosts, read_listed, read_named
from meetdeck.platform.outgoing.fetch import make_fetch, make_send, read_date
from meetdeck.platform.outgoing.mail_servers import MailServer, read_imap_url, read_sender, read_smtp_url
from meetdeck.platform.outgoing.proxy import Proxy, read_proxy

__all__ = [
    "AllowedHosts",
    "Fetch",
    "Limits",
    "MailServer",
    "NamedHosts",
    "OutgoingAnswer",
    "OutgoingCall",
    "OutgoingClient",
    "OutgoingRefused",
    "OutgoingReply",
    "OutgoingRequest",
    "Proxy",
    "Send",
    "check_address",
    "is_loopback",
    "is_private",
    "make_fetch",
    "make_send",
    "names_this_machine",
    "read_date",
    "read_imap_url",
    "read_listed",
    "read_named",
    "read_proxy",
    "read_sender",
    "read_smtp_url",
]
