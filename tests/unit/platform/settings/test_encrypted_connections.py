import re

import pytest
from pydantic import SecretStr

from meetdeck.installation import read_application_address, read_owner_address, read_standby_address
from meetdeck.platform.errors import SetupError
from meetdeck.platform.settings import read_settings
from meetdeck.platform.settings.server_addresses import read_database_url

ELSEWHERE = "postgresql://app:hunter2@10.0.0.5/meetdeck"


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize("name", ["DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_READ_URL"])
@pytest.mark.parametrize("mode", ["disable", "allow", "prefer"])
def test_production_asks_for_tls_to_databases_on_other_machines(
    name: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"MEETDECK_{name}", f"{ELSEWHERE}?sslmode={mode}")
    with pytest.raises(SetupError) as caught:
        read_settings()
    assert re.search(rf"MEETDECK_{name} must ask for TLS.*MEETDECK_DATABASE_ALLOW_PLAIN", str(caught.value))
    assert "hunter2" not in str(caught.value)
    monkeypatch.setenv("MEETDECK_DATABASE_ALLOW_PLAIN", "true")
    assert read_settings().default_sslmode is None


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]:5433", "%2Fvar%2Frun%2Fpostgresql"])
def test_a_database_on_this_machine_may_be_without_tls(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_DATABASE_URL", f"postgresql://app@{host}/meetdeck?sslmode=disable")
    assert read_settings().database_url is not None


def test_a_database_on_another_machine_is_reached_by_tls_in_production_unless_its_address_says_how() -> None:
    modes = {
        url: read_database_url(SecretStr(url), "MEETDECK_X", default_sslmode="require").sslmode
        for url in (ELSEWHERE, "postgresql://app@localhost/x", "postgresql://app@db/x?sslmode=verify-full")
    }
    assert list(modes.values()) == ["require", None, "verify-full"]


@pytest.mark.usefixtures("_production")
def test_production_asks_for_tls_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read_settings()
    assert settings.default_sslmode == "require"
    assert read_application_address(settings).sslmode == "require"
    assert read_settings(environment="test").default_sslmode is None
    monkeypatch.setenv("MEETDECK_DATABASE_READ_URL", ELSEWHERE)
    monkeypatch.setenv("MEETDECK_DATABASE_OWNER_URL", ELSEWHERE)
    others = (read_owner_address(read_settings()), read_standby_address(read_settings()))
    assert [one.sslmode for one in others if one is not None] == ["require", "require"]


PLAIN_GATEWAYS = [
    "json://gateway.bank.example/sms/{phone}",
    "JSON://user:key@10.0.0.5:8080/{phone}",
    "xml://gateway.bank.example",
    "form://127.0.0.1@gateway.bank.example/",
    "mailto://user:key@mail.bank.example",
    "smpp://user:key@gateway.bank.example/{phone}",
    "jsons://gateway.bank.example/{phone}?verify=no",
    "http://gateway.bank.example/{phone}",
]


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize("address", PLAIN_GATEWAYS)
def test_production_sends_no_text_message_in_clear(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_MESSAGES_URL", address)
    with pytest.raises(SetupError) as caught:
        read_settings()
    assert "MEETDECK_MESSAGES_URL must name a gateway by TLS" in str(caught.value)
    assert "key" not in str(caught.value)
    monkeypatch.setenv("MEETDECK_ENVIRONMENT", "test")
    assert read_settings().messages_url is not None


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize(
    "address",
    [
        "jsons://gateway.bank.example/sms/{phone}",
        "clicksend://user:key@{phone}",
        "slack://token",
        "json://127.0.0.1:8080/{phone}",
        "json://user:key@localhost/{phone}?verify=no",
        "jsons://[::1]/{phone}",
    ],
)
def test_text_messages_go_by_tls_or_stay_on_this_machine(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_MESSAGES_URL", address)
    assert read_settings().messages_url is not None


HTTP_SERVICES = {
    "OTEL_EXPORTER_OTLP_ENDPOINT": "MEETDECK_OTLP_ALLOW_HTTP",
    "MEETDECK_OTLP_ENDPOINT": "MEETDECK_OTLP_ALLOW_HTTP",
    "MEETDECK_GOTENBERG_URL": "MEETDECK_GOTENBERG_ALLOW_HTTP",
}
"""The services that are called by HTTP, each with the setting that allows plain `http://`."""


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize(("name", "escape"), HTTP_SERVICES.items())
def test_production_calls_no_other_machine_by_plain_http(
    name: str, escape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "http://other.bank.example:3000")
    with pytest.raises(SetupError) as caught:
        read_settings()
    assert re.search(rf"must begin with https://.*set {escape}=true", str(caught.value))
    assert read_settings(environment="test").environment == "test"
    monkeypatch.setenv(escape, "true")
    assert read_settings().environment == "production"


@pytest.mark.usefixtures("_production")
def test_production_hands_mails_to_no_other_machine_unencrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_MAIL_FROM", "meetings@bank.example")
    for address in (
        "smtp+starttls://mail.bank.example",
        "smtps://mail.bank.example",
        "smtp://user:password@mail.bank.example",  # by STARTTLS or not at all
        "smtp://127.0.0.1:2525",
    ):
        monkeypatch.setenv("MEETDECK_SMTP_URL", address)
        assert read_settings().smtp_url is not None, address
    monkeypatch.setenv("MEETDECK_SMTP_URL", "smtp://relay.bank.example")
    with pytest.raises(SetupError, match=r"smtp\+starttls://.*set MEETDECK_SMTP_ALLOW_PLAIN=true"):
        read_settings()
    assert read_settings(environment="test").smtp_url is not None
    monkeypatch.setenv("MEETDECK_SMTP_ALLOW_PLAIN", "true")
    assert read_settings().smtp_url is not None


@pytest.mark.usefixtures("_production")
def test_the_password_of_a_plain_gotenberg_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_GOTENBERG_URL", "http://user:hunter2@gotenberg:3000")
    with pytest.raises(SetupError) as caught:
        read_settings()
    assert "hunter2" not in str(caught.value)


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize("name", HTTP_SERVICES)
@pytest.mark.parametrize(
    "address", ["https://other.bank.example", "http://127.0.0.1:3000", "http://localhost", "http://[::1]:3000"]
)
def test_services_are_called_by_tls_or_stay_on_this_machine(
    name: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, address)
    assert read_settings().environment == "production"
