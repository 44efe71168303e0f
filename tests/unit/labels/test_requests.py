import pytest

from meetdeck.labels.schemas import ActiveFilter, LabelMatch, LabelsQuery, SearchLabelsQuery, SuggestLabelsQuery
from meetdeck.platform.http.requests import read_query_params
from meetdeck.platform.serialization import InvalidInput


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
