"""Translations of portals, locations and descriptions over HTTP; the rules: docs/api/translations.md."""

from support.factories import Api
from support.patches import add, pointers, remove, replace
from support.portals import PORTALS, create
from support.translations import LOCATIONS, add_topic, change, enable, expect, read, refuse

FIELD = {
    "name": "matters",
    "label": "What matters?",
    "type": "Dropdown",
    "options": ["Savings", "A home"],
    "localizedLabel": {"da-DK": "Hvad er vigtigt?"},
}


async def test_descriptions_of_topics_and_names_of_locations_are_translated(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    topic = await add_topic(api, description="Your savings", localizedDescription={"da-DK": "Din opsparing"})
    assert (await read(api, topic))["localizedDescription"] == {"en-GB": "Your savings", "da-DK": "Din opsparing"}
    changed = await change(api, add("/localizedName/da-DK", "Pension"), at=topic)
    assert changed["localizedDescription"]["da-DK"] == "Din opsparing"
    place = await expect(
        await api.post(
            LOCATIONS,
            {"location": "Odense", "displayName": "Port 3, Odense", "localizedName": {"da-DK": "Havnegade 3"}},
        ),
        201,
    )
    at = f"{LOCATIONS}/{place['id']}"
    assert place["localizedName"] == {"en-GB": "Port 3, Odense", "da-DK": "Havnegade 3"}
    moved = await change(api, add("/localizedName/en-GB", "Harbour street 3"), at=at)
    assert (moved["displayName"], moved["localizedName"]["da-DK"]) == ("Harbour street 3", "Havnegade 3")
    assert (await read(api, at, lang="da-DK"))["localizedName"] == {"da-DK": "Havnegade 3"}
    refusal = await refuse(api, add("/localizedName/fr-FR", "Rue du port"), at=at)
    assert pointers(refusal) == ["/localizedName/fr-FR"]
    assert (await change(api, remove("/localizedName/da-DK"), at=at))["localizedName"] == {"en-GB": "Harbour street 3"}


async def test_a_portal_has_its_name_and_its_fields_by_language(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    portal = await create(
        api,
        localizedName={"da-DK": "Book os"},
        fields=[FIELD | {"localizedOptions": {"da-DK": ["Opsparing", "Bolig"]}}, {"name": "phone"}],
    )
    (field, phone), at = portal["fields"], f"{PORTALS}/{portal['id']}"
    assert portal["localizedName"] == {"en-GB": "Book us", "da-DK": "Book os"}
    assert field["localizedLabel"] == {"en-GB": "What matters?", "da-DK": "Hvad er vigtigt?"}
    assert field["localizedOptions"] == {"en-GB": ["Savings", "A home"], "da-DK": ["Opsparing", "Bolig"]}
    assert phone["localizedOptions"] == {"en-GB": []}
    in_danish = (await read(api, at, lang="da-DK"))["fields"][0]
    assert in_danish["localizedOptions"] == {"da-DK": ["Opsparing", "Bolig"]}
    changed = await change(
        api, replace("/fields/1/label", "Telephone"), add("/fields/1/localizedLabel/da-DK", "Telefon"), at=at
    )
    assert changed["fields"][1]["localizedLabel"] == {"en-GB": "Telephone", "da-DK": "Telefon"}
    assert changed["fields"][0]["localizedOptions"]["da-DK"] == ["Opsparing", "Bolig"], "what was not named stays"


async def test_options_by_language_are_as_many_as_the_main_languages(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    refusal = await api.post(
        PORTALS, {"name": "Book us", "fields": [FIELD | {"localizedOptions": {"da-DK": ["Opsparing"]}}]}
    )
    assert (refusal.status_code, pointers(refusal)) == (400, ["/fields/0/localizedOptions/da-DK"])
    portal = await create(api, fields=[FIELD | {"localizedOptions": {"da-DK": ["Opsparing", "Bolig"]}}])
    at = f"{PORTALS}/{portal['id']}"
    more = await change(api, add("/fields/0/options/-", "Other"), at=at)
    assert more["fields"][0]["localizedOptions"] == {"en-GB": ["Savings", "A home", "Other"]}, "the others miss one now"


async def test_another_main_language_is_that_of_locations_and_portals_too(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    options = {"localizedOptions": {"da-DK": ["Opsparing", "Bolig"]}, "defaultValue": "A home"}
    portal = await create(api, localizedName={"da-DK": "Book os"}, fields=[FIELD | options])
    place = await expect(
        await api.post(LOCATIONS, {"location": "Odense", "displayName": "Port", "localizedName": {"da-DK": "Havn"}}),
        201,
    )
    await change(api, replace("/mainLocale", "da-DK"))
    shown = await read(api, f"{PORTALS}/{portal['id']}")
    assert (shown["name"], shown["localizedName"]) == ("Book os", {"en-GB": "Book us", "da-DK": "Book os"})
    (field,) = shown["fields"]
    assert (field["label"], field["options"], field["defaultValue"]) == (
        "Hvad er vigtigt?",
        ["Opsparing", "Bolig"],
        "Bolig",
    )
    assert field["localizedOptions"]["en-GB"] == ["Savings", "A home"]
    assert field["localizedPlaceholder"] == {"da-DK": ""}
    assert (await read(api, f"{LOCATIONS}/{place['id']}"))["displayName"] == "Havn"
