"""Competence groups as a tree, and the order of advisors, at the console."""

from typing import Any

import httpx
from lxml import html

from support.console import SIGNE, Browser
from support.factories import Api

GROUPS = "v3/booking/config/competence-groups"
ORGANIZATION = "v3/booking/config/organization-settings"


async def make(api: Api, name: str, *above: str, **members: Any) -> str:
    """Make a competence group below others; return its id."""
    elevated = await api.of(api.firm, elevated=True)
    made = await elevated.post(GROUPS, {"name": name, "parentGroupIds": [*above], **members})
    return made.raise_for_status().json()["id"]


def list_nodes(page: httpx.Response) -> list[str]:
    """Return the groups of a page that are not below another of it."""
    return html.fromstring(page.text).xpath("//ul[@class='branch'][not(ancestor::ul)]/li/div/a[1]/text()")


def read_form(page: httpx.Response) -> dict[str, list[str]]:
    """Return what the form sends when nothing is typed."""
    form = next(one for one in html.fromstring(page.text).forms if one.get("class", "").endswith("form-fields"))
    sent: dict[str, list[str]] = {}
    for name, value in form.form_values():
        sent.setdefault(name, []).append(value.removeprefix("\n"))
    return sent


async def test_groups_are_a_tree_whose_branches_are_read_when_they_are_opened(api: Api) -> None:
    anna = str(api.firm.id_of("employee", "Anna Holm"))
    top = await make(api, "A top group")
    middle = await make(api, "A middle group", top, employeeIds=[anna])
    await make(api, "A deep group", middle)
    browser = await Browser.open(api, SIGNE)
    whole = await browser.get("/settings/competence-groups")
    assert "A top group" in list_nodes(whole)
    assert "A middle group" not in whole.text
    branch = await browser.http.get(f"/console/settings/competence-groups?below={top}", headers={"HX-Request": "true"})
    assert "<html" not in branch.text
    assert list_nodes(branch) == ["A middle group"]
    assert "1 employee" in branch.text
    page = await browser.get(f"/settings/competence-groups?below={middle}")
    assert list_nodes(page) == ["A deep group"]
    way = html.fromstring(page.text).xpath("//nav[@class='way']")[0].text_content()
    assert " ".join(way.split()) == "Competence groups › A top group › A middle group"  # noqa: RUF001 - an arrow


async def test_a_very_wide_branch_shows_fifty_and_leads_to_the_others(api: Api) -> None:
    top = await make(api, "A top group")
    for number in range(52):
        await make(api, f"Group {number:02}", top)
    browser = await Browser.open(api, SIGNE)
    path = f"/settings/competence-groups?below={top}"
    branch = await browser.http.get(f"/console{path}", headers={"HX-Request": "true"})
    assert len(list_nodes(branch)) == 50
    assert "And 2 more." in branch.text
    assert len((await browser.get(f"/settings/competence-groups/{top}")).content) < 40_000
    assert list_nodes(await browser.get(f"{path}&page=2")) == ["Group 50", "Group 51"]


async def test_searching_shows_each_group_with_the_way_to_it(api: Api) -> None:
    top = await make(api, "A top group")
    await make(api, "A deep group", await make(api, "A middle group", top))
    found = await (await Browser.open(api, SIGNE)).get("/settings/competence-groups?q=deep")
    (row,) = html.fromstring(found.text).xpath("//tbody/tr/th")
    assert " ".join(" ".join(row.itertext()).split()) == "A deep group A top group › A middle group"  # noqa: RUF001


async def test_a_group_is_added_below_another(api: Api) -> None:
    top = await make(api, "A top group")
    browser = await Browser.open(api, SIGNE)
    form = read_form(await browser.get(f"/settings/competence-groups/new?parentGroupIds={top}"))
    assert form["parentGroupIds"] == [top]
    await browser.post("/settings/competence-groups/new", form | {"name": ["A new one"]})
    branch = await browser.get(f"/settings/competence-groups?below={top}")
    assert list_nodes(branch) == ["A new one"]


async def test_the_order_of_advisors_is_set_level_by_level(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    path = "/settings/organization"
    form = read_form(await browser.get(path))
    assert [form[f"advisorPriority:{row}:kind"] for row in range(3)] == [["Explicit"], ["Local"], ["ServiceGroup"]]
    moved = await browser.post(path, form | {"row": ["advisorPriority:2:up"]})
    form = read_form(moved)
    assert [form[f"advisorPriority:{row}:kind"] for row in range(3)] == [["Explicit"], ["ServiceGroup"], ["Local"]]
    assert (await api.get(ORGANIZATION)).json()["advisorPriority"][1]["kind"] == "Local"
    form["advisorPriority:1:description"] = ["Whoever the group offers"]
    assert (await browser.post(path, form)).status_code == 200
    assert (await api.get(ORGANIZATION)).json()["advisorPriority"] == [
        {"kind": "Explicit", "label": None, "description": ""},
        {"kind": "ServiceGroup", "label": None, "description": "Whoever the group offers"},
        {"kind": "Local", "label": None, "description": ""},
    ]
    wrong = read_form(await browser.get(path)) | {"advisorPriority:0:label": ["Experts"]}
    refused = await browser.post(path, wrong)
    assert refused.status_code == 422
    assert html.fromstring(refused.text).xpath("//*[@id='advisorPriority:0:label-error']")


async def test_a_service_group_serves_in_some_ways_and_places_or_in_all(api: Api) -> None:
    group = (await api.get("v3/booking/config/service-groups")).json()[0]
    browser = await Browser.open(api, SIGNE)
    path = f"/settings/service-groups/{group['id']}"
    form = read_form(await browser.get(path))
    await browser.post(path, form | {"serviceLevel.meetingTypes": ["Online", "Physical"]})
    level = (await api.get(f"v3/booking/config/service-groups/{group['id']}")).json()["serviceLevel"]
    assert (level["meetingTypes"], level["locations"]) == (["Online", "Physical"], None)
    form = read_form(await browser.get(path))
    del form["serviceLevel.meetingTypes"]
    await browser.post(path, form)
    after = (await api.get(f"v3/booking/config/service-groups/{group['id']}")).json()["serviceLevel"]
    assert after["meetingTypes"] is None


async def test_a_level_suggests_the_labels_of_service_groups_and_an_unknown_one_is_refused(api: Api) -> None:
    elevated = await api.of(api.firm, elevated=True)
    made = await elevated.post("v3/booking/config/service-groups", {"name": "Private", "labels": ["Wealth"]})
    made.raise_for_status()
    await make(api, "Not a service group", labels=["Boats"])
    browser = await Browser.open(api, SIGNE)
    path = "/settings/organization"
    page = await browser.get(path)
    suggested = html.fromstring(page.text).xpath("//datalist[@id='advisorPriority:2:label-choices']/option/@value")
    assert "Wealth" in suggested
    assert "Boats" not in suggested
    form = read_form(page)
    refused = await browser.post(path, form | {"advisorPriority:2:label": ["Boats"]})
    assert refused.status_code == 422
    assert html.fromstring(refused.text).xpath("//*[@id='advisorPriority:2:label-error']")
    assert (await browser.post(path, form | {"advisorPriority:2:label": ["Wealth"]})).status_code == 200
    assert (await api.get(ORGANIZATION)).json()["advisorPriority"][2]["label"] == "Wealth"


async def test_a_group_leads_to_its_members_and_the_groups_below_it(api: Api) -> None:
    anna = str(api.firm.id_of("employee", "Anna Holm"))
    top = await make(api, "A top group", employeeIds=[anna])
    await make(api, "A deep group", top)
    browser = await Browser.open(api, SIGNE)
    page = html.fromstring((await browser.get(f"/settings/competence-groups/{top}")).text)
    links = page.xpath("//section[@aria-labelledby='members']//a")
    assert [one.text_content() for one in links] == ["Anna Holm", "1 group below it"]
    assert [one.get("href").partition("/settings/")[2] for one in links] == [
        f"employees/{anna}",
        f"competence-groups?below={top}",
    ]
    empty = await browser.get(f"/settings/competence-groups/{await make(api, 'An empty group')}")
    assert "Nobody yet" in empty.text


async def test_a_group_is_not_offered_above_or_below_itself(api: Api) -> None:
    top = await make(api, "A top group")
    other = await make(api, "Another group")
    page = html.fromstring((await (await Browser.open(api, SIGNE)).get(f"/settings/competence-groups/{top}")).text)
    for name in ("parentGroupIds", "childGroupIds"):
        offered = page.xpath(f"//input[@name='{name}']/@value")
        assert other in offered
        assert top not in offered
