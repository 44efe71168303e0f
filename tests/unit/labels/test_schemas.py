import pytest

from meetdeck.labels.errors import InvalidLabel
from meetdeck.labels.schemas import (
    LONGEST_NAME,
    MOST_LABELS,
    ActiveFilter,
    LabelMatch,
    LabelsQuery,
    SearchLabelsQuery,
    SuggestLabelsQuery,
    read_name,
    read_names,
    trim_prefix,
)
from meetdeck.platform.values import InvalidInput, read_query_params


def test_a_name_is_trimmed_of_every_kind_of_space() -> None:
    assert read_name(" \t\u00a0VIP customer\u2003\n", "/labelName") == "VIP customer"


def test_a_letter_written_as_two_code_points_becomes_one() -> None:
    assert read_names(["A\u030arhus"]) == ["Århus"]
    assert read_name("a\u030a" * LONGEST_NAME, "/labelName") == "å" * LONGEST_NAME


@pytest.mark.parametrize("name", ["", "  ", "x" * (LONGEST_NAME + 1)])
def test_a_name_has_one_to_a_hundred_characters(name: str) -> None:
    with pytest.raises(InvalidLabel, match="1 to 100 characters") as caught:
        read_name(name, "/labelName")
    assert [fault.pointer for fault in caught.value.faults] == ["/labelName"]


def test_every_name_that_is_none_is_named() -> None:
    with pytest.raises(InvalidLabel) as caught:
        read_names(["VIP", "", "Pension", "x" * 500])
    assert [(fault.pointer, fault.detail) for fault in caught.value.faults] == [
        ("/labels/1", "Must not be empty."),
        ("/labels/3", "Must have at most 100 characters."),
    ]


def test_one_resource_carries_a_hundred_labels_at_most() -> None:
    names = [f"Label {number}" for number in range(MOST_LABELS + 1)]
    assert len(read_names(names[:MOST_LABELS])) == MOST_LABELS
    with pytest.raises(InvalidLabel, match="At most 100 labels, not 101") as caught:
        read_names(names)
    assert caught.value.faults[0].pointer == "/labels"


def test_a_space_at_the_end_of_a_beginning_counts() -> None:
    assert trim_prefix("  vip ") == "vip "


def test_what_is_not_asked_has_the_contracts_defaults() -> None:
    page = read_query_params({}, LabelsQuery)
    assert (page.page_number, page.page_size, page.active_filter) == (0, 20, ActiveFilter.ALL)
    search = read_query_params({"q": ["vip"]}, SearchLabelsQuery)
    assert (search.threshold, search.limit, search.active_filter) == (0.3, 20, ActiveFilter.ALL)
    suggest = read_query_params({}, SuggestLabelsQuery)
    assert (suggest.prefix, suggest.limit) == ("", 10)


def test_enumerations_are_read_in_any_case() -> None:
    assert read_query_params({"activeFilter": ["iNACTIVE"]}, LabelsQuery).active_filter is ActiveFilter.INACTIVE
    assert LabelMatch("Any") is LabelMatch.ANY


@pytest.mark.parametrize("threshold", ["nan", "inf", "-0.01", "1.01", "much"])
def test_a_threshold_lies_between_0_and_1(threshold: str) -> None:
    with pytest.raises(InvalidInput, match="/query/threshold"):
        read_query_params({"q": ["vip"], "threshold": [threshold]}, SearchLabelsQuery)
