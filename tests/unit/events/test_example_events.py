"""The example event of each type, which `meetdeck webhooks trigger` sends."""

from datetime import UTC, datetime
from uuid import uuid4

import msgspec
import pytest

from meetdeck.events.listening.examples import make_example
from meetdeck.platform.values import read_json, write_json
from meetdeck.services import SENT_EVENTS

NOW = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize("event_type", sorted(SENT_EVENTS.texts))
def test_the_example_of_each_type_is_read_as_its_data(event_type: str) -> None:
    structs = SENT_EVENTS.data.get(event_type, ())
    event = make_example(event_type, structs[0] if structs else None, uuid4(), NOW)
    written = msgspec.json.decode(write_json(event))
    assert (written["type"], written["specversion"]) == (event_type, "1.0")
    if structs:
        assert read_json(write_json(event.data), structs[0]) is not None
