"""Texts in several languages over HTTP; the rules: docs/api/translations.md."""

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.patches import add, pointers, remove, replace
from support.translations import SETTING, SETTINGS, TOPICS, add_topic, change, enable, expect, read, refuse

# ---------------------------------------------------------------------------------------------------------- languages


async def test_an_organization_begins_with_english_alone(api: Api) -> None:
    setting = await read(api, SETTINGS)
    assert (setting["mainLocale"], setting["enabledLocales"]) == ("en-GB", ["en-GB"])
    assert setting["localizedICalMeetingTitle"] == {"en-GB": "Meeting with Nordlys Rådgivning"}


async def test_languages_are_read_in_any_case_and_answered_canonically_once(api: Api) -> None:
    setting = await enable(api, "EN-gb", "da-dk", "DA-DK", "zh-hant-tw", main="en-GB")
    assert setting["enabledLocales"] == ["en-GB", "da-DK", "zh-Hant-TW"]


@pytest.mark.parametrize(
    ("tags", "main", "pointer"),
    [
        (["en-GB", "danish!"], "en-GB", "/enabledLocales/1"),
        (["en-GB", "qq"], "en-GB", "/enabledLocales/1"),
        (["en-GB", "da-QQ"], "en-GB", "/enabledLocales/1"),
        (["en-GB"], "da-DK", "/mainLocale"),
        ([], "en-GB", "/operations/0/value"),
        (["en-GB"] * 51, "en-GB", "/operations/0/value"),
        (["en-GB"], "", "/mainLocale"),
    ],
)
async def test_languages_that_cannot_be_are_refused_where_they_stand(
    tags: list[str], main: str, pointer: str, api: Api
) -> None:
    refusal = await refuse(api, replace("/enabledLocales", tags), replace("/mainLocale", main))
    assert pointers(refusal) == [pointer]
    assert (await read(api, SETTINGS))["enabledLocales"] == ["en-GB"]


# -------------------------------------------------------------------------------------------------------------- write


async def test_a_new_topic_has_its_names_by_language(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    topic = await read(api, await add_topic(api, localizedName={"DA-dk": " Pension ", "en-gb": "Pensions"}))
    assert (topic["name"], topic["localizedName"]) == ("Pensions", {"en-GB": "Pensions", "da-DK": "Pension"})


async def test_writing_the_plain_member_writes_the_main_languages_text_and_the_other_way_round(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    address = await add_topic(api, localizedName={"da-DK": "Pension"})
    changed = await change(api, replace("/name", "Retirement"), at=address)
    assert changed["localizedName"] == {"en-GB": "Retirement", "da-DK": "Pension"}
    changed = await change(api, replace("/localizedName/en-GB", "Pensions"), at=address)
    assert changed["name"] == "Pensions"


async def test_both_may_be_sent_when_they_agree_or_only_one_of_them_is_changed(api: Api) -> None:
    address = await add_topic(api)
    sent = await read(api, address)
    answer = await expect(await api.request("PUT", address, json=sent | {"name": "Retirement"}))
    assert (answer["name"], answer["localizedName"]) == ("Retirement", {"en-GB": "Retirement"})
    answer = await expect(await api.request("PUT", address, json=answer | {"localizedName": {"en-GB": "Pensions"}}))
    assert (answer["name"], answer["localizedName"]) == ("Pensions", {"en-GB": "Pensions"})
    refusal = await api.request("PUT", address, json={"name": "One", "localizedName": {"en-GB": "Another"}})
    assert (refusal.status_code, pointers(refusal)) == (400, ["/localizedName/en-GB"])
    refusal = await api.post(TOPICS, {"name": "One", "localizedName": {"en-GB": "Another"}})
    assert (refusal.status_code, pointers(refusal)) == (400, ["/localizedName/en-GB"])


async def test_a_put_keeps_languages_that_it_does_not_name_and_null_removes_one(api: Api) -> None:
    await enable(api, "en-GB", "da-DK", "de-DE")
    address = await add_topic(api, localizedName={"da-DK": "Pension", "de-DE": "Rente"})
    topic = await expect(await api.request("PUT", address, json={"name": "Pensions"}))
    assert topic["localizedName"] == {"en-GB": "Pensions", "da-DK": "Pension", "de-DE": "Rente"}
    topic = await expect(
        await api.request(
            "PUT", address, json={"name": "Pensions", "localizedName": {"da-DK": None, "de-DE": "Renten"}}
        )
    )
    assert topic["localizedName"] == {"en-GB": "Pensions", "de-DE": "Renten"}


async def test_v2_shows_no_translations_ignores_those_that_it_gets_and_keeps_those_that_are_there(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    address = await add_topic(api, localizedName={"da-DK": "Pension"})
    in_v2 = address.replace("v3", "v2")
    topic = await read(api, in_v2, lang="no such language")
    assert "localizedName" not in topic
    answer = await api.request("PUT", in_v2, json=topic | {"name": "Retirement", "localizedName": 7})
    assert "localizedName" not in await expect(answer)
    assert (await read(api, address))["localizedName"] == {"en-GB": "Retirement", "da-DK": "Pension"}
    assert all(
        "localizedName" not in one for one in (await api.get("v2/booking/meeting-topics?isCustomer=true")).json()
    )
    assert (await api.request("PATCH", in_v2, json=[])).status_code == 405


async def test_a_language_that_is_not_enabled_is_refused_naming_those_that_are(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    refusal = await api.post(TOPICS, {"name": "Pensions", "localizedName": {"fr-FR": "Retraites", "x!": "?"}})
    assert refusal.status_code == 400
    assert set(pointers(refusal)) == {"/localizedName/fr-FR", "/localizedName/x!"}
    assert "en-GB, da-DK" in refusal.json()["detail"]


@pytest.mark.parametrize(
    ("text", "pointer"),
    [(7, "/localizedName/da-DK"), ("x" * 201, "/localizedName/da-DK"), ("x" * 10_001, "/localizedName")],
)
async def test_a_translation_has_the_limits_of_its_member(text: object, pointer: str, api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    refusal = await api.post(TOPICS, {"name": "Pensions", "localizedName": {"da-DK": text}})
    assert refusal.status_code == 400
    assert pointers(refusal)[0].startswith(pointer.rpartition("/")[0])
    assert "localizedName" in pointers(refusal)[0]


# -------------------------------------------------------------------------------------------------------------- patch


async def test_a_patch_leads_into_translations_whether_there_is_one_or_not(api: Api) -> None:
    await enable(api, "en-GB", "da-DK", "de-DE")
    address = await add_topic(api)
    topic = await change(api, add("/localizedName/da-DK", "Pension"), at=address)
    assert topic["localizedName"] == {"en-GB": "Pensions", "da-DK": "Pension"}
    topic = await change(api, replace("/localizedName/de-de", "Rente"), at=address)
    assert topic["localizedName"]["de-DE"] == "Rente"
    moved = {"op": "move", "from": "/localizedName/de-DE", "path": "/localizedName/da-DK"}
    topic = await change(api, {"op": "test", "path": "/localizedName/DA-dk", "value": "Pension"}, moved, at=address)
    assert topic["localizedName"] == {"en-GB": "Pensions", "da-DK": "Rente"}
    topic = await change(api, remove("/localizedName/da-DK"), at=address)
    assert topic["localizedName"] == {"en-GB": "Pensions"}


async def test_a_patch_of_the_whole_object_merges_and_its_removal_leaves_the_main_language(api: Api) -> None:
    await enable(api, "en-GB", "da-DK", "de-DE")
    address = await add_topic(api, localizedName={"da-DK": "Pension"})
    topic = await change(api, replace("/localizedName", {"de-DE": "Rente"}), at=address)
    assert topic["localizedName"] == {"en-GB": "Pensions", "da-DK": "Pension", "de-DE": "Rente"}
    topic = await change(api, remove("/localizedName"), at=address)
    assert topic["localizedName"] == {"en-GB": "Pensions"}


async def test_what_a_patch_cannot_do_with_translations_changes_nothing(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    address = await add_topic(api)
    for operations, pointer in (
        ([add("/localizedName/fr-FR", "Retraites")], "/localizedName/fr-FR"),
        ([remove("/localizedName/da-DK")], "/operations/0/path"),
        ([remove("/localizedName/en-GB")], "/localizedName/en-GB"),
        ([add("/localizedName/nonsense!", "x")], "/localizedName/nonsense!"),
        ([replace("/localizedName/da-DK", 7)], "/operations/0/path"),
        ([replace("/name", "One"), replace("/localizedName/en-GB", "Another")], "/localizedName/en-GB"),
    ):
        assert pointers(await refuse(api, *operations, at=address)) == [pointer], operations
    assert (await read(api, address))["localizedName"] == {"en-GB": "Pensions"}


async def test_labels_are_translated_and_known_by_their_names(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    labels = [{"name": "Physical", "label": "At the branch"}, {"name": "Online", "localizedLabel": {"da-DK": "Video"}}]
    setting = await change(
        api,
        replace("/meetingTypeLabels", labels),
        add("/meetingTypeLabels/0/localizedLabel/da-DK", "Hos os"),
        add("/employeeLabels/-", {"name": "PrimaryEmployee", "localizedLabel": {"en-GB": "Your advisor"}}),
    )
    shown = {one["name"]: (one["label"], one["localizedLabel"]) for one in setting["meetingTypeLabels"]}
    assert shown == {
        "Physical": ("At the branch", {"en-GB": "At the branch", "da-DK": "Hos os"}),
        "Online": ("", {"en-GB": "", "da-DK": "Video"}),
    }
    assert setting["employeeLabels"][0]["label"] == "Your advisor"
    setting = await change(api, replace("/meetingTypeLabels", [{"name": "Physical", "label": "Here", "order": 2}]))
    assert setting["meetingTypeLabels"][0]["localizedLabel"] == {"en-GB": "Here", "da-DK": "Hos os"}
    refusal = await refuse(api, add("/meetingTypeLabels/0/localizedLabel/fr-FR", "Chez nous"))
    assert pointers(refusal) == ["/meetingTypeLabels/0/localizedLabel/fr-FR"]


# --------------------------------------------------------------------------------------------------------------- read


async def test_one_language_is_read_alone_with_the_main_text_in_its_gaps(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    address = await add_topic(api, localizedName={"da-DK": "Pension"})
    assert (await read(api, address, lang="DA-dk"))["localizedName"] == {"da-DK": "Pension"}
    assert (await read(api, address, lang="fr-FR"))["localizedName"] == {"fr-FR": "Pensions"}
    assert (await read(api, address, lang="all"))["localizedName"] == {"en-GB": "Pensions", "da-DK": "Pension"}
    assert (await read(api, address, lang="da-DK"))["name"] == "Pensions"
    for listed in (TOPICS, "v3/booking/meeting-topics?isCustomer=true"):
        names = {
            one["name"]: one["localizedName"]
            for one in await expect(await api.get(f"{listed}{'&' if '?' in listed else '?'}lang=da-DK"))
        }
        assert names["Pensions"] == {"da-DK": "Pension"}
        assert names["Investing"] == {"da-DK": "Investing"}
    setting = await read(api, SETTINGS, lang="da-DK")
    assert setting["localizedICalMeetingTitle"] == {"da-DK": "Meeting with Nordlys Rådgivning"}


@pytest.mark.parametrize("lang", ["danish!", "qq", "da_DK", "da-QQ"])
async def test_a_language_that_is_none_cannot_be_read(lang: str, api: Api) -> None:
    for address in (TOPICS, f"{TOPICS}/{NORDLYS.id_of('topic', 'Investing')}", SETTINGS, "v3/booking/meeting-topics"):
        refusal = await api.get(address, params={"lang": lang, "isCustomer": "true"})
        assert (refusal.status_code, pointers(refusal)) == (400, ["/query/lang"]), address


async def test_whoever_reads_one_language_may_change_the_whole(api: Api) -> None:
    address = await add_topic(api)
    tag = (await api.get(address, params={"lang": "en-GB"})).headers["ETag"]
    answer = await api.request("PATCH", address, json=[replace("/name", "Retirement")], headers={"If-Match": tag})
    assert answer.status_code == 200, answer.text
    in_v2 = address.replace("v3", "v2")
    tag = (await api.get(in_v2)).headers["ETag"]
    assert (await api.request("PUT", in_v2, json={"name": "Old"}, headers={"If-Match": tag})).status_code == 200
    assert (await api.request("PUT", in_v2, json={"name": "New"}, headers={"If-Match": tag})).status_code == 412


async def test_texts_of_a_language_that_is_not_enabled_any_more_are_kept_unseen(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    address = await add_topic(api, localizedName={"da-DK": "Pension"})
    await change(api, add("/localizedICalMeetingTitle/da-DK", "Møde"))
    setting = await enable(api, "en-GB")
    assert "da-DK" not in setting["localizedICalMeetingTitle"]
    topic = await change(api, replace("/name", "Retirement"), at=address)
    assert topic["localizedName"] == {"en-GB": "Retirement"}
    assert (await read(api, address, lang="da-DK"))["localizedName"] == {"da-DK": "Retirement"}
    setting = await enable(api, "en-GB", "da-DK")
    assert setting["localizedICalMeetingTitle"]["da-DK"] == "Møde"
    assert (await read(api, address))["localizedName"] == {"en-GB": "Retirement", "da-DK": "Pension"}


async def test_another_main_language_changes_every_plain_member_to_its_text(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    address = await add_topic(api, localizedName={"da-DK": "Pension"})
    await change(
        api,
        add("/localizedICalMeetingTitle/da-DK", "Møde"),
        replace("/meetingTypeLabels", [{"name": "Online", "label": "On video", "localizedLabel": {"da-DK": "Video"}}]),
    )
    setting = await change(api, replace("/mainLocale", "da-DK"))
    assert setting["iCalMeetingTitle"] == "Møde"
    assert setting["localizedICalMeetingTitle"] == {"en-GB": "Meeting with Nordlys Rådgivning", "da-DK": "Møde"}
    assert setting["meetingTypeLabels"][0]["label"] == "Video"
    topic = await read(api, address)
    assert (topic["name"], topic["localizedName"]) == ("Pension", {"en-GB": "Pensions", "da-DK": "Pension"})
    untranslated = next(one for one in (await api.get(TOPICS)).json() if "Investing" in one["localizedName"].values())
    assert untranslated["localizedName"] == {"en-GB": "Investing", "da-DK": "Investing"}
    assert (await read(api, address.replace("v3", "v2")))["name"] == "Pension"
    assert (await (await api.of(api.firm, elevated=True)).request("DELETE", SETTING)).status_code == 204
    assert (await read(api, address))["name"] == "Pensions"


async def test_a_patch_may_enable_a_language_make_it_the_main_one_and_write_in_it(api: Api) -> None:
    setting = await change(
        api,
        add("/enabledLocales/-", "da-DK"),
        replace("/mainLocale", "da-dk"),
        add("/localizedICalMeetingTitle/da-DK", "Møde"),
    )
    assert (setting["mainLocale"], setting["iCalMeetingTitle"]) == ("da-DK", "Møde")
    assert setting["localizedICalMeetingTitle"] == {"en-GB": "Meeting with Nordlys Rådgivning", "da-DK": "Møde"}


# ---------------------------------------------------------------------------------------------------------- calendars


async def test_calendar_files_speak_the_language_that_is_asked_for(api: Api) -> None:
    await enable(api, "en-GB", "da-DK")
    await change(
        api, add("/localizedICalMeetingTitle/da-DK", "Møde"), add("/localizedICalMeetingDescription/da-DK", "Husk pas")
    )
    body = {
        "employeeId": str(NORDLYS.id_of("employee", "Anna Holm")),
        "customerId": "C-1",
        "startDate": "2026-03-03T09:00:00Z",
        "endDate": "2026-03-03T10:00:00Z",
    }
    meeting = await expect(await api.post("v3/booking/meetings", body), 201)

    async def write(lang: str, version: str = "v3") -> str:
        answer = await api.post(f"{version}/booking/meetings/{meeting['id']}/ical?lang={lang}", {})
        assert answer.status_code == 200, answer.text
        return answer.text

    assert "SUMMARY:Møde" in await write("da-DK")
    assert "DESCRIPTION:Husk pas" in await write("da-DK")
    assert "SUMMARY:Meeting with Nordlys Rådgivning" in await write("all")
    assert "SUMMARY:Meeting with Nordlys Rådgivning" in await write("fr-FR")
    assert "SUMMARY:Meeting with Nordlys Rådgivning" in await write("da-DK", "v2")
    assert (await api.post(f"v3/booking/meetings/{meeting['id']}/ical?lang=x!", {})).status_code == 400
