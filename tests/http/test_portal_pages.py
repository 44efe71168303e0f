"""A portal's settings over HTTP: address, languages, hosts and color (docs/api/portals.md)."""

import asyncio
from typing import Any

import httpx
import pytest
from lxml import html

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import Api
from support.patches import pointers, replace

PORTALS = "v3/booking/config/portals"

Json = dict[str, Any]


async def create(api: Api, **members: Any) -> Json:
    answer = await api.post(PORTALS, {"name": "Book us"} | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def patch(api: Api, portal: Json, *operations: Json) -> httpx.Response:
    return await api.request("PATCH", f"{PORTALS}/{portal['id']}", json=operations)


def details(answer: httpx.Response) -> list[str]:
    return [fault["detail"] for fault in answer.json()["errors"]]


async def test_what_a_page_is_made_of_reads_back_and_can_be_changed(api: Api) -> None:
    page: Json = {
        "address": "nordlys-2",
        "languages": ["da"],
        "embedHosts": ["www.nordlys.example", "intranet:8443", "192.0.2.7"],
        "brandColor": "#0A5C5C",
        "authenticationType": "Anonymous",
    }
    portal = await create(api, **page)
    assert portal == portal | page
    changes: Json = {
        "address": "n",
        "languages": ["en", "da"],
        "embedHosts": [],
        "brandColor": None,
        "authenticationType": "NationalId",
    }
    for member, value in changes.items():
        changed = await patch(api, portal, replace(f"/{member}", value))
        assert changed.status_code == 200, changed.text
        assert changed.json()[member] == value
    assert (await api.get(f"{PORTALS}/{portal['id']}")).json() == portal | changes
    removed = await patch(api, portal, *({"op": "remove", "path": f"/{name}"} for name in ("address", "languages")))
    assert (removed.json()["address"], removed.json()["languages"]) == (None, ["en", "da"])


async def test_a_pages_members_are_written_in_one_form(api: Api) -> None:
    portal = await create(
        api,
        languages=["DA", "En", "da"],
        embedHosts=["WWW.Nordlys.Example", "rådgivning.example:443"],
        brandColor="#0a5c5c",
        authenticationType="anonymous",
    )
    assert portal["languages"] == ["da", "en"]
    assert portal["embedHosts"] == ["www.nordlys.example", "xn--rdgivning-52a.example:443"]
    assert (portal["brandColor"], portal["authenticationType"]) == ("#0A5C5C", "Anonymous")


# ------------------------------------------------------------------------------------------------------------ address


@pytest.mark.parametrize(
    "address",
    [
        "",
        "Nordlys",
        "-nordlys",
        "nordlys-",
        "nord lys",
        " nordlys",
        "nordlys\n",
        "nord_lys",
        "nord.lys",
        "nord/lys",
        "nørd",
        "a" * 64,
        "8c33dd1f-4b86-4198-b535-4c3ada2b7b53",
        "8c33dd1f4b864198b5354c3ada2b7b53",
    ],
)
async def test_an_address_of_another_form_is_refused(address: str, api: Api) -> None:
    refused = await api.post(PORTALS, {"name": "A", "address": address})
    assert (refused.status_code, pointers(refused)) == (400, ["/address"])
    assert "lower-case letters" in details(refused)[0]


@pytest.mark.parametrize("address", ["a", "7", "a--b", "2-go", "a" * 63, "nordlys-7"])
async def test_letters_digits_and_hyphens_make_an_address(address: str, api: Api) -> None:
    assert (await create(api, address=address))["address"] == address


async def test_an_address_is_taken_in_the_whole_installation(api: Api) -> None:
    other = await api.other()
    first = await create(api, address="home")
    elsewhere = await create(other, name="Theirs")
    answers = [
        await api.post(PORTALS, {"name": "A", "address": "home"}),
        await other.post(PORTALS, {"name": "A", "address": "home"}),
        await patch(other, elsewhere, replace("/address", "home")),
    ]
    for answer in answers:
        assert (answer.status_code, answer.json()["code"], pointers(answer)) == (409, "address_taken", ["/address"])
        assert first["id"] not in answer.text
        assert first["name"] not in answer.text
    assert len({answer.json()["detail"] for answer in answers}) == 1
    assert (await patch(api, first, replace("/address", "home"))).status_code == 200
    assert (await patch(api, first, replace("/address", "moved"))).status_code == 200
    assert (await patch(other, elsewhere, replace("/address", "home"))).json()["address"] == "home"


async def test_a_deleted_portal_gives_its_address_back(api: Api) -> None:
    portal = await create(api, address="home")
    assert (await api.request("DELETE", f"{PORTALS}/{portal['id']}")).status_code == 204
    assert (await create(await api.other(), address="home"))["address"] == "home"


async def test_of_many_who_want_an_address_at_once_one_gets_it(api: Api) -> None:
    callers = [api, await api.other()] * 4
    answers = await asyncio.gather(*(one.post(PORTALS, {"name": "A", "address": "home"}) for one in callers))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7


# ---------------------------------------------------------------------------------------------- languages and hosts


@pytest.mark.parametrize(
    ("languages", "pointer"),
    [
        (["sv"], "/languages/0"),
        (["en", "da-DK"], "/languages/1"),
        ([], "/languages"),
        ("en", "/languages"),
        ([7], "/languages/0"),
    ],
)
async def test_languages_that_pages_do_not_speak_are_refused(languages: object, pointer: str, api: Api) -> None:
    refused = await api.post(PORTALS, {"name": "A", "languages": languages})
    assert (refused.status_code, pointers(refused)) == (400, [pointer]), refused.text


@pytest.mark.parametrize(
    "host",
    [
        "",
        "https://example.com",
        "//example.com",
        "*.example.com",
        "*",
        "example.com/",
        "example.com/a",
        "exam ple.com",
        " example.com",
        "example.com\n",
        "example.com:",
        "example.com:0",
        "example.com:065",
        "example.com:65536",
        "example.com:*",
        "example.com:\N{FULLWIDTH DIGIT FOUR}43",
        "example.com.",
        ".example.com",
        "exa_mple.com",
        "-example.com",
        "example.com;script-src",
        "'self'",
        "user@example.com",
        "[::1]:443",
        "::1",
        "1.2.3",
        "256.1.1.1",
        "a" * 64,
        ".".join(["abc"] * 64),
        "☃☃.☃‍",
        "\0",
    ],
)
async def test_what_is_no_host_is_refused(host: str, api: Api) -> None:
    refused = await api.post(PORTALS, {"name": "A", "embedHosts": ["www.example.com", host]})
    assert (refused.status_code, pointers(refused)) == (400, ["/embedHosts/1"]), refused.text
    assert "write a name like www.example.com" in details(refused)[0]


async def test_a_host_comes_once_and_fifty_are_the_most(api: Api) -> None:
    twice = await api.post(PORTALS, {"name": "A", "embedHosts": ["a.example", "b.example", "A.Example"]})
    assert (twice.status_code, pointers(twice)) == (400, ["/embedHosts/2"])
    many = await api.post(PORTALS, {"name": "A", "embedHosts": [f"{number}.example" for number in range(51)]})
    assert (many.status_code, pointers(many)) == (400, ["/embedHosts"])
    assert len((await create(api, embedHosts=[f"{number}.example" for number in range(50)]))["embedHosts"]) == 50


# -------------------------------------------------------------------------------------------------------------- color


@pytest.mark.parametrize(
    ("color", "contrast", "nearest"),
    [("#ffcc00", "1.51", "#917300"), ("#FFFFFF", "1.0", "#767676"), ("#777777", "4.47", "#767676")],
)
async def test_a_color_in_which_text_cannot_be_read_is_refused_with_the_nearest(
    color: str, contrast: str, nearest: str, api: Api
) -> None:
    refused = await api.post(PORTALS, {"name": "A", "brandColor": color})
    assert (refused.status_code, pointers(refused)) == (400, ["/brandColor"])
    (detail,) = details(refused)
    assert detail.startswith(f"{color.upper()} has a contrast of {contrast}:1 with white, and text needs 4.5:1.")
    assert detail.endswith(f"The nearest suitable color of the same hue is {nearest}.")
    assert (await create(api, brandColor=nearest))["brandColor"] == nearest


@pytest.mark.parametrize("color", ["", "red", "#fff", "0A5C5C", "#0A5C5G", "#0A5C5C\n", "#0A5C5C00", 7])
async def test_what_is_no_color_is_refused(color: object, api: Api) -> None:
    refused = await api.post(PORTALS, {"name": "A", "brandColor": color})
    assert (refused.status_code, pointers(refused)) == (400, ["/brandColor"]), refused.text


# ------------------------------------------------------------------------------------------------------------ styling


async def test_styling_that_fetches_from_elsewhere_or_is_no_css_is_refused_with_its_line(api: Api) -> None:
    logo = "https://static.nordlys.example/logo.svg"
    portal = await create(api, logoUrl=logo, styling="a { background: url(https://static.nordlys.example/a.png) }")
    for styling, line in (
        ("a { }\n@import url(https://static.nordlys.example/a.css);", 2),
        ("\n\na { background: url(https://elsewhere.example/a.png) }", 3),
        ("</style><script>", 1),
        ("a { }\n}", 2),
    ):
        for refused in (
            await api.post(PORTALS, {"name": "A", "logoUrl": logo, "styling": styling}),
            await patch(api, portal, replace("/styling", styling)),
        ):
            assert (refused.status_code, pointers(refused)) == (400, ["/styling"])
            assert details(refused)[0].startswith(f"Line {line}: ")
    assert (await api.get(f"{PORTALS}/{portal['id']}")).json() == portal


async def test_a_logo_that_moves_takes_its_addresses_along(api: Api) -> None:
    styling = "a { background: url(https://a.example/a.png) }"
    portal = await create(api, logoUrl="https://a.example/logo.svg", styling=styling)
    moved = replace("/logoUrl", "https://b.example/logo.svg")
    refused = await patch(api, portal, moved)
    assert (refused.status_code, pointers(refused)) == (400, ["/styling"])
    changed = await patch(api, portal, moved, replace("/styling", styling.replace("a.example", "b.example")))
    assert changed.status_code == 200


async def test_styling_from_before_the_rules_stands_in_no_ones_way(api: Api, database: Database) -> None:
    portal = await create(api)
    old = "@import 'https://elsewhere.example/a.css'; a {"
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update portal set styling = $1 where portal_id = $2", old, portal["id"])
    changed = await patch(api, portal, replace("/name", "Other"))
    assert changed.status_code == 200, changed.text
    assert changed.json() == portal | {"name": "Other", "localizedName": {"en-GB": "Other"}, "styling": old}
    assert (await patch(api, portal, replace("/styling", f"{old} "))).status_code == 400
    assert (await patch(api, portal, replace("/styling", ""))).status_code == 200


async def test_every_fault_of_a_page_is_named_at_once(api: Api) -> None:
    refused = await api.post(
        PORTALS, {"name": "A", "address": "A", "brandColor": "#FFFFFF", "embedHosts": ["*"], "logoUrl": "x"}
    )
    assert sorted(pointers(refused)) == ["/address", "/brandColor", "/embedHosts/0", "/logoUrl"]


async def test_the_foot_has_the_telephone_and_the_privacy_notice_and_topics_their_ways(api: Api) -> None:
    setting = (await api.get("v3/booking/config/organization-settings")).json()
    members = {"phone": "+45 70 10 20 30", "privacyUrl": "https://nordlys.example/privacy"}
    changed = await api.request(
        "PATCH",
        f"v3/booking/config/organization-settings/{setting['id']}",
        json=[{"op": "replace", "path": f"/{name}", "value": value} for name, value in members.items()],
    )
    assert changed.status_code == 200, changed.text
    page = html.fromstring((await api.http.get("/p/nordlys", headers={"Accept-Language": "en"})).text)
    links = {link.text_content(): link.get("href") for link in page.xpath("//footer//a")}
    assert links == {"+45 70 10 20 30": "tel:+4570102030", "Privacy": "https://nordlys.example/privacy"}
    (review,) = (card for card in page.xpath("//li") if "Annual review" in card.text_content())
    shown = " ".join(review.xpath(".//*[@class='aside']")[0].text_content().split())
    assert shown.startswith("60 minutes")
    assert {way.text_content().strip() for way in review.xpath(".//*[@class='way']")} >= {"Online", "At our office"}


async def test_many_topics_are_searched_page_by_page_on_pages_below_100_kilobytes(api: Api) -> None:
    elevated = await api.of(api.firm, elevated=True)
    await elevated.post(PORTALS, {"name": "Book us", "address": "many", "authenticationType": "Anonymous"})
    before = len((await api.get("v3/booking/config/meeting-topics")).json())
    for number in range(50):
        topic = {"name": f"Topic {number:02}", "description": "What it is about. " * 20, "customerBookable": True}
        (await elevated.post("v3/booking/config/meeting-topics", topic)).raise_for_status()

    async def list_names(query: str) -> list[str]:
        answer = await api.http.get(f"/p/many?{query}", headers={"Accept-Language": "en"})
        assert len(answer.content) < 100_000
        return html.fromstring(answer.text).xpath("//ul[@class='cards']//h2/a/text()")

    shown = [await list_names(f"topic-page={number}") for number in ("1", "2")]
    assert [len(one) for one in shown] == [40, before + 10]
    assert len({*shown[0], *shown[1]}) == before + 50
    assert await list_names("topic-search=about+TOPIC+4") == [f"Topic {number:02}" for number in (4, 14, 24, 34)] + [
        f"Topic {number}" for number in range(40, 50)
    ]
    assert await list_names("topic-search=nothing+at+all&topic-page=x") == []
    page = html.fromstring((await api.http.get("/p/many?topic-search=Topic&utm=1")).text)
    assert "topic-search" not in page.xpath("//ul[@class='cards']//a/@href")[0]
    assert {"utm=1"} < {part for link in page.xpath("//nav//a/@href") for part in link.partition("?")[2].split("&")}
    drawn = page.xpath("//ul[@class='cards']//symbol/@id")
    used = page.xpath("//ul[@class='cards']//use/@href")
    assert len(page.xpath("//ul[@class='cards']/li")) > 1
    assert sorted({f"#{name}" for name in drawn}) == sorted(set(used))
    assert len(drawn) == len(set(drawn)) > 2
    assert len(used) > len(drawn)
