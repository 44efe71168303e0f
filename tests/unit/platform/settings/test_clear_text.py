"""Messages that leave this machine in clear text: the schemes are apprise's own."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from apprise.manager_plugins import NotificationManager

from meetdeck.platform.settings.clear_text import calls_in_clear, may_be_unencrypted, sends_in_clear

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # apprise's own

ALWAYS_BY_TLS = {"pushme", "sfr"}
"""They have no other scheme, and call their services by https."""
ON_THIS_MACHINE = {"blink1", "dbus", "gio", "glib", "gnome", "kde", "macosx", "qt", "syslog", "windows"}


def list_schemes(member: str) -> Iterator[str]:
    manager: Any = NotificationManager()
    for plugin in manager.plugins():
        schemes: Any = getattr(plugin, member, None) or ()
        yield from (schemes,) if isinstance(schemes, str) else cast("tuple[str, ...]", schemes)


def test_every_scheme_of_apprise_that_is_plain_is_known() -> None:
    plain = {one for one in list_schemes("protocol") if not sends_in_clear(f"{one}://gateway.example/x")}
    assert plain == ALWAYS_BY_TLS | ON_THIS_MACHINE


def test_no_scheme_of_apprise_by_tls_is_refused() -> None:
    assert [one for one in list_schemes("secure_protocol") if sends_in_clear(f"{one}://gateway.example/x")] == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://app@db/x", False),
        ("postgresql://app@db/x?sslmode=require", False),
        ("postgresql://app@db/x?sslmode=prefer", True),
        ("postgresql://app@localhost,db.example:5433/x?sslmode=disable", True),
        ("postgresql://app@localhost:5432,127.0.0.1:5433/x?sslmode=disable", False),
        ("postgresql://app@[::1/x?sslmode=disable", False),
    ],
)
def test_a_database_may_be_unencrypted_on_this_machine_alone(url: str, expected: bool) -> None:  # noqa: FBT001 - of a table
    assert may_be_unencrypted(url) is expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://collector.example:4318", False),
        ("http://localhost:4318/x", False),
        ("http://user:key@[::1]:3000", False),
        ("http://collector.example", True),
        ("HTTP://10.0.0.5:4318", True),
        ("http://127.0.0.1@gotenberg.example:3000", True),
        ("http://localhost.example", True),
        ("http://[::1", False),
    ],
)
def test_a_service_is_called_by_plain_http_on_this_machine_alone(url: str, expected: bool) -> None:  # noqa: FBT001 - of a table
    assert calls_in_clear(url) is expected


@pytest.mark.parametrize(
    ("urls", "expected"),
    [
        ("jsons://one.example, jsons://two.example?verify=yes", False),
        ("jsons://gateway.example/json://x", False),
        ("json://localhost:8000/{phone}", False),
        ("jsons://one.example,json://two.example", True),
        ("jsons://one.example json://two.example", True),
        ("jsons://one.example;JSON://two.example", True),
        ("jsons://gateway.example?verify=f", True),
        ("jsons://gateway.example?verify=", True),
        ("jsons://gateway.example?verify=yes&%76erify=-", True),
        ("mailtos://user:password@mail.example?mode=insecure", True),
    ],
)
def test_each_gateway_of_a_list_must_be_called_by_tls(urls: str, expected: bool) -> None:  # noqa: FBT001 - of a table
    assert sends_in_clear(urls) is expected
