"""Pictures of slides with their data, and the data that some slides want (docs/api/templates.md#template-data)."""

from meetdeck.services import Services
from support.factories import Api
from support.renderers import BlankPages
from support.slide_pictures import make_template, size_of, upload

DATA = "v3/present/templates/Welcome/data"


async def test_a_filled_slide_is_answered_as_a_picture(api: Api, services: Services, renderer: BlankPages) -> None:
    await upload(api, make_template("Dear {{customer.name}}", "Second"))
    await services.background.wait()  # the template's own pictures
    body = {"template": "Welcome", "slides": [{"slideId": "Slide 1", "data": {"customer": {"name": "Freja"}}}]}
    pictured = await api.post("v3/present/slides/picture?width=320", body)
    assert (pictured.status_code, pictured.headers["content-type"]) == (200, "image/webp")
    assert pictured.headers["Deck-Findings"] == "0"
    assert size_of(pictured)[0] == 320
    drawn = renderer.drawn
    await api.post("v3/present/slides/picture?width=320", body)
    assert renderer.drawn == drawn
    empty = await api.post("v3/present/slides/picture", body | {"slides": [{"slideId": "Slide 1"}]})
    assert empty.headers["Deck-Findings"] == "1"


async def test_what_is_wrong_is_named_as_for_a_deck_and_version_2_has_no_such_address(api: Api) -> None:
    body = {"template": "Annual review", "slides": [{"slideId": "Nothing"}]}
    refused = await api.post("v3/present/slides/picture", body)
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_slide")
    assert refused.json()["errors"][0]["pointer"] == "/slides/0/slideId"
    assert (await api.post("v2/present/slides/picture", body)).status_code in {404, 405}


async def test_the_data_of_some_slides_is_that_of_their_tags_alone(api: Api) -> None:
    await upload(api, make_template("Dear {{customer.name}}", "{{#goals}}{{name}}{{/goals}}", "Nothing"))
    some = (await api.get(f"{DATA}?slides=Slide 2")).json()
    assert [tag["name"] for tag in some["tags"]] == ["goals[].name"]
    assert set(some["dataSchema"]["properties"]) == set(some["example"]) == {"goals"}
    both = (await api.get(f"{DATA}?slides=Slide 1,Slide 3")).json()
    assert (set(both["example"]), len(both["slides"])) == ({"customer"}, 2)
    assert set((await api.get(DATA)).json()["example"]) == {"customer", "goals"}
    nothing = (await api.get(f"{DATA}?slides=Slide 3")).json()
    assert (nothing["tags"], nothing["example"]) == ([], {})
    refused = await api.get(f"{DATA}?slides=Slide 9")
    assert (refused.status_code, refused.json()["code"]) == (404, "slide_not_found")
