"""Decisions at the start by options and settings."""

import pytest

from meetdeck.serving import may_call_loopback


@pytest.mark.parametrize(
    ("demo_data", "setting", "is_called"),
    [(True, None, True), (True, "", False), (True, "crm.intranet", False), (False, None, False)],
)
def test_this_machine_is_called_beside_demo_data_where_no_setting_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, *, demo_data: bool, setting: str | None, is_called: bool
) -> None:
    monkeypatch.delenv("MEETDECK_OUTGOING_ALLOW", raising=False)
    if setting is not None:
        monkeypatch.setenv("MEETDECK_OUTGOING_ALLOW", setting)
    assert may_call_loopback(demo_data=demo_data) is is_called
