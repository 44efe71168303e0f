"""Pictures of the revisions of a template, and the list of these (docs/api/pdfs.md#pictures)."""

from support.factories import Api
from support.slide_pictures import make_template, upload

TEMPLATE = "v3/present/templates/Welcome"


async def test_a_template_lists_its_revisions_and_shows_the_slides_of_each(api: Api) -> None:
    await upload(api, make_template("First", "Second"))
    await upload(api, make_template("First", "Third"))
    newest, oldest = (await api.get(f"{TEMPLATE}/revisions")).json()
    assert set(newest) == {"revision", "size", "createdAt", "createdBy", "findings"}
    assert (newest["revision"], oldest["revision"]) == (2, 1)
    for query, names in (
        ("", ["First", "Third"]),
        ("?revision=2", ["First", "Third"]),
        ("?revision=1", ["First", "Second"]),
    ):
        listed = (await api.get(f"{TEMPLATE}/slides{query}")).json()["slides"]
        assert [one["name"] for one in listed] == names
    assert (await api.get(f"{TEMPLATE}/slides/Second?revision=1", headers={"Accept": "image/png"})).status_code == 200
    assert (await api.get(f"{TEMPLATE}/slides/Second")).status_code == 404


async def test_a_revision_that_never_was_is_not_found_with_those_that_are(api: Api) -> None:
    await upload(api, make_template("First"))
    refused = await api.get(f"{TEMPLATE}/slides?revision=7")
    assert (refused.status_code, refused.json()["code"]) == (404, "revision_not_found")
    assert "1 to 1" in refused.json()["detail"]
    assert (await api.get("v3/present/templates/None/revisions")).status_code == 404


async def test_version_2_knows_no_revisions(api: Api) -> None:
    await upload(api, make_template("First"))
    assert (await api.get("v2/present/templates/Welcome/slides?revision=7")).status_code == 200
    assert (await api.get("v2/present/templates/Welcome/revisions")).status_code == 404
