"""The events that webhooks receive, with the schemas of their data and an example of each type's."""

from collections.abc import Mapping
from typing import Any, Final

from meetdeck.booking.directory.employees.schemas import Employee
from meetdeck.booking.scheduling import controllers as scheduling
from meetdeck.connections import controllers as connections
from meetdeck.events import controllers as events
from meetdeck.platform.changes import EventType
from meetdeck.platform.http.openapi import SentEvents, read_answers
from meetdeck.platform.values import Version
from meetdeck.present import controllers as present

SENT_EVENTS: Final = events.list_sent(scheduling.EVENT_DATA, present.EVENT_DATA, connections.EVENT_DATA)


def _record_examples(sent: SentEvents) -> Mapping[str, Mapping[str, Any]]:
    """Return the data of an example of each type, as the product answered it; `webhook.test` has none."""
    answers = read_answers()[Version.V3]
    structs = {name: found[0] for name, found in sent.data.items()} | {EventType.CONFIGURATION_CHANGED.value: Employee}
    return {name: answers[struct.__name__] for name, struct in structs.items() if struct.__name__ in answers}


EXAMPLES: Final = _record_examples(SENT_EVENTS)
"""The data by type. A change of the configuration has any resource's; the example is an employee."""
