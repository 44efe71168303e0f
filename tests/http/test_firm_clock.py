"""A firm's clock, moved by tests of the test environment (docs/api/test-clock.md)."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from standardwebhooks.webhooks import Webhook

from meetdeck.administration.firm_clock import service
from meetdeck.app import build_app
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.process.clock import now as real_now
from meetdeck.services import Services
from support.factories import BASE_URL, TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.meeting_documents import LATER, Firm, make_template
from support.meetings import ANNA, book
from support.receivers import open_receiver
from support.renderers import BlankPages
from support.webhooks import Webhooks
from support.working import work

pytestmark = pytest.mark.usefixtures("no_meetings")
CLOCK = "v3/test/clock"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FREJA = {"name": "Freja Nielsen", "email": "freja@example.com"}


@pytest.fixture
def renderer() -> BlankPages:
    return BlankPages()


@pytest.fixture
def own_settings() -> dict[str, object]:
    return {"outgoing_allow": "127.0.0.1", "content_lifetime_hours": 24}


@pytest.fixture(autouse=True)
def no_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nobody: this process is the only one."""
    monkeypatch.setattr(service, "LOOK_SECONDS", 0)


@pytest_asyncio.fixture
async def elevated(api: Api) -> Api:
    return await api.of(NORDLYS, elevated=True)


async def move(elevated: Api, **body: Any) -> dict[str, Any]:
    moved = await elevated.post(CLOCK, body)
    assert moved.status_code == 200, moved.text
    return moved.json()


def refusal(answer: httpx.Response) -> tuple[int, str, list[str]]:
    problem = answer.json()
    return answer.status_code, problem["code"], [one["pointer"] for one in problem.get("errors", [])]


async def list_subjects(api: Api) -> list[str]:
    return [
        mail["subject"] for mail in (await api.http.get("/dev/mailbox", headers={"Accept": "application/json"})).json()
    ]


async def test_a_hold_expires_when_its_firms_clock_is_moved_past_it_and_another_firms_does_not(
    api: Api, elevated: Api, services: Services, clock: HandClock
) -> None:
    other = await api.other()
    mine = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()
    theirs = (
        await other.reserve(TUESDAY_AT_TEN, employeeId=other.id_of("employee", other.firm.advisors[0].name))
    ).json()

    moved = await move(elevated, advance="00:06:00")

    assert (datetime.fromisoformat(moved["now"]), moved["offset"]) == (clock() + 6 * HOUR / 60, "00:06:00")
    await work(services, clock)
    shown = [
        (await one.get(f"v3/booking/time-slots/{slot['id']}")).json() for one, slot in ((api, mine), (other, theirs))
    ]
    assert [slot["status"] for slot in shown] == ["Expired", "Reserved"]
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 201
    events = (await elevated.get("v3/events", params={"limit": 1000})).json()["items"]
    (expired,) = [one for one in events if one["type"] == "reservation.expired"]
    assert datetime.fromisoformat(expired["time"]) == clock() + 5 * HOUR / 60
    foreign = (await (await other.of(other.firm, elevated=True)).get("v3/events", params={"limit": 1000})).json()[
        "items"
    ]
    assert "reservation.expired" not in {one["type"] for one in foreign}


async def test_a_reminder_is_sent_and_documents_are_made_when_their_time_comes(
    api: Api, elevated: Api, services: Services, clock: HandClock
) -> None:
    parts: Any = {"file": ("greeting.pptx", make_template("Dear {{customer.name}}")), "name": (None, "Greeting")}
    assert (await api.request("POST", "v3/present/templates", files=parts)).status_code == 201
    firm = Firm(api, services, clock)
    await firm.rule(hoursBefore=24)
    meeting_id = await firm.book(externalAttendees=[FREJA])
    await firm.work()
    await move(elevated, now=(LATER - 3 * DAY).isoformat())
    await firm.work()
    assert [subject for subject in await list_subjects(api) if subject.startswith(("Reminder", "Påmindelse"))]
    assert await firm.documents(meeting_id) != []

    await move(elevated, now=(LATER - DAY).isoformat())
    await firm.work()
    made = [datetime.fromisoformat(one["madeAt"]) for one in await firm.documents(meeting_id)]
    assert made
    assert set(made) == {LATER - DAY}


async def test_a_search_offers_what_is_left_at_the_firms_time_and_links_end_by_it(api: Api, elevated: Api) -> None:
    async def find_first(caller: Api) -> datetime:
        found = await caller.get("v3/booking/time-slots/available", params={"requireEmployeeParticipation": "false"})
        assert found.status_code == 200, found.text
        return min(datetime.fromisoformat(one["startDate"]) for one in found.json())

    other = await api.other()
    stored = await api.request("POST", "v3/present/contents", files={"file": ("notes.bin", b"some bytes")})
    link = stored.json()["downloadUrl"]
    before = await find_first(api), await find_first(other)
    now = datetime.fromisoformat((await move(elevated, advance="3.00:00:00"))["now"])
    assert before[0] < now <= await find_first(api)
    assert await find_first(other) == before[1]
    assert (await api.http.get(link)).status_code == 403
    await move(elevated, reset=True)
    assert await find_first(api) == before[0]
    assert (await api.http.get(link)).content == b"some bytes"


async def test_deliveries_are_signed_with_the_real_time_and_tell_the_firms(
    api: Api, services: Services, clock: HandClock
) -> None:
    clock.moment = real_now()
    webhooks = Webhooks(await api.of(NORDLYS, elevated=True), services, clock)
    await move(webhooks.api, advance="3.00:00:00")
    async with open_receiver() as receiver:
        webhook = await webhooks.create(receiver.url, eventTypes=["meeting.created"])
        begins = (clock() + 9 * DAY).replace(hour=9, minute=0, second=0, microsecond=0)
        await book(webhooks.api, startDate=begins.isoformat(), endDate=(begins + HOUR).isoformat())
        await work(services, clock)
    (request,) = receiver.received
    event = Webhook(webhook["secret"]).verify(request.body, request.headers)
    assert datetime.fromisoformat(event["time"]) >= clock() + 3 * DAY


async def test_what_cannot_be_done_is_refused_with_its_reason(api: Api, elevated: Api) -> None:
    assert (await api.post(CLOCK, {"advance": "01:00:00"})).status_code == 403
    for body in ({}, {"advance": "01:00:00", "reset": True}, {"reset": False}):
        assert refusal(await elevated.post(CLOCK, body)) == (400, "invalid_request", [""]), body
    assert refusal(await elevated.post(CLOCK, {"advance": "-01:00:00"})) == (400, "invalid_request", ["/advance"])
    assert refusal(await elevated.post(CLOCK, {"advance": "367.00:00:00"})) == (400, "invalid_request", ["/advance"])
    assert refusal(await elevated.post(CLOCK, {"now": "2200-01-01"})) == (400, "invalid_request", ["/now"])
    moved = await move(elevated, now="2026-03-05T09:00")
    assert moved["now"] == "2026-03-05T08:00:00Z"  # local times are the organization's
    back = await elevated.post(CLOCK, {"now": "2026-03-04T09:00:00Z"})
    assert refusal(back) == (409, "clock_moved_back", [])
    assert "2026-03-05T08:00:00Z" in back.json()["detail"]
    assert (await move(elevated, reset=True)) == {"now": "2026-03-02T06:00:00Z", "offset": "00:00:00"}
    for _ in range(2):  # a repeat with the same key moves it once
        moved = (await elevated.post(CLOCK, {"advance": "02:00:00"}, headers={"Idempotency-Key": "first"})).json()
        assert moved["offset"] == "02:00:00"
    assert (await move(elevated, advance="00:00:00"))["offset"] == "02:00:00"


@pytest.mark.thorough  # it makes the addresses of production, and their document
async def test_the_document_of_production_has_no_clock(services: Services) -> None:
    settings = services.settings.model_copy(update={"environment": "production"})
    transport = httpx.ASGITransport(app=build_app(replace(services, settings=settings)))  # pyright: ignore[reportArgumentType] - Litestar types ASGI more narrowly
    async with httpx.AsyncClient(transport=transport, base_url=BASE_URL) as http:
        paths = (await http.get("/api/v3/openapi.json")).json()["paths"]
    assert not [path for path in paths if "test/clock" in path]
    assert [path for path in paths if "administration/keys" in path]
