"""The bodies that the API page begins with: each works as pasted, in the order in which a person tries them."""

from collections.abc import Iterator

import pytest

from meetdeck.booking import examples
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.values import Version
from support.example_pages import Page, list_writes
from support.factories import Api

# What the first round made stands in the way of the second, and says so.
_THERE_ALREADY = {"time_slot_taken", "already_exists", "label_exists", "key_refused"}


def _is_short_of_a_renderer(code: str) -> bool:
    return code == "renderer_unavailable"  # nothing can render in these tests


@pytest.mark.parametrize("order", ["document", pytest.param("page", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("version", list(Version))
async def test_every_example_works_as_pasted_and_a_second_time_is_refused_only_by_the_first(
    version: Version, order: str, api: Api
) -> None:
    page = await Page.open(api, version)
    steps = list_writes(version, by_heading=order == "page")
    assert len(steps) > 15
    for path, method, operation in steps:
        status, code = await page.execute(path, method, operation)
        assert status < 300 or _is_short_of_a_renderer(code), f"{method} {path}: {status} {code}"
    for path, method, operation in steps:
        status, code = await page.execute(path, method, operation)
        assert status < 300 or _is_short_of_a_renderer(code) or code in _THERE_ALREADY, f"{method} {path}: {code}"


def list_ids() -> Iterator[tuple[str, str]]:
    yield examples.EMPLOYEE, str(NORDLYS.id_of("employee", "Anna Holm"))
    yield examples.COLLEAGUE, str(NORDLYS.id_of("employee", "Bo Lind"))
    yield examples.ROOM, str(NORDLYS.id_of("room", "Fjorden"))
    yield examples.TOPIC, str(NORDLYS.id_of("topic", "Annual review"))
    yield examples.CUSTOMER_TYPE, str(NORDLYS.id_of("customer type", "Private"))
    yield examples.LOCATION, str(NORDLYS.id_of("location", "Aarhus"))
    yield examples.COMPETENCE_GROUP, str(NORDLYS.id_of("competence group", "Annual review"))
    yield examples.SERVICE_GROUP, str(NORDLYS.id_of("service group", "Aarhus"))
    yield examples.PORTAL, str(NORDLYS.id_of("portal", NORDLYS.name))
    yield examples.SCHEDULE, str(NORDLYS.id_of("schedule", "Anna Holm"))
    yield examples.SETTING, str(NORDLYS.id_of("organization setting", NORDLYS.name))


def test_the_examples_name_what_the_demo_has() -> None:
    for shown, demo in list_ids():
        assert shown == demo


async def test_what_an_example_replaces_is_what_the_demo_has_already(api: Api) -> None:
    for kinds, kind, name, example in (
        ("employees", "employee", "Anna Holm", examples.SAME_EMPLOYEE),
        ("rooms", "room", "Fjorden", examples.SAME_ROOM),
        ("meeting-topics", "topic", "Annual review", examples.SAME_TOPIC),
        ("customer-types", "customer type", "Private", examples.SAME_CUSTOMER_TYPE),
    ):
        address = f"v3/booking/config/{kinds}/{api.id_of(kind, name)}"
        before = (await api.get(address)).json()
        assert (await api.request("PUT", address, json=example)).json() == before
