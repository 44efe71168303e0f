"""Secrets by file or by command, which the environment only names."""

from pathlib import Path

import pytest

from meetdeck.installation import read_application_address
from meetdeck.platform.errors import SetupError
from meetdeck.platform.settings import list_unknown_variables, read_service_access, read_settings, secret_sources

_URL = "postgresql://app:hunter2@db.example/meetdeck"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_text(f"{_URL}\n")
    return path


@pytest.mark.parametrize("source", ["FILE", "COMMAND"])
def test_a_secret_is_read_from_a_file_or_a_command(source: str, secret: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = f"cat '{secret}'" if source == "COMMAND" else str(secret)
    monkeypatch.setenv(f"MEETDECK_DATABASE_URL_{source}", given)
    assert read_application_address(read_settings()).password == "hunter2"
    assert list_unknown_variables() == []
    assert "hunter2" not in repr(read_settings())


def test_secrets_of_providers_and_of_clients_have_files_too(secret: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_PORTAL_ISSUER", "https://login.example")
    monkeypatch.setenv("MEETDECK_PORTAL_CLIENT_ID", "portal")
    monkeypatch.setenv("MEETDECK_PORTAL_CLIENT_SECRET_FILE", str(secret))
    monkeypatch.setenv("MEETDECK_KEY_FILE", str(secret))
    portal, key = read_settings().portal, read_service_access().key
    assert portal.client_secret is not None
    assert portal.client_secret.get_secret_value() == _URL
    assert portal.client_id == "portal"
    assert key is not None
    assert key.get_secret_value() == _URL


def test_no_shell_reads_a_command(secret: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_MESSAGES_URL_COMMAND", f"echo 'jsons://a' > {secret} $HOME")
    (url,) = [read_settings().messages_url]
    assert url is not None
    assert url.get_secret_value() == f"jsons://a > {secret} $HOME"
    assert secret.read_text() == f"{_URL}\n"


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        (
            {"MEETDECK_SMTP_URL": "smtp://a", "MEETDECK_SMTP_URL_FILE": "/a"},
            "MEETDECK_SMTP_URL and MEETDECK_SMTP_URL_FILE are set",
        ),
        (
            {"MEETDECK_SMTP_URL_FILE": "/a", "MEETDECK_SMTP_URL_COMMAND": "true"},
            "SMTP_URL_FILE and MEETDECK_SMTP_URL_COMMAND are",
        ),
        (
            {"MEETDECK_SMTP_URL_FILE": "/no/such"},
            "MEETDECK_SMTP_URL_FILE: /no/such cannot be read (No such file or directory)",
        ),
        ({"MEETDECK_SMTP_URL_FILE": "/dev/null"}, "MEETDECK_SMTP_URL_FILE: /dev/null holds nothing"),
        ({"MEETDECK_SMTP_URL_FILE": "/dev/zero"}, "/dev/zero holds more than 64 KiB"),
        ({"MEETDECK_SMTP_URL_COMMAND": "false hunter2"}, "MEETDECK_SMTP_URL_COMMAND: false failed with status 1"),
        ({"MEETDECK_SMTP_URL_COMMAND": "no-such-program a"}, "no-such-program cannot be run"),
        ({"MEETDECK_SMTP_URL_COMMAND": "echo 'hunter2"}, "MEETDECK_SMTP_URL_COMMAND: No closing quotation"),
        ({"MEETDECK_SMTP_URL_COMMAND": "sleep 9"}, "sleep took longer than"),
        ({"MEETDECK_SMTP_URL_COMMAND": "printf '\\377'"}, "printf holds something other than text"),
        ({"MEETDECK_SMTP_URL_COMMAND": "echo ftp://user:hunter2@mail"}, "MEETDECK_SMTP_URL: "),
    ],
)
def test_a_secret_that_cannot_be_had_is_refused_by_its_variable(
    variables: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secret_sources, "_COMMAND_SECONDS", 0.1)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SetupError) as caught:
        read_settings()
    assert words in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_only_secrets_have_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_PORT_FILE", "/etc/port")
    assert list_unknown_variables() == ["MEETDECK_PORT_FILE"]
