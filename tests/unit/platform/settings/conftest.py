import pytest

from support.production import PRODUCTION


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] - autouse
    monkeypatch.setenv("MEETDECK_PORT", "8080")
    for name in [*PRODUCTION, "MEETDECK_HOST", "MEETDECK_DATA_DIR"]:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def _production(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] - used by name
    for name, value in PRODUCTION.items():
        monkeypatch.setenv(name, value)
