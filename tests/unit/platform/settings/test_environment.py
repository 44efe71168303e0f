from pathlib import Path

import pytest

from meetdeck.platform.errors import SetupError
from meetdeck.platform.settings import Settings, read_settings
from support.production import PRODUCTION


def test_nothing_needs_to_be_set_for_a_try() -> None:
    settings = read_settings()
    assert (settings.environment, settings.base_url) == ("test", "http://127.0.0.1:8080")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("::1", "http://[::1]:8080"),
        ("fd00::7", "http://[fd00::7]:8080"),
        ("0.0.0.0", "http://127.0.0.1:8080"),  # noqa: S104 - what containers listen on
        ("::", "http://[::1]:8080"),
    ],
)
def test_an_address_is_written_so_that_it_can_be_reached(
    host: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEETDECK_HOST", host)
    assert read_settings().base_url == address


def test_the_command_line_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_PORT", "9000")
    monkeypatch.setenv("MEETDECK_DATA_DIR", "/srv/meetdeck")
    settings = read_settings(port=9001, host=None)
    assert (settings.port, settings.host, settings.data_dir) == (9001, "127.0.0.1", Path("/srv/meetdeck"))


@pytest.mark.usefixtures("_production")
def test_production_drains_before_it_ends_and_a_test_installation_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings().seconds_to_drain == 5
    monkeypatch.setenv("MEETDECK_ENVIRONMENT", "test")
    assert read_settings().seconds_to_drain == 0
    monkeypatch.setenv("MEETDECK_DRAIN_SECONDS", "2.5")
    assert read_settings().seconds_to_drain == 2.5


def test_the_background_work_has_a_process_of_its_own_beside_those_that_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings().has_background_process
    assert read_settings(workers=3).processes == 4
    assert not read_settings(only="worker").has_background_process
    assert not read_settings(only="present,booking,pages").has_background_process
    monkeypatch.setenv("MEETDECK_WORKER_PROCESS", "false")
    assert read_settings().processes == 1


@pytest.mark.usefixtures("_production")
def test_a_production_that_is_set_up_starts() -> None:
    assert read_settings().base_url == "https://meetdeck.example"


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize("name", sorted(set(PRODUCTION) - {"MEETDECK_ENVIRONMENT"}))
def test_production_refuses_to_start_without(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(name)
    with pytest.raises(SetupError, match=name):
        read_settings()


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize("blank", ["", " ", "\t\n"])
@pytest.mark.parametrize("name", sorted(set(PRODUCTION) - {"MEETDECK_ENVIRONMENT"}))
def test_an_empty_setting_is_a_missing_one(name: str, blank: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, blank)
    with pytest.raises(SetupError, match=f"production needs {name}"):
        read_settings()


def test_every_setting_that_is_empty_has_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    unset = read_settings()
    for name in Settings.model_fields:
        monkeypatch.setenv(f"MEETDECK_{name.upper()}", "")
    assert read_settings() == unset


SENSELESS = [
    ("MEETDECK_ISSUER", "foo", "must begin with https"),
    ("MEETDECK_ISSUER", "http://login.example", "MEETDECK_ISSUER must begin with https://"),
    ("MEETDECK_ISSUER", "https://", "no host"),
    ("MEETDECK_ISSUER", "https://login.example/?tenant=1", "no query"),
    ("MEETDECK_ISSUER", "https://login.example#a", "no query"),
    ("MEETDECK_PUBLIC_URL", "javascript:1", "must begin with https"),
    ("MEETDECK_PUBLIC_URL", "ftp://meetdeck.example", "must begin with https"),
    ("MEETDECK_PUBLIC_URL", "http://x", "MEETDECK_PUBLIC_URL must begin with https://"),
    ("MEETDECK_PUBLIC_URL", "http://localhost.evil.example", "MEETDECK_PUBLIC_URL must begin with https://"),
    ("MEETDECK_PUBLIC_URL", "//meetdeck.example", "must begin with https"),
    ("MEETDECK_PUBLIC_URL", "https://:8443", "no host"),
    ("MEETDECK_PUBLIC_URL", "https://a b", "no host"),
    ("MEETDECK_PUBLIC_URL", "https://meetdeck.example:99999", "port"),
    ("MEETDECK_PUBLIC_URL", "https://user:hunter2@meetdeck.example", "no user"),
    ("MEETDECK_PUBLIC_URL", "https://meetdeck.example/?", "no query"),
    ("MEETDECK_PUBLIC_URL", "https://0.0.0.0", "not one that can be called"),
    ("MEETDECK_PUBLIC_URL", "https://[::]:8443", "not one that can be called"),
    ("MEETDECK_PUBLIC_URL", f"https://{'a' * 64}.example", "no host"),
    ("MEETDECK_PUBLIC_URL", "https://8080", "no host"),
    ("MEETDECK_PUBLIC_URL", "https://meetdeck.example/<b>", "must have no"),
    ("MEETDECK_PUBLIC_URL", "https://meetdeck.example/{firm}", "must have no"),
    ("MEETDECK_PUBLIC_URL", "https://meetdeck.example/a/../b", "must have no"),
    ("MEETDECK_ISSUER", "https://login.example/{tenantid}/v2.0", "must have no"),
    ("MEETDECK_TRUSTED_PROXIES", "10.0.0.1, proxy.example", "'proxy.example' is not an IP address"),
    ("MEETDECK_TRUSTED_PROXIES", "*", "is not an IP address and no network"),
    ("MEETDECK_TRUSTED_PROXIES", "10.0.0.1/8", "has host bits set"),
    ("MEETDECK_TRUSTED_PROXIES", "10.0.0.1, ::/0", "::/0 includes every address"),
    ("MEETDECK_ENCRYPTION_KEY", "00" * 32, "not random"),
    ("MEETDECK_ENCRYPTION_KEY", "ab" * 32, "not random"),
    ("MEETDECK_ENCRYPTION_KEY", "deadbeef" * 8, "not random"),
    ("MEETDECK_ENCRYPTION_KEY", bytes(range(32)).hex(), "not random"),
    ("MEETDECK_ENCRYPTION_KEY", "0123456789abcdef" * 4, "not random"),
    ("MEETDECK_ENCRYPTION_KEY", "00112233445566778899aabbccddeeff" * 2, "not random"),
    ("MEETDECK_ENCRYPTION_KEY", "00" * 16 + "1f8ac10f23c5b5bc1167bda84b833e5c", "not random"),
    ("MEETDECK_ENCRYPTION_KEY", b"change me before this goes live!".hex(), "not random"),
    ("MEETDECK_ENCRYPTION_KEY", "ab" * 16, "64 hexadecimal digits"),
    ("MEETDECK_ENCRYPTION_KEY", "not hexadecimal", "64 hexadecimal digits"),
    ("MEETDECK_MAX_UPLOAD_BYTES", "0", "MEETDECK_MAX_UPLOAD_BYTES"),
    ("MEETDECK_RATE_LIMIT", "-1", "MEETDECK_RATE_LIMIT"),
    ("MEETDECK_CORS_ORIGINS", "https://app.example/", "it has a path"),
    (
        "MEETDECK_CORS_ORIGINS",
        "https://app.example, app.example",
        "app.example is not an origin: it must begin with https",
    ),
    ("MEETDECK_CORS_ORIGINS", "https://*.example", "An origin is scheme://host"),
    ("MEETDECK_CORS_ORIGINS", "null", "An origin is scheme://host"),
    ("MEETDECK_CORS_ORIGINS", "https://app.example,*", "* alone is every origin"),
    ("MEETDECK_CORS_ORIGINS", "https://app:hunter2@app.example", "no user"),
    ("MEETDECK_OUTGOING_ALLOW", "crm.intranet, http://10.0.0.5", "'http://10.0.0.5' is not a host"),
    ("MEETDECK_OUTGOING_PROXY", "https://proxy.bank.example:3128", "a proxy is http://host:port"),
    ("MEETDECK_OUTGOING_PROXY", "http://user@proxy.bank.example:3128", "http://user:password@host:port"),
    ("MEETDECK_OUTGOING_PROXY", "http://proxy.bank.example:3128/path", "ends with its port"),
    ("MEETDECK_CLAIM_TENANT", "iss", "must not be iss"),
    ("MEETDECK_CLAIM_ROLES", "exp", "must not be iss"),
    ("MEETDECK_CLAIM_USER", "tid", "different claims"),
]


@pytest.mark.parametrize(
    ("listed", "origins"),
    [
        ("https://app.example", ("https://app.example",)),
        (" HTTPS://App.example:443 ,http://localhost:3000,", ("https://app.example", "http://localhost:3000")),
        ("https://æble.example:8443", ("https://xn--ble-xla.example:8443",)),
        ("http://[::1]:3000", ("http://[::1]:3000",)),
        ("*", ("*",)),
    ],
)
def test_origins_are_read_as_browsers_send_them(
    listed: str, origins: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEETDECK_CORS_ORIGINS", listed)
    assert read_settings().cors_origins == origins


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize(("name", "value", "words"), SENSELESS)
def test_a_senseless_value_is_refused_in_words(
    name: str, value: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SetupError) as caught:
        read_settings()
    assert name in str(caught.value)
    assert words in str(caught.value)
    assert "hunter2" not in str(caught.value)
    assert name != "MEETDECK_ENCRYPTION_KEY" or value not in str(caught.value)


def test_proxies_are_a_list_of_addresses_and_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings().trusted_proxies == ()
    monkeypatch.setenv("MEETDECK_TRUSTED_PROXIES", " 127.0.0.1, 10.0.0.0/8,::1 ")
    assert [str(network) for network in read_settings().trusted_proxies] == ["127.0.0.1/32", "10.0.0.0/8", "::1/128"]


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize("address", ["http://localhost:8080", "http://127.0.0.1", "http://[::1]:8080/firm"])
def test_production_behind_this_machine_itself_needs_no_https(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_PUBLIC_URL", address)
    monkeypatch.setenv("MEETDECK_ISSUER", address)
    assert read_settings().base_url == address


def test_a_test_installation_may_have_an_issuer_of_its_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_ISSUER", " http://keycloak:8080/realms/test ")
    assert read_settings().issuer == "http://keycloak:8080/realms/test"


def test_production_names_everything_that_is_missing_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_ENVIRONMENT", "production")
    with pytest.raises(SetupError) as caught:
        read_settings()
    assert all(name in str(caught.value) for name in PRODUCTION if name != "MEETDECK_ENVIRONMENT")


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ROLE_EMPLOYEE", "Meetdeck.Admin"),
        ("ROLE_MANAGER", "Meetdeck.Configurator"),
        ("ELEVATED_ROLE", "Meetdeck.Employee"),
        ("ELEVATED_ROLE", "Meetdeck.Configurator"),
        ("ROLE_EMPLOYEE ELEVATED_ROLE", "Staff"),
        ("ROLE_EMPLOYEE=Staff ELEVATED_ROLE", "Meetdeck.Employee"),
        ("ROLE_ADMIN=Boss ELEVATED_ROLE", "Meetdeck.Manager"),
    ],
)
def test_production_refuses_one_value_for_two_roles(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in name.split():
        one, _, own = setting.partition("=")
        monkeypatch.setenv(f"MEETDECK_{one}", own or value)
    with pytest.raises(SetupError, match="must be different values of the claim"):
        read_settings()


@pytest.mark.usefixtures("_production")
def test_administrators_may_be_the_elevated_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_ELEVATED_ROLE", "Meetdeck.Admin")
    assert read_settings().role_names.elevated == "Meetdeck.Admin"


@pytest.mark.usefixtures("_production")
def test_the_command_line_does_not_open_production(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEETDECK_ISSUER")
    with pytest.raises(SetupError, match="MEETDECK_ISSUER"):
        read_settings(port=9000)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MEETDECK_PORT", "eighty"),
        ("MEETDECK_PORT", "70000"),
        ("MEETDECK_ENVIRONMENT", "staging"),
        ("MEETDECK_LOG_FORMAT", "xml"),
        ("MEETDECK_DATABASE_CONNECTIONS", "0"),
    ],
)
def test_a_wrong_value_is_one_line_that_names_the_setting(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SetupError) as caught:
        read_settings()
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_wrong_values_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_LOG_FORMAT", "xml")
    with pytest.raises(SetupError, match=r"MEETDECK_PORT: .*; MEETDECK_LOG_FORMAT: "):
        read_settings(port=-1)


@pytest.mark.usefixtures("_production")
def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"ISSUER": "https://login.example", "CLIENT_ID": "pages", "CLIENT_SECRET": "secret"}.items():
        monkeypatch.setenv(f"MEETDECK_PORTAL_{name}", value)
    shown = f"{read_settings()!r}"
    assert "secret" not in shown.replace("SecretStr", "").replace("client_secret=", "")
    assert PRODUCTION["MEETDECK_ENCRYPTION_KEY"] not in f"{read_settings()!r}"


def test_customers_sign_in_at_a_provider_of_each_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("PORTAL", "NATIONAL_ID"):
        monkeypatch.setenv(f"MEETDECK_{kind}_ISSUER", f"https://{kind.lower()}.example")
        monkeypatch.setenv(f"MEETDECK_{kind}_CLIENT_ID", f"pages of {kind}")
    monkeypatch.setenv("MEETDECK_NATIONAL_ID_CLAIM_CUSTOMER", "cpr")
    monkeypatch.setenv("MEETDECK_PORTAL_SCOPES", " ")
    settings = read_settings()
    assert (settings.portal.issuer, settings.portal.client_id) == ("https://portal.example", "pages of PORTAL")
    assert (settings.portal.scopes, settings.portal.claim_customer) == ("openid profile email", "sub")
    assert settings.national_id.issuer == "https://national_id.example"
    assert settings.national_id.claim_customer == "cpr"


WRONG_PROVIDERS = [
    ({"PORTAL_ISSUER": "login"}, "MEETDECK_PORTAL_ISSUER: it must begin with https"),
    ({"PORTAL_ISSUER": "https://login.example"}, "MEETDECK_PORTAL: an issuer and a client id"),
    ({"NATIONAL_ID_CLIENT_ID": "pages"}, "MEETDECK_NATIONAL_ID: an issuer and a client id"),
    (
        {"NATIONAL_ID_ISSUER": "http://login.example", "NATIONAL_ID_CLIENT_ID": "pages"},
        "MEETDECK_NATIONAL_ID_ISSUER must begin with https://",
    ),
    ({"PORTAL": "pages"}, "portal"),
    ({"PORTAL": "5"}, "MEETDECK_PORTAL: "),
]


@pytest.mark.usefixtures("_production")
@pytest.mark.parametrize(("given", "words"), WRONG_PROVIDERS)
def test_half_a_provider_or_an_open_one_is_refused_in_words(
    given: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(f"MEETDECK_{name}", value)
    with pytest.raises(SetupError, match=words):
        read_settings()


def test_the_roles_have_the_names_that_were_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_ROLE_ADMIN", "Bank.Boss")
    monkeypatch.setenv("MEETDECK_ELEVATED_ROLE", "Bank.Programs")
    names = read_settings().role_names
    assert names.complete(["Bank.Boss"]) >= {"Bank.Programs", "Meetdeck.Employee"}
