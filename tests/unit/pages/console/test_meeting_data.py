"""The data that a deck gets from its meeting (docs/documents.md#the-data)."""

from zoneinfo import ZoneInfo

from meetdeck.pages.console.decks.data_forms import Node
from meetdeck.pages.console.decks.meeting_data import fill_in, make_facts

MEETING = {
    "employeeId": "1",
    "customerId": "C-1",
    "topicId": None,
    "roomId": None,
    "title": "First home",
    "startDate": "2026-03-03T09:00:00Z",
    "endDate": "2026-03-03T10:00:00Z",
}
PEOPLE = [{"id": "1", "name": "Anna Holm", "title": "Advisor"}, {"id": "2", "name": "Bo Lind", "title": "Mortgage"}]


def test_a_list_of_advisors_gets_everybody_and_one_advisor_the_meetings_own() -> None:
    facts = make_facts(MEETING, PEOPLE, ZoneInfo("Europe/Copenhagen"), topic="", room="", way="Online")
    person = (Node("name", "text"), Node("title", "text"))
    nodes = [Node("advisors", "list", "", person), Node("advisorName", "text"), Node("Advisors", "text")]
    assert fill_in(nodes, facts) == {
        "advisors": [{"name": one["name"], "title": one["title"]} for one in PEOPLE],
        "advisorName": "Anna Holm",
    }
