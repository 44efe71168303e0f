"""Events: once for a transactionId, versions, attendees, Teams meetings, files."""

from datetime import timedelta
from typing import Any

import pytest

from support.graph import Graph, at, invite

_EVENTS = "/v1.0/users/anna@firm.test/events"


async def test_a_repeated_event_is_made_once_until_it_is_gone(graph: Graph) -> None:
    first = await graph.create("anna@firm.test", transactionId="m1-1")
    again = await graph.create("anna@firm.test", transactionId="m1-1")
    other = await graph.create("anna@firm.test", transactionId="m1-2")
    assert (first["id"] == again["id"], first["id"] == other["id"]) == (True, False)
    await graph.http.delete(f"{_EVENTS}/{first['id']}")
    assert (await graph.create("anna@firm.test", transactionId="m1-1"))["id"] != first["id"]


async def test_a_change_of_another_version_is_refused(graph: Graph) -> None:
    event = await graph.create("anna@firm.test")
    at_ten = {"start": at("10:00"), "end": at("11:00")}
    etag = {"If-Match": event["@odata.etag"]}
    assert (await graph.http.patch(f"{_EVENTS}/{event['id']}", json=at_ten, headers=etag)).status_code == 200
    late = await graph.http.patch(f"{_EVENTS}/{event['id']}", json=at_ten, headers=etag)
    assert late.status_code == 412
    assert (await graph.http.delete(f"{_EVENTS}/{event['id']}", headers=etag)).status_code == 412
    assert await graph.list_times("anna@firm.test") == [("busy", "10:00")]


async def test_attendees_have_the_event_too_and_its_answers_reach_the_organizer(graph: Graph) -> None:
    event = await graph.create("anna@firm.test", attendees=invite("bo@firm.test", "customer@elsewhere.test"))
    assert await graph.list_times("bo@firm.test") == [("tentative", "09:00")]
    [copy] = (await graph.get("/users/bo@firm.test/events"))["value"]
    assert (copy["iCalUId"], copy["isOrganizer"]) == (event["iCalUId"], False)
    await graph.http.post(f"/v1.0/users/bo@firm.test/events/{copy['id']}/accept", json={})
    assert await graph.list_times("bo@firm.test") == [("busy", "09:00")]
    own = await graph.get(f"/users/anna@firm.test/events/{event['id']}")
    assert [each["status"]["response"] for each in own["attendees"]] == ["accepted", "none"]


async def test_a_cancelled_event_is_gone_and_free_for_its_attendees(graph: Graph) -> None:
    event = await graph.create("anna@firm.test", attendees=invite("bo@firm.test"))
    assert (await graph.http.post(f"{_EVENTS}/{event['id']}/cancel", json={})).status_code == 202
    assert await graph.list_times("anna@firm.test") == []
    assert await graph.list_times("bo@firm.test") == [("free", "09:00")]
    assert (await graph.http.get(f"{_EVENTS}/{event['id']}")).status_code == 404


async def test_a_room_takes_one_event_at_a_time(graph: Graph) -> None:
    graph.plant(people=[{"mail": "room@firm.test", "kind": "room"}])
    await graph.create("anna@firm.test", attendees=invite("room@firm.test"))
    second = await graph.create("bo@firm.test", attendees=invite("room@firm.test"))
    assert await graph.list_times("room@firm.test") == [("busy", "09:00"), ("free", "09:00")]
    own = await graph.get(f"/users/bo@firm.test/events/{second['id']}")
    assert own["attendees"][0]["status"]["response"] == "declined"


async def test_a_changed_body_ends_the_teams_meeting_and_a_changed_time_does_not(graph: Graph) -> None:
    event = await graph.create("anna@firm.test", isOnlineMeeting=True, onlineMeetingProvider="teamsForBusiness")
    assert event["onlineMeeting"]["joinUrl"].startswith("https://teams.microsoft.com/")
    moved = await graph.http.patch(f"{_EVENTS}/{event['id']}", json={"start": at("09:30")})
    assert moved.json()["onlineMeeting"] == event["onlineMeeting"]
    rewritten = await graph.http.patch(f"{_EVENTS}/{event['id']}", json={"body": {"content": "Another text"}})
    assert (rewritten.json()["isOnlineMeeting"], rewritten.json()["onlineMeeting"]) == (False, None)


async def test_a_join_link_may_come_later(graph: Graph) -> None:
    graph.plant(joinLinkAfterSeconds=30)
    event = await graph.create("anna@firm.test", isOnlineMeeting=True)
    assert event["onlineMeeting"] is None
    graph.world.clock.move(timedelta(seconds=30))
    assert (await graph.get(f"/users/anna@firm.test/events/{event['id']}"))["onlineMeeting"]["joinUrl"]


async def test_files_are_attached_up_to_three_megabytes(graph: Graph) -> None:
    event = await graph.create("anna@firm.test")
    file: dict[str, Any] = {
        "@odata.type": "#microsoft.graph.fileAttachment",
        "name": "deck.pdf",
        "contentBytes": "AAAA",
    }
    added = await graph.http.post(f"{_EVENTS}/{event['id']}/attachments", json=file)
    assert (added.status_code, added.json()["size"]) == (201, 3)
    large = await graph.http.post(f"{_EVENTS}/{event['id']}/attachments", json=file | {"contentBytes": "A" * 4_000_004})
    assert large.status_code == 413
    await graph.http.delete(f"{_EVENTS}/{event['id']}/attachments/{added.json()['id']}")
    assert (await graph.get(f"/users/anna@firm.test/events/{event['id']}/attachments"))["value"] == []


async def test_a_view_has_the_events_of_its_window_page_by_page(graph: Graph) -> None:
    for hour in range(9, 13):
        await graph.create("anna@firm.test", start=f"{hour:02}:00", end=f"{hour:02}:30")
    window = {"startDateTime": "2026-11-24T10:00:00Z", "endDateTime": "2026-11-24T13:00:00+00:00", "$top": 2}
    page = await graph.get("/users/anna@firm.test/calendarView", **window)
    rest = (await graph.http.get(page["@odata.nextLink"])).json()
    starts = [each["start"]["dateTime"][11:16] for each in page["value"] + rest["value"]]
    assert starts == ["10:00", "11:00", "12:00"]
    assert "@odata.nextLink" not in rest


@pytest.mark.parametrize("members", [{"start": at("11:00")}, {"start": None}, {"colour": "red"}, {"showAs": "away"}])
async def test_an_impossible_event_is_refused(graph: Graph, members: dict[str, Any]) -> None:
    answer = await graph.http.post(_EVENTS, json={"start": at("09:00"), "end": at("10:00")} | members)
    assert answer.status_code == 400
