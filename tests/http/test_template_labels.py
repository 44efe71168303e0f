"""Labels of templates (contract, document 1, section 4; docs/api/templates.md, docs/api/labels.md)."""

import io
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx
import pytest
from pptx import Presentation

from support.factories import Api

REVIEW = "v3/present/templates/Annual review"


def make_template() -> bytes:
    """Make a file of one slide."""
    presentation: Any = Presentation()
    presentation.slides.add_slide(presentation.slide_layouts[6])
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


async def upload(api: Api, name: str) -> dict[str, Any]:
    parts = {"file": ("a.pptx", make_template()), "name": (None, name), "category": (None, "Private")}
    answer = await api.request("POST", "v3/present/templates", files=parts)
    assert answer.status_code in {200, 201}, answer.text
    return answer.json()


async def label(api: Api, key: str, *labels: str, **headers: str) -> httpx.Response:
    path = f"v3/present/templates/{quote(key, safe='')}/labels"
    return await api.request("PATCH", path, json={"labels": labels}, headers=headers)


async def names(api: Api, query: str, version: str = "v3") -> list[str]:
    answer = await api.get(f"{version}/present/templates?{query}")
    assert answer.status_code == 200, answer.text
    return [template["name"] for template in answer.json()]


async def test_labels_are_replaced_by_id_or_name_and_come_back_everywhere(api: Api) -> None:
    template_id: str = (await api.get(REVIEW)).json()["id"]
    by_id = await label(api, template_id, "Pension", " Årlig ")
    assert (by_id.status_code, by_id.json()["labels"]) == (200, ["Pension", "Årlig"])
    # The registry's spelling wins, and a name that comes twice counts once.
    by_name = await label(api, "Annual review", "årlig", "ÅRLIG", "Bolig")
    assert by_name.json()["labels"] == ["Årlig", "Bolig"]
    assert (await api.get(REVIEW)).json()["labels"] == ["Årlig", "Bolig"]
    assert (await api.get("v3/present/templates")).json()[0]["labels"] == ["Årlig", "Bolig"]
    registered = (await api.get("v3/booking/config/labels")).json()["items"]
    assert {one["labelName"]: one["usageCount"] for one in registered} == {"Årlig": 1, "Bolig": 1, "Pension": 0}
    assert (await label(api, "Annual review")).json()["labels"] == []


async def test_the_update_answers_a_slide_template(api: Api) -> None:
    updated = (await label(api, "Annual review", "Pension")).json()
    (listed,) = (await api.get("v3/present/templates")).json()
    assert updated == listed


async def test_a_list_is_filtered_by_all_labels_or_by_any(api: Api) -> None:
    for name, labels in {"One": ["a", "b"], "Two": ["b"], "Three": ["c"]}.items():
        await upload(api, name)
        assert (await label(api, name, *labels)).status_code == 200
    assert await names(api, "labels=b") == ["One", "Two"]
    assert await names(api, "labels=a,B") == await names(api, "labels=a&labels=b") == ["One"]
    assert await names(api, "labels=a,c&labelMatch=any") == ["One", "Three"]
    assert await names(api, "labels=a,c&labelMatch=All") == []
    assert await names(api, "labels=unknown") == []
    assert (await api.get("v3/present/templates?labelMatch=some")).status_code == 400


async def test_a_list_is_filtered_by_a_part_of_a_tags_name(api: Api) -> None:
    await upload(api, "One")
    assert await names(api, "tag=CUSTOMER.first") == ["Annual review"]
    assert await names(api, "tag=") == ["Annual review", "One"]
    assert await names(api, "tag=nobody") == await names(api, "tag=customer&labels=Pension") == []
    assert await names(api, "tag=nobody", "v2") == ["Annual review", "One"]
    assert (await api.get(f"v3/present/templates?tag={'x' * 201}")).status_code == 400


async def test_a_new_revision_keeps_the_labels_and_a_deletion_gives_them_back(api: Api) -> None:
    await upload(api, "One")
    await label(api, "One", "Pension")
    assert (await upload(api, "One"))["labels"] == ["Pension"]
    await api.request("DELETE", "v3/present/templates/One")
    (registered,) = (await api.get("v3/booking/config/labels")).json()["items"]
    assert (registered["usageCount"], registered["isActive"]) == (0, False)


async def test_v2_has_no_labels(api: Api) -> None:
    await label(api, "Annual review", "Pension")
    answer = await api.request("PATCH", "v2/present/templates/Annual review/labels", json={"labels": []})
    assert answer.status_code == 404
    assert await names(api, "labels=unknown", "v2") == ["Annual review"]
    assert "labels" not in (await api.get("v2/present/templates/Annual review")).json()
    document: Any = (await api.get("v2/openapi.json")).json()
    assert "labels" not in str(document["paths"]["/api/v2/present/templates"]["get"]["parameters"])


async def test_a_name_in_the_form_of_an_id_is_a_name_where_it_is_no_id(api: Api) -> None:
    name = str(uuid4())
    await upload(api, name)
    assert (await label(api, name, "Pension")).json()["name"] == name


@pytest.mark.parametrize("labels", [[""], ["a", " "], ["x" * 101], "Pension", [1], None])
async def test_labels_that_are_none_are_400_with_their_place(api: Api, labels: object) -> None:
    answer = await api.request("PATCH", f"{REVIEW}/labels", json={"labels": labels})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"].startswith("/labels")


async def test_an_unknown_template_is_404_and_another_tenants_too(api: Api) -> None:
    template_id: str = (await api.get(REVIEW)).json()["id"]
    other = await api.other()
    for answer in (await label(api, "Annual revue", "x"), await label(other, template_id, "x")):
        assert (answer.status_code, answer.json()["code"]) == (404, "template_not_found")


async def test_a_stale_update_is_refused(api: Api) -> None:
    tag = (await api.get(REVIEW)).headers["ETag"]
    assert (await label(api, "Annual review", "first", **{"If-Match": tag})).status_code == 200
    assert (await label(api, "Annual review", "second", **{"If-Match": tag})).status_code == 412
    assert (await api.get(REVIEW)).json()["labels"] == ["first"]
