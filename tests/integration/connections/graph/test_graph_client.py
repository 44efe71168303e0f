"""Calls of Graph against its fake, over HTTP: tokens, pages, schedules, and each way to fail."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
import pytest

from graph_fake.faults import Fault
from meetdeck.connections.failures import ServiceFailed, ServiceProblem
from meetdeck.connections.graph.assertions import Credential, read_credential
from meetdeck.connections.graph.client import Account, GraphClient
from meetdeck.connections.graph.schedules import read_answer, write_request
from meetdeck.connections.icalendar import BusyTime, Kind
from meetdeck.connections.schedules import Schedule
from meetdeck.platform.outgoing import AllowedHosts, OutgoingClient
from support.graph import CLIENT, GROUP, SECRET, TENANT, Graph, at, make_event, make_key, serve_graph

_NOW: Final = datetime(2026, 11, 24, 8, tzinfo=UTC)
_DAY: Final = (datetime(2026, 11, 24, tzinfo=UTC), datetime(2026, 11, 25, tzinfo=UTC))


class Served:
    """The fake at an address, and clients of it."""

    def __init__(self, graph: Graph, address: str) -> None:
        self.graph = graph
        self.address = address
        self.outgoing = OutgoingClient(AllowedHosts([address.removeprefix("http://")]))

    def make_client(self, proof: Credential | str = SECRET) -> GraphClient:
        """Return a client that has no token yet."""
        return GraphClient(self.outgoing, Account(TENANT, CLIENT, proof, self.address, self.address))

    async def read(self, client: GraphClient, *mails: str, seconds: float = 30) -> dict[str, Schedule]:
        """Return what is told of mailboxes today."""
        body = await client.get_schedule(mails[0], write_request(mails, _DAY), _NOW, seconds)
        return dict(read_answer(body, _DAY))


@pytest.fixture
async def served() -> AsyncGenerator[Served]:
    graph = Graph()
    graph.world.clock.stop_at(_NOW)
    graph.plant_firm("anna@firm.test", "bo@firm.test")
    async with serve_graph(graph) as address:
        served = Served(graph, address)
        yield served
        await served.outgoing.close()


async def test_members_of_a_group_are_followed_page_by_page_with_one_token(served: Served) -> None:
    mails = [f"a{number}@firm.test" for number in range(1_200)]
    served.graph.plant(people=[{"mail": mail} for mail in mails], groups=[{"id": GROUP, "members": mails}])
    client = served.make_client()
    members = await client.list_members(GROUP, _NOW)
    assert sorted(member.email for member in members) == sorted(mails)
    assert [each.path for each in served.graph.world.asked] == [
        f"/v1.0/groups/{GROUP}/transitiveMembers/microsoft.graph.user"
    ] * 2


async def test_a_certificate_is_proved_with_its_key(served: Served) -> None:
    key, certificate = make_key(served.graph.world.clock)
    credential = read_credential(key + certificate)
    served.graph.plant_firm("anna@firm.test", secrets=[], certificates=[certificate])
    assert (await served.read(served.make_client(credential), "anna@firm.test")).keys() == {"anna@firm.test"}
    other, _ = make_key(served.graph.world.clock, "another")
    with pytest.raises(ValueError, match="does not belong"):
        read_credential(other + certificate)


async def test_busy_tentative_and_elsewhere_are_read_and_free_is_not(served: Served) -> None:
    calendars = [("busy", 9), ("tentative", 10), ("oof", 11), ("workingElsewhere", 12), ("free", 13)]
    events = [
        {"mail": "anna@firm.test", "event": make_event(f"{hour:02}:00", f"{hour:02}:30", showAs=status)}
        for status, hour in calendars
    ]
    served.graph.plant(events=events)
    schedules = await served.read(served.make_client(), "anna@firm.test", "Nobody@firm.test")
    assert [(time.starts_at.hour, time.kind) for time in schedules["anna@firm.test"].times] == [
        (9, Kind.BUSY),
        (10, Kind.BUSY),
        (11, Kind.BUSY),
        (12, Kind.ELSEWHERE),
    ]
    assert schedules["nobody@firm.test"] == Schedule([], "ErrorMailRecipientNotFound")


def test_tentative_times_are_free_where_the_firm_says_so() -> None:
    item = {"status": "tentative", "subject": "Secret", "start": at("09:00"), "end": at("10:00")}
    body = msgspec.json.encode({"value": [{"scheduleId": "A@firm.test", "scheduleItems": [item]}]})
    assert read_answer(body, _DAY, tentative_blocks=False)["a@firm.test"].times == []
    nine = datetime(2026, 11, 24, 9, tzinfo=UTC)
    assert read_answer(body, _DAY)["a@firm.test"].times == [BusyTime(nine, nine + timedelta(hours=1), Kind.BUSY)]


@pytest.mark.parametrize("body", [b"<html>", b"{}", b'{"value":[{"scheduleItems":[]}]}', b"\xff"])
def test_an_answer_in_another_form_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each library has its words
        read_answer(body, _DAY)


@pytest.mark.parametrize(
    ("fault", "problem", "retry_after"),
    [
        (Fault(status=429, retry_after=7), ServiceProblem.THROTTLED, timedelta(seconds=7)),
        (Fault(status=429), ServiceProblem.THROTTLED, None),
        (Fault(status=503, retry_after=9), ServiceProblem.THROTTLED, timedelta(seconds=9)),
        (Fault(status=503), ServiceProblem.UNREACHABLE, None),
        (Fault(kind="Lose", status=504), ServiceProblem.UNREACHABLE, None),
        (Fault(kind="Hang"), ServiceProblem.UNREACHABLE, None),
        (Fault(kind="Cut"), ServiceProblem.UNREACHABLE, None),
        (Fault(status=404), ServiceProblem.GONE, None),
        (Fault(status=400), ServiceProblem.UNEXPECTED, None),
    ],
)
async def test_a_failure_says_which_it_is(
    served: Served, fault: Fault, problem: ServiceProblem, retry_after: timedelta | None
) -> None:
    client = served.make_client()
    await served.read(client, "anna@firm.test")
    served.graph.world.faults.waiting = [fault]
    with pytest.raises(ServiceFailed) as failed:
        await served.read(client, "anna@firm.test", seconds=0.8)
    assert (failed.value.problem, failed.value.retry_after) == (problem, retry_after)


async def test_wrong_credentials_a_lacking_consent_and_a_closed_address_are_told_apart(served: Served) -> None:
    with pytest.raises(ServiceFailed, match=ServiceProblem.CREDENTIALS):
        await served.read(served.make_client("wrong"), "anna@firm.test")
    served.graph.plant_firm("anna@firm.test", permissions=())
    with pytest.raises(ServiceFailed, match=ServiceProblem.DENIED):
        await served.read(served.make_client(), "anna@firm.test")
    outgoing = OutgoingClient(AllowedHosts())
    account = Account(TENANT, CLIENT, SECRET, "http://127.0.0.1:9", "http://127.0.0.1:9")
    with pytest.raises(ServiceFailed, match=ServiceProblem.ADDRESS):
        await GraphClient(outgoing, account).get_schedule("anna@firm.test", b"{}", _NOW)
    await outgoing.close()


async def test_a_token_that_is_refused_early_is_asked_for_anew(served: Served) -> None:
    client = served.make_client()
    await served.read(client, "anna@firm.test")
    served.graph.world.clock.move(timedelta(hours=2))  # its clock is ahead
    assert (await served.read(client, "anna@firm.test"))["anna@firm.test"].problem is None


async def test_pages_elsewhere_are_not_followed(served: Served) -> None:
    client = served.make_client()

    async def answer(*_: object, **__: object) -> bytes:
        return b'{"value":[],"@odata.nextLink":"https://elsewhere.test/v1.0/groups"}'

    client.call = answer  # pyright: ignore[reportAttributeAccessIssue] - an answer that the fake does not give
    with pytest.raises(ServiceFailed, match="nextLink"):
        await client.list_members(GROUP, _NOW)
