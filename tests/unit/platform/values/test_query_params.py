from datetime import date
from uuid import UUID

import msgspec
import pytest

from meetdeck.platform.values import AnyCase, Duration, InvalidInput, Moment, read_query_params


class Kind(AnyCase):
    LOCAL = "Local"
    SERVICE_GROUP = "ServiceGroup"


class ExampleQuery(msgspec.Struct, rename="camel", kw_only=True):
    is_customer: bool
    employee_ids: list[UUID] = []
    kinds: list[Kind] | None = None
    page_size: int = 20
    horizon: Duration | None = None
    starts_at: Moment | None = None
    location: str | None = None


FIRST, SECOND = UUID(int=1), UUID(int=2)


def read(**given: list[str]) -> ExampleQuery:
    return read_query_params({"isCustomer": ["true"]} | given, ExampleQuery)


@pytest.mark.parametrize(
    "texts", [[str(FIRST), str(SECOND)], [f"{FIRST},{SECOND}"], [f"{FIRST} , {SECOND},"], [f"{FIRST},", f",{SECOND}"]]
)
def test_arrays_are_read_repeated_and_comma_separated(texts: list[str]) -> None:
    assert read(employeeIds=texts).employee_ids == [FIRST, SECOND]


def test_arrays_are_read_with_brackets_behind_their_names() -> None:
    brackets = {"employeeIds[]": [str(FIRST), str(SECOND)]}
    assert read(**brackets).employee_ids == [FIRST, SECOND]
    assert read(employeeIds=[str(FIRST)], **{"employeeIds[]": [str(SECOND)]}).employee_ids == [FIRST, SECOND]
    assert read(**{"employeeIds[0]": [str(FIRST)], "employeeIds[1]": [str(SECOND)]}).employee_ids == [FIRST, SECOND]
    assert read(**{"kinds[]": [""]}).kinds == []
    assert read(**{"employeeIds[x]": [str(FIRST)], "[]": ["x"]}).employee_ids == []


def test_an_array_that_is_given_but_empty_is_not_an_omitted_one() -> None:
    assert read(kinds=[""]).kinds == []
    assert read().kinds is None


def test_enumerations_are_read_in_any_case() -> None:
    assert read(kinds=["servicegroup", "LOCAL"]).kinds == [Kind.SERVICE_GROUP, Kind.LOCAL]


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("True", True), ("1", True), ("false", False), ("0", False)]
)
def test_a_boolean_is_read(text: str, value: bool) -> None:  # noqa: FBT001 - a parameter of the test
    assert read(isCustomer=[text]).is_customer is value


def test_the_last_of_several_single_values_counts() -> None:
    assert read(pageSize=["10", "30"]).page_size == 30


def test_an_empty_single_value_is_an_omitted_one() -> None:
    assert read(pageSize=[""], horizon=[""], location=[""]) == read()


def test_unknown_parameters_are_ignored() -> None:
    assert read(colour=["green"]) == read()


def test_what_is_no_date_is_refused_with_an_example() -> None:
    class Day(msgspec.Struct):
        day: date

    with pytest.raises(InvalidInput, match="Write a date as YYYY-MM-DD, for example 2026-03-02"):
        read_query_params({"day": ["2. marts"]}, Day)


def test_every_fault_is_named_as_a_parameter() -> None:
    with pytest.raises(InvalidInput) as caught:
        read_query_params(
            {
                "employeeIds": ["x"],
                "kinds": ["Global"],
                "pageSize": ["many"],
                "horizon": ["7 days"],
                "startsAt": ["now"],
            },
            ExampleQuery,
        )
    assert {fault.pointer for fault in caught.value.faults} == {
        "/query/isCustomer",
        "/query/employeeIds/0",
        "/query/kinds/0",
        "/query/pageSize",
        "/query/horizon",
        "/query/startsAt",
    }
    assert "Local, ServiceGroup" in caught.value.detail
