"""The addresses that may be called: public ones by https, and those that the operator lists."""

import ipaddress
import re

import pytest

from meetdeck.platform.outgoing import AllowedHosts, NamedHosts, read_listed, read_named
from meetdeck.platform.outgoing.destinations import Destination, is_public


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",  # noqa: S104 - nothing is bound to it
        "10.1.2.3",
        "100.64.0.1",  # carriers' NAT
        "127.0.0.1",
        "127.255.1.1",
        "169.254.169.254",
        "172.16.0.1",
        "192.0.0.192",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "203.0.113.5",
        "224.0.0.1",
        "239.1.1.1",
        "240.0.0.1",
        "255.255.255.255",
        "168.63.129.16",
        "::",
        "::1",
        "::7f00:1",  # IPv4-compatible
        "::ffff:10.0.0.1",
        "::ffff:8.8.8.8",
        "64:ff9b::a00:1",  # NAT64
        "64:ff9b::808:808",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",  # Teredo
        "2001:db8::1",
        "2002:a00:1::",  # 6to4
        "2002:808:808::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
    ],
)
def test_an_address_that_is_no_server_of_the_internet_is_not_public(address: str) -> None:
    ip = ipaddress.ip_address(address)
    assert not is_public(ip)
    host = f"[{address}]" if ip.version == 6 else address
    with pytest.raises(ValueError, match=r"not public|an address to listen on|this machine itself"):
        AllowedHosts().find(f"https://{host}/hooks")


@pytest.mark.parametrize("address", ["8.8.8.8", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"])
def test_a_server_of_the_internet_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://example.com/", "must begin with https://"),
        ("ftp://example.com/", "must begin with https://"),
        ("https://user:secret@example.com/", "no user, no password"),
        ("https://example.com/#there", "no fragment"),
        ("https:///hooks", "names no host"),
        ("https://2130706433/", "names no host"),
        ("https://127.1/", "names no host"),
        ("https://0x7f.1/", "names no host"),
        ("https://localhost/", "this machine itself"),
        ("https://crm.localhost:8443/", "this machine itself"),
        ("https://[fe80::1%25eth0]/", "names no host"),
        ("https://example.com/a/../b", "no steps back"),
        ("https://example.com/?a=b c", "its query has characters"),
        ("https://example.com/\r\nHost: x", "."),
        (f"https://example.com/?{'a' * 2_000}", "more than 2,000 characters"),
    ],
)
def test_an_address_that_may_not_be_called_says_why(address: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        AllowedHosts(["crm.intranet"]).find(address)


def test_a_host_of_the_list_may_be_private_and_plain_at_all_its_ports_or_one() -> None:
    hosts = AllowedHosts(["CRM.intranet", "10.0.0.5:8080", "[::1]:9000"])
    assert hosts.find("http://crm.intranet./hooks?a=b") == Destination("crm.intranet", 80, is_listed=True)
    assert hosts.find("https://crm.intranet:8443") == Destination("crm.intranet", 8443, is_listed=True)
    assert hosts.find("http://10.0.0.5:8080").is_listed
    assert hosts.find("http://[::1]:9000").is_listed
    for address in ("http://10.0.0.5", "https://10.0.0.5", "http://[::1]", "http://a.crm.intranet"):
        with pytest.raises(ValueError, match=r"https|public|itself"):
            hosts.find(address)


def test_a_name_is_called_in_ascii_and_its_addresses_are_judged_when_they_are_known() -> None:
    found = AllowedHosts().find("https://Münchner-Bank.example/hooks")
    assert found == Destination("xn--mnchner-bank-dlb.example", 443, is_listed=False)
    found.require_allowed_at(ipaddress.ip_address("8.8.8.8"))
    with pytest.raises(ValueError, match=r"xn--mnchner-bank-dlb\.example leads to an address that is not public"):
        found.require_allowed_at(ipaddress.ip_address("10.0.0.1"))


@pytest.mark.parametrize("text", ["", "*", "http://crm", "crm/hooks", "user@crm", "crm:0", "crm:70000", "a b", "crm?"])
def test_what_is_no_host_cannot_be_listed(text: str) -> None:
    with pytest.raises(ValueError, match="is not a host"):
        read_listed(text)


OWN_MACHINE = ["127.0.0.1", "127.9.8.7", "[::1]", "localhost", "localhost.", "LocalHost", "crm.localhost"]


@pytest.mark.parametrize("host", OWN_MACHINE)
def test_loopback_is_open_at_every_port_but_the_closed_ones(host: str) -> None:
    hosts = AllowedHosts(closed_ports={80, 8080, 5432})
    for scheme in ("http", "https"):
        assert hosts.find(f"{scheme}://{host}:9360/hooks").is_loopback
        for port in (8080, 5432):
            with pytest.raises(ValueError, match=rf"port {port} is one of Meetdeck's own or its database's"):
                hosts.find(f"{scheme}://{host}:{port}/hooks")
    with pytest.raises(ValueError, match="port 80 is one of"):
        hosts.find(f"http://{host}/hooks")
    assert hosts.find(f"https://{host}/hooks").is_loopback


@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "0x7f000001",
        "127.1",
        "0177.0.0.1",
        "0.0.0.0",  # noqa: S104 - nothing is bound to it
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::7f00:1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "128.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "localhost.evil.example",
        "notlocalhost",
    ],
)
def test_nothing_else_is_open_with_loopback_however_it_is_spelled(host: str) -> None:
    hosts = AllowedHosts(closed_ports={8080})
    for address in (f"http://{host}:9360/hooks", f"http://{host}:8080/hooks"):
        with pytest.raises(
            ValueError, match=r"names no host|an address to listen on|not a web address|must begin with https://"
        ):
            hosts.find(address)


@pytest.mark.parametrize("closed_ports", [None, {8080, 9360}])
@pytest.mark.parametrize(
    ("address", "entry"),
    [
        ("http://127.0.0.1:9360/h", "127.0.0.1:9360"),
        ("https://localhost:9360/h", "localhost:9360"),
        ("http://[::1]:9360/h", "[::1]:9360"),
        ("http://10.0.0.5/h", "10.0.0.5:80"),
        ("https://10.0.0.5/h", "10.0.0.5:443"),
        ("http://crm.example/h", "crm.example:80"),
        ("http://127.0.0.1:8080/h", "127.0.0.1:8080"),
    ],
)
def test_a_refusal_names_the_setting_with_a_value_that_works(
    address: str, entry: str, closed_ports: set[int] | None
) -> None:
    refused = f"In the test environment, set MEETDECK_OUTGOING_ALLOW={entry} and restart"
    with pytest.raises(ValueError, match=re.escape(refused)):
        AllowedHosts(closed_ports=closed_ports).find(address)
    assert AllowedHosts([entry], closed_ports).find(address).is_listed


def test_a_name_of_this_machine_may_lead_to_loopback_alone() -> None:
    found = AllowedHosts(closed_ports=()).find("http://localhost:9360/h")
    for address in ("127.0.0.1", "127.3.2.1", "::1"):
        found.require_allowed_at(ipaddress.ip_address(address))
    for address in ("8.8.8.8", "10.0.0.1", "::ffff:127.0.0.1", "fe80::1"):
        with pytest.raises(ValueError, match="not this machine's own"):
            found.require_allowed_at(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://crm.bank.example", True),
        ("https://crm.bank.example:8443/a", True),
        ("https://crm.bank.example./", True),
        ("https://gate.example:8443", True),
        ("https://gate.example", False),
        ("https://a.partner.example", True),
        ("https://b.a.partner.example", True),
        ("https://partner.example", False),
        ("https://apartner.example", False),
        ("https://a.partner.example.evil.example", False),
        ("https://1.1.1.1", False),
    ],
)
def test_a_firm_may_name_the_hosts_of_its_list(address: str, expected: bool) -> None:  # noqa: FBT001 - of a table
    hosts = NamedHosts(["crm.bank.example", "gate.example:8443", "*.partner.example"])
    assert hosts.permit(AllowedHosts().find(address)) is expected


@pytest.mark.parametrize("text", ["*", "*.", "*.*.example", "crm.*.example", "https://crm.example", "a b", ""])
def test_what_is_no_host_cannot_be_named(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a host|has a \*"):
        read_named(text)


def test_an_empty_list_names_no_host() -> None:
    assert not NamedHosts([]).permit(AllowedHosts().find("https://crm.bank.example"))
