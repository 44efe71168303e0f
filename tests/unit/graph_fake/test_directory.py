"""Groups in groups, pages, and which mailboxes an application may use."""

from datetime import timedelta

from support.graph import GROUP, Graph


async def test_members_of_groups_in_a_group_are_members_page_by_page(graph: Graph) -> None:
    mails = [f"advisor{number}@firm.test" for number in range(5)]
    graph.plant(
        people=[{"mail": mail} for mail in mails],
        groups=[
            {"id": "outer", "members": ["inner", *mails[:2]]},
            {"id": "inner", "members": ["outer", *mails[2:]]},  # a circle
        ],
    )
    page = await graph.get("/groups/outer/transitiveMembers", **{"$top": 2})
    found = list[str]()
    while True:
        found += [each["mail"] for each in page["value"] if each["@odata.type"] == "#microsoft.graph.user"]
        if "@odata.nextLink" not in page:
            break
        page = (await graph.http.get(page["@odata.nextLink"])).json()
    assert sorted(found) == mails
    direct = (await graph.get("/groups/outer/members"))["value"]
    assert [each["@odata.type"] for each in direct].count("#microsoft.graph.group") == 1


async def test_a_scope_opens_the_mailboxes_of_its_group_and_only_when_it_is_in_force(graph: Graph) -> None:
    graph.plant_firm(
        "anna@firm.test",
        permissions=(),
        scopedPermissions=["Calendars.ReadBasic"],
        scopeGroup=GROUP,
        inForceAt=graph.world.clock.now() + timedelta(hours=1),
    )
    await graph.sign_in()
    assert (await graph.request_schedule("anna@firm.test")).status_code == 403
    graph.world.clock.move(timedelta(hours=1, seconds=-5))
    await graph.sign_in()
    graph.world.clock.move(timedelta(seconds=5))
    assert (await graph.request_schedule("anna@firm.test")).status_code == 200
    assert (await graph.request_schedule("bo@firm.test")).status_code == 403  # no member
    assert (await graph.http.post("/v1.0/users/anna@firm.test/events", json={})).status_code == 403  # read only


async def test_consent_for_every_mailbox_makes_the_scope_void(graph: Graph) -> None:
    graph.plant(people=[{"mail": "outsider@firm.test"}])
    assert (await graph.request_schedule("outsider@firm.test")).status_code == 200


async def test_a_mailbox_on_premises_has_no_calendar_here(graph: Graph) -> None:
    graph.plant(people=[{"mail": "anna@firm.test", "mailbox": "OnPremises"}])
    answer = await graph.request_schedule("anna@firm.test")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "MailboxNotEnabledForRESTAPI")


async def test_rooms_are_listed(graph: Graph) -> None:
    graph.plant(people=[{"mail": "room@firm.test", "kind": "room"}])
    rooms = (await graph.get("/places/microsoft.graph.room"))["value"]
    assert [each["emailAddress"] for each in rooms] == ["room@firm.test"]


async def test_members_of_one_kind_need_two_things_more_and_what_may_not_be_read_is_null(graph: Graph) -> None:
    graph.plant_firm("anna@firm.test", permissions=("GroupMember.Read.All", "User.ReadBasic.All"))
    await graph.sign_in()
    path = f"/groups/{GROUP}/transitiveMembers/microsoft.graph.user"
    refused = await graph.http.get(f"/v1.0{path}")
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "Request_UnsupportedQuery")
    graph.http.headers["ConsistencyLevel"] = "eventual"
    [anna] = (await graph.get(path, **{"$count": "true"}))["value"]
    assert (anna["mail"], anna["accountEnabled"]) == ("anna@firm.test", None)
    graph.plant_firm("anna@firm.test", permissions=("GroupMember.Read.All",))
    await graph.sign_in()
    [anna] = (await graph.get(path, **{"$count": "true"}))["value"]
    assert (anna["mail"], anna["userPrincipalName"]) == (None, None)
