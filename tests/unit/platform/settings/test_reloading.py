"""Settings that are read anew: from a file, and kept where they are wrong or belong to the start."""

import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import structlog.testing

from meetdeck.platform.errors import SetupError
from meetdeck.platform.settings import ReloadableSettings, load_settings_file, read_settings


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """Lend an empty settings file that the environment names."""
    path = tmp_path / "meetdeck.env"
    path.touch()
    monkeypatch.setenv("MEETDECK_SETTINGS_FILE", str(path))
    yield path
    path.write_text("")
    load_settings_file()


def list_changes(settings: ReloadableSettings) -> list[dict[str, Any]]:
    with structlog.testing.capture_logs() as logs:
        settings.reload()
    return [{name: value for name, value in line.items() if name != "log_level"} for line in logs]


def test_a_file_completes_the_environment(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_RATE_LIMIT", "7")
    file.write_text(
        "# limits\n\nMEETDECK_RATE_LIMIT=8\nMEETDECK_MAIL_FROM='Nordlys <a@nordlys.example>'\nMEETDECK_HOLD_LIMIT=#9"
    )
    load_settings_file()
    assert os.environ["MEETDECK_HOLD_LIMIT"] == "#9"
    file.write_text("MEETDECK_MAIL_FROM='Nordlys <a@nordlys.example>'")
    load_settings_file()
    settings = read_settings()
    assert (settings.rate_limit, settings.mail_from) == (7, "Nordlys <a@nordlys.example>")
    assert "MEETDECK_HOLD_LIMIT" not in os.environ


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A=1\nPASSWORD hunter2", "line 2 of .* is not NAME=value"),
        ("A=hunter2 b", "line 1 of .* in single quotes"),
        ("A='hunter2", "line 1 of .*: No closing quotation"),
        ("export A=hunter2", "line 1 of "),
    ],
)
def test_a_line_that_is_none_is_named_without_its_text(file: Path, text: str, words: str) -> None:
    file.write_text(text)
    with pytest.raises(SetupError, match=words) as caught:
        load_settings_file()
    assert "hunter2" not in str(caught.value)
    assert "A" not in os.environ


def test_a_file_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_SETTINGS_FILE", "/no/such/file")
    with pytest.raises(SetupError, match="MEETDECK_SETTINGS_FILE: /no/such/file cannot be read"):
        load_settings_file()


def test_new_values_are_taken_and_named(file: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("jsons://one")
    file.write_text(f"MEETDECK_OUTGOING_ALLOW=crm.intranet\nMEETDECK_MESSAGES_URL_FILE={secret}")
    load_settings_file()
    settings = ReloadableSettings(read_settings())
    assert settings.secrets == {"messages_url": "jsons://one"}
    assert list_changes(settings) == [{"event": "settings are read anew", "changed": []}]
    secret.write_text("jsons://hunter2")
    file.write_text(f"MEETDECK_HOLD_LIMIT=9\nMEETDECK_MESSAGES_URL_FILE={secret}")
    names = ["MEETDECK_HOLD_LIMIT", "MEETDECK_OUTGOING_ALLOW", "MEETDECK_MESSAGES_URL"]
    assert list_changes(settings) == [{"event": "settings are read anew", "changed": names}]
    assert settings.secrets == {"messages_url": "jsons://hunter2"}
    assert read_settings(secrets=settings.secrets).hold_limit == 9
    settings.revert()
    assert settings.secrets == {"messages_url": "jsons://one"}
    assert read_settings(secrets=settings.secrets).outgoing_allow == ("crm.intranet",)


def test_wrong_ones_change_nothing(file: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("smtp://localhost")
    file.write_text(f"MEETDECK_HOLD_LIMIT=8\nMEETDECK_SMTP_URL_FILE={secret}")
    load_settings_file()
    settings = ReloadableSettings(read_settings())
    secret.unlink()
    file.write_text(f"MEETDECK_HOLD_LIMIT=9\nMEETDECK_SMTP_URL_FILE={secret}")
    (line,) = list_changes(settings)
    assert line["event"] == "new settings are wrong: the old ones stay"
    assert f"{secret} cannot be read" in line["error"]
    assert not settings.reload()
    assert settings.secrets == {"smtp_url": "smtp://localhost"}
    assert read_settings(secrets=settings.secrets).hold_limit == 8
    file.write_text("MEETDECK_HOLD_LIMIT=10")
    assert settings.reload()
    assert read_settings(secrets=settings.secrets).hold_limit == 10


def test_those_of_the_start_stay(file: Path) -> None:
    file.write_text("MEETDECK_WORKERS=2")
    load_settings_file()
    settings = ReloadableSettings(read_settings())
    file.write_text("MEETDECK_WORKERS=4\nMEETDECK_DATA_DIR=/elsewhere\nMEETDECK_HOLD_LIMIT=9")
    for _ in range(2):
        lines = list_changes(settings)
        assert lines[0]["settings"] == ["MEETDECK_WORKERS", "MEETDECK_DATA_DIR"]
        new = read_settings()
        assert (new.workers, new.data_dir, new.hold_limit) == (2, Path("var"), 9)
