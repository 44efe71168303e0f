"""Topics whose meetings a specialist comes along to, on a portal: the times, the hold, and who the customer meets."""

from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.fakes import HandClock
from support.portal_forms import FormVisitor, list_meetings, reach_check

pytestmark = pytest.mark.usefixtures("no_meetings", "topic")

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
NAMES = {str(NORDLYS.id_of("employee", one.name)): one.name for one in NORDLYS.advisors}
TOPICS = "v3/booking/config/meeting-topics"


@pytest.fixture(name="topic")
async def _topic(api: Api) -> str:
    """Make a topic to whose meetings David, the only one of Mortgage, comes along."""
    body: dict[str, Any] = {"name": "Mortgage", "employeeIds": [DAVID]}
    group = (await api.post("v3/booking/config/service-groups", body)).json()["id"]
    answer = await api.post(TOPICS, {"name": "First home", "alsoServiceGroups": [group]})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def reach_times(visitor: FormVisitor) -> None:
    await visitor.open()
    await visitor.follow("First home")
    await visitor.follow("Online")


async def test_a_customer_reads_who_they_meet_and_all_are_booked(
    api: Api, visitor: FormVisitor, topic: str, clock: HandClock
) -> None:
    await reach_times(visitor)
    assert NAMES[DAVID] not in {each.get("aria-label").rpartition("with ")[2] for each in visitor.times}
    await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
    page = visitor.text
    assert "You meet" in page
    assert f"{NAMES[DAVID]} (Mortgage)" in page
    assert f"{NAMES[DAVID]} · Mortgage" in page
    await visitor.press("Book")
    assert visitor.heading == "Your meeting is booked"
    (meeting,) = await list_meetings(api)
    assert (meeting["topicId"], meeting["additionalEmployees"]) == (topic, [DAVID])
    assert f"{NAMES[meeting['employeeId']]} (advisor), {NAMES[DAVID]} (Mortgage)" in visitor.text


async def test_times_at_which_nobody_can_come_along_are_not_shown(api: Api, visitor: FormVisitor) -> None:
    await reach_times(visitor)
    before = len(visitor.times)
    begin, end = "2026-03-02T00:00:00Z", "2026-03-20T00:00:00Z"
    busy = {"employeeId": DAVID, "startDate": begin, "endDate": end, "status": "Busy"}
    assert (await api.post("v3/booking/time-slots", busy)).status_code == 201
    await reach_times(visitor)
    assert before
    assert visitor.times == []
