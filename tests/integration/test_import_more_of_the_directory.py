"""Members of employees, topics and rooms that only v3 has are imported, too; bad values are named."""

import json
from typing import Any
from uuid import uuid4

import pytest

from support.importing import ImportingFirm, counts_of

EMPLOYEE = {"initials": "ZZ", "externalId": "E-7", "firstName": "Zoe", "lastName": "Zahle"}
ROOM = {"email": "zenit@x.dk", "canBeBooked": False}
TOPIC = {"uniqueTopicId": "T-7", "order": -3, "preparationTime": "00:10:00", "followUpTime": "00:20:00"}

FILES = [
    pytest.param(
        {
            "employees.csv": "name;email;initials;external id;First name;Efternavn\n"
            "Zoe Zahle;zz@x.dk;ZZ;E-7;Zoe;Zahle\n",
            "rooms.csv": "Navn;Kapacitet;E-mail;Kan bookes\nZenit;4;zenit@x.dk;nej\n",
            "topics.csv": "Navn;Unikt emne-id;Overemne;Rækkefølge;Forberedelsestid;Efterbehandlingstid\n"
            "Zero debt;T-7;Zones;-3;00:10:00;00:20:00\nZones;;;;;\n",
        },
        id="csv",
    ),
    pytest.param(
        {
            "firm.json": json.dumps(
                {
                    "employees": [{"name": "Zoe Zahle", "email": "zz@x.dk"} | EMPLOYEE],
                    "rooms": [{"name": "Zenit", "capacity": 4} | ROOM],
                    "topics": [{"name": "Zero debt", "parentId": "Zones"} | TOPIC, {"name": "Zones", "parentId": None}],
                }
            )
        },
        id="json",
    ),
]


async def find(firm: ImportingFirm, kind: str, name: str, members: dict[str, Any]) -> dict[str, Any]:
    found = await firm.find(kind, name)
    return {member: found[member] for member in members}


@pytest.mark.parametrize("files", FILES)
async def test_they_come_in_both_forms_and_again_without_a_change(firm: ImportingFirm, files: dict[str, str]) -> None:
    assert counts_of(await firm.add(files)) == {"topics": (2, 0, 0), "rooms": (1, 0, 0), "employees": (1, 0, 0)}
    assert await find(firm, "employees", "Zoe Zahle", EMPLOYEE) == EMPLOYEE
    assert await find(firm, "rooms", "Zenit", ROOM) == ROOM
    above = TOPIC | {"parentId": (await firm.find("meetingTopics", "Zones"))["id"]}
    assert await find(firm, "meetingTopics", "Zero debt", above) == above
    assert counts_of(await firm.add(files)) == {"topics": (0, 0, 2), "rooms": (0, 0, 1), "employees": (0, 0, 1)}


async def test_a_file_of_v2s_members_keeps_them_and_an_empty_cell_takes_them_away(firm: ImportingFirm) -> None:
    await firm.add(FILES[0].values[0])  # pyright: ignore[reportArgumentType] - a ParameterSet holds objects
    await firm.add({"employees.csv": "email,title\nzz@x.dk,Advisor\n", "rooms.csv": "name,capacity\nZenit,5\n"})
    assert await find(firm, "employees", "Zoe Zahle", EMPLOYEE) == EMPLOYEE
    assert await find(firm, "rooms", "Zenit", ROOM) == ROOM
    await firm.add(
        {
            "employees.csv": "email,initials,externalId,firstName,lastName\nzz@x.dk,,,,\n",
            "rooms.csv": "name,email,canBeBooked\nZenit,,\n",
            "topics.csv": "name,uniqueTopicId,parent,order,followUpTime\nZero debt,,,,\n",
        }
    )
    assert set((await find(firm, "employees", "Zoe Zahle", EMPLOYEE)).values()) == {""}
    assert await find(firm, "rooms", "Zenit", ROOM) == {"email": "", "canBeBooked": True}
    without = {"uniqueTopicId": "", "order": 0, "parentId": None, "followUpTime": "00:00:00"}
    assert await find(firm, "meetingTopics", "Zero debt", without) == without


async def test_bad_values_are_named_by_file_line_and_column(firm: ImportingFirm) -> None:
    long = "x" * 501
    assert await firm.list_problems(
        {
            "employees.csv": f"name,email,initials\nA,a@x.dk,{long}\n",
            "rooms.csv": "name,capacity,email,canBeBooked\nA,1,no address,perhaps\n",
            "topics.csv": "name,order,parent,uniqueTopicId\nA,first,Nothing like it,T-1\nB,3000000000,,T-1\nC,,C,\n",
        }
    ) == [
        "topics.csv:2: order: 'first' is not a whole number.",
        "topics.csv:2: parentId: There is no topic 'Nothing like it'.",
        "topics.csv:3: order: Must be at most 2147483647.",
        "rooms.csv:2: canBeBooked: 'perhaps' is neither true nor false.",
        "rooms.csv:2: email: Write an e-mail address like anna@example.com.",
        "employees.csv:2: initials: Must have at most 200 characters.",
    ]
    wrong = [{"name": "A", "initials": 7}, {"name": "B", "email": "b@x.dk", "externalId": ["E"], "lastName": None}]
    assert await firm.list_problems({"employees.json": json.dumps(wrong)}) == [
        (
            "employees.json:1: employees[0].email: Give an e-mail address or an id, so that the next import "
            "recognizes the employee."
        ),
        "employees.json:1: employees[1].externalId: Write a text.",
        "employees.json:1: employees[1].lastName: Write a text.",
    ]


async def test_topics_stand_above_each_other_whatever_the_order_of_rows(firm: ImportingFirm) -> None:
    rows = [f"Level {number},Level {number - 1}" for number in range(1, 6)]
    await firm.add({"topics.csv": "name,parent\n" + "\n".join([*reversed(rows), "Level 0,", ""])})
    below = await firm.find("meetingTopics", "Level 5")
    for number in range(4, -1, -1):
        above = await firm.find("meetingTopics", f"Level {number}")
        assert below["parentId"] == above["id"]
        below = above
    assert await firm.list_problems({"topics.csv": "name,parent\nLevel 0,Level 5\n"}) == [
        "topics.csv:2: parentId: It would be below itself."
    ]
    assert await firm.list_problems({"topics.csv": "name,parent\nMyself,Myself\n"}) == [
        "topics.csv:2: parentId: It would be below itself."
    ]


async def test_an_id_of_another_system_is_one_topics_and_may_change_hands(firm: ImportingFirm) -> None:
    await firm.add({"topics.csv": "name,uniqueTopicId\nA,T-1\nB,T-2\n"})
    await firm.add({"topics.csv": "name,uniqueTopicId\nA,T-2\nB,T-1\n"})
    assert (await firm.find("meetingTopics", "A"))["uniqueTopicId"] == "T-2"
    await firm.add({"topics.csv": "name,uniqueTopicId\nC,T-2\nA,T-3\n"})
    assert (await firm.find("meetingTopics", "C"))["uniqueTopicId"] == "T-2"
    said = ["topics.csv:2: uniqueTopicId: Another topic has it."]
    assert await firm.list_problems({"topics.csv": "name,uniqueTopicId\nD,T-1\n"}) == said
    both = [*said, "topics.csv:3: uniqueTopicId: Another topic has it."]
    assert await firm.list_problems({"topics.csv": "name,uniqueTopicId\nD,T-9\nE,T-9\n"}) == both
    assert await firm.list_problems({"topics.csv": "name,uniqueTopicId\nAnnual review,T-1\n"}) == said


async def test_more_topics_than_are_read_at_once_name_each_other(firm: ImportingFirm) -> None:
    number = 2_500
    rows = "".join(
        f"Topic {each},{f'Topic {each + 1}' if each + 1 < number else ''},T-{each}\n" for each in range(number)
    )
    header = "name,parent,uniqueTopicId\n"
    assert counts_of(await firm.add({"topics.csv": header + rows})) == {"topics": (number, 0, 0)}
    assert counts_of(await firm.add({"topics.csv": header + rows})) == {"topics": (0, 0, number)}
    turned = "".join(f"Topic {each},,T-{number - 1 - each}\n" for each in range(number))
    assert counts_of(await firm.add({"topics.csv": header + turned})) == {"topics": (0, number, 0)}
    fresh = "".join(f"{uuid4()},T-{each % 2_200 + 10_000}\n" for each in range(2_300))
    assert len(await firm.list_problems({"topics.csv": "name,uniqueTopicId\n" + fresh})) == 200


async def test_topics_name_groups_of_the_same_files_and_of_the_firm_and_one_twice(firm: ImportingFirm) -> None:
    groups = "name,serviceTrigger.topics\nMortgage,First home\nPension,\n"
    topics = "name,alsoServiceGroups\nFirst home,Mortgage|Pension|Mortgage\n"
    outcome = await firm.add({"topics.csv": topics, "service-groups.csv": groups})
    assert counts_of(outcome) == {"topics": (1, 0, 0), "service-groups": (2, 0, 0)}
    ids = {name: (await firm.find("serviceGroups", name))["id"] for name in ("Mortgage", "Pension")}
    also = [ids["Mortgage"], ids["Pension"], ids["Mortgage"]]
    assert (await firm.find("meetingTopics", "First home"))["alsoServiceGroups"] == also
    assert counts_of(await firm.add({"topics.csv": topics})) == {"topics": (0, 0, 1)}
    await firm.add({"topics.csv": "name,alsoServiceGroups\nFirst home,pension\n"})
    assert (await firm.find("meetingTopics", "First home"))["alsoServiceGroups"] == also[1:2]
    await firm.add({"topics.csv": "name,alsoServiceGroups\nFirst home,\n"})
    assert (await firm.find("meetingTopics", "First home"))["alsoServiceGroups"] == []
    problems = await firm.list_problems({"topics.csv": "name,alsoServiceGroups\nFirst home,Mortgages\n"})
    assert len(problems) == 1
    assert "did you mean 'Mortgage'" in problems[0]


async def test_topics_have_seats_and_a_minimum_that_is_no_more(firm: ImportingFirm) -> None:
    header = "Navn;Kunder på samme tid;Mindste antal kunder\n"
    assert counts_of(await firm.add({"topics.csv": header + "First home;12;3\n"})) == {"topics": (1, 0, 0)}
    topic = await firm.find("meetingTopics", "First home")
    assert (topic["seats"], topic["minimumSeats"]) == (12, 3)
    assert counts_of(await firm.add({"topics.csv": "name,seats\nFirst home,3\n"})) == {"topics": (0, 1, 0)}
    assert await firm.list_problems({"topics.csv": "name,seats\nFirst home,2\n"}) == [
        "topics.csv:2: minimumSeats: At most the topic's seats: 2."
    ]
