"""Labels at the console, and what carries them in v3."""

import httpx
from lxml import html

from support.console import EVA, SIGNE, Browser, read_heading
from support.factories import Api

LABELS = "v3/booking/config/labels"
GROUPS = "v3/booking/config/competence-groups"


async def register(api: Api, name: str) -> str:
    """Register a label; return its id."""
    made = await (await api.of(api.firm, elevated=True)).post(LABELS, {"labelName": name, "color": "#2B7A4B"})
    return made.raise_for_status().json()["id"]


async def carry(api: Api, name: str, *labels: str) -> str:
    """Make a competence group with labels; return its id."""
    made = await (await api.of(api.firm, elevated=True)).post(GROUPS, {"name": name, "labels": [*labels]})
    return made.raise_for_status().json()["id"]


def list_names(page: httpx.Response) -> list[str]:
    return html.fromstring(page.text).xpath("//tbody/tr/th/a/text()")


async def test_v3_lists_what_carries_a_label(api: Api) -> None:
    label = await register(api, "Home loans")
    assert (await api.get(f"{LABELS}/{label}/carriers")).json() == []
    groups = [await carry(api, name, "home LOANS") for name in ("Second", "First")]
    carriers = (await api.get(f"{LABELS}/{label}/carriers")).json()
    assert carriers == [
        {"kind": "CompetenceGroup", "id": groups[1], "name": "First"},
        {"kind": "CompetenceGroup", "id": groups[0], "name": "Second"},
    ]
    assert len((await api.get(f"{LABELS}/{label}/carriers?limit=1")).json()) == 1
    assert (await (await api.other()).get(f"{LABELS}/{label}/carriers")).status_code == 404


async def test_a_label_tells_where_it_is_used_and_is_deleted_when_it_is_not(api: Api) -> None:
    label = await register(api, "Home loans")
    group = await carry(api, "Loan advisors", "Home loans")
    await register(api, "Boats")
    browser = await Browser.open(api, SIGNE)
    assert {"Boats", "Home loans"} <= {*list_names(await browser.get("/settings/labels"))}
    assert "Home loans" not in list_names(unused := await browser.get("/settings/labels?unused=yes"))
    assert "Boats" in list_names(unused)
    assert list_names(await browser.get("/settings/labels?q=hoem%20loans"))[0] == "Home loans"
    page = await browser.get(f"/settings/labels/{label}")
    (link,) = html.fromstring(page.text).xpath("//section[@aria-labelledby='used']//a")
    assert link.get("href").endswith(f"settings/competence-groups/{group}")
    refused = await browser.post(f"/settings/labels/{label}/delete", {"sure": "yes", "tag": "*"})
    assert refused.status_code in {409, 412}
    boats = next(one for one in (await api.get(LABELS)).json()["items"] if one["labelName"] == "Boats")["id"]
    asked = await browser.post(f"/settings/labels/{boats}/delete", {})
    assert read_heading(asked) == "Delete Boats?"
    (tag,) = html.fromstring(asked.text).xpath("//input[@name='tag']/@value")
    deleted = await browser.post(f"/settings/labels/{boats}/delete", {"sure": "yes", "tag": tag})
    assert "Boats is deleted." in deleted.text
    assert (await api.get(f"{LABELS}/{boats}")).status_code == 404
    assert "Every label is used." in (await browser.get("/settings/labels?unused=yes")).text


async def test_a_label_is_made_and_changed_and_a_taken_name_is_refused_beside_the_field(api: Api) -> None:
    browser = await Browser.open(api, SIGNE)
    content = {"name": "Home loans", "color": "#7A2B4B", "description": "For customers who buy a home."}
    assert "Home loans is saved." in (await browser.post("/settings/labels", content)).text
    taken = await browser.post("/settings/labels", content | {"name": "home loans", "description": "Again"})
    assert taken.status_code == 422
    page = html.fromstring(taken.text)
    assert page.xpath("//*[@id='name-error']")
    assert page.xpath("//*[@id='description']/@value") == ["Again"]
    label = next(one for one in (await api.get(LABELS)).json()["items"] if one["labelName"] == "Home loans")["id"]
    path = f"/settings/labels/{label}"
    (tag,) = html.fromstring((await browser.get(path)).text).xpath("//input[@name='tag']/@value")
    await browser.post(path, {"tag": tag, "color": "#112233", "description": "Homes"})
    after = (await api.get(f"{LABELS}/{label}")).json()
    assert (after["color"], after["description"]) == ("#112233", "Homes")
    stale = await browser.post(path, {"tag": tag, "color": "#445566", "description": "Typed in vain"})
    assert stale.status_code == 412
    versions = html.fromstring(stale.text).xpath("//section[contains(@class, 'conflict')]//tbody/tr")
    assert [row.xpath("*/text()") for row in versions] == [
        ["Color", "#445566", "#112233"],
        ["Description", "Typed in vain", "Homes"],
    ]
    (again,) = html.fromstring(stale.text).xpath("//input[@name='tag']/@value")
    await browser.post(path, {"tag": again, "color": "#445566", "description": "Typed in vain"})
    assert (await api.get(f"{LABELS}/{label}")).json()["description"] == "Typed in vain"
    assert (await (await Browser.open(api, EVA)).get("/settings/labels")).status_code == 403
