"""The lists of columns that stores give to their SQL."""

from enum import Enum
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from meetdeck.platform.database import Columns
from meetdeck.platform.database.columns import expand_columns


class Order(Enum):
    """A place among others."""

    LAST = "last"


class Chair(msgspec.Struct):
    """A resource whose id and color are stored under other names, and whose tags in another table."""

    id: int
    order: str
    color: str | UnsetType
    tags: list[str]


CHAIR = Columns(Chair, elsewhere=("tags",), id="chair_id", color="hue")


def expand(sql: str) -> str:
    """Return the SQL with the columns of chairs."""
    return expand_columns(sql, {"columns": CHAIR}, source="chairs/queries.sql")


def test_a_list_stands_where_it_is_named() -> None:
    assert expand("insert into chair ({columns}) select") == 'insert into chair ("chair_id", "order", "hue") select'


def test_a_list_may_be_of_a_table_or_under_the_names_of_the_members() -> None:
    assert expand("{given.columns}") == 'given."chair_id", given."order", given."hue"'
    assert (
        expand("{chair.columns as members}")
        == 'chair."chair_id" as "id", chair."order" as "order", chair."hue" as "color"'
    )


def test_a_list_may_be_the_parameters_of_a_query_and_what_it_takes() -> None:
    assert expand("-- name: add({columns as arguments})!") == "-- name: add(chair_id, order, hue)!"
    assert expand("values ({columns as parameters})") == "values (:chair_id, :order, :hue)"


def test_arrays_of_sql_are_no_lists() -> None:
    assert expand("meeting_types = '{}' or '{1,2}'") == "meeting_types = '{}' or '{1,2}'"


def test_an_unknown_list_is_refused_with_its_file_and_those_there_are() -> None:
    with pytest.raises(
        ValueError, match=r"^chairs/queries\.sql: \{given\.colums\} is not a list .* It gives \{columns\}\.$"
    ):
        expand("set ({columns}) = row({given.colums})")


@pytest.mark.parametrize("named", [{"elsewhere": ("tag",)}, {"tag": "chair_tag"}])
def test_a_name_that_is_no_member_is_refused(named: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="Chair has no member tag; it has id, order, color, tags"):
        Columns(Chair, **named)


def test_a_row_has_the_columns_names_and_null_for_what_is_not_set() -> None:
    chair = Chair(1, "last", UNSET, ["soft"])
    assert CHAIR.write(chair) == {"chair_id": 1, "order": "last", "hue": None}
    assert CHAIR.write(chair, order=Order.LAST)["order"] == "last"
    assert CHAIR.write(chair, id=2, color="red") == {"chair_id": 2, "order": "last", "hue": "red"}
