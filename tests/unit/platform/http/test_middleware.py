import pytest

from meetdeck.platform.http.around.middleware import canonical_path


@pytest.mark.parametrize(
    ("alias", "canonical"),
    [
        ("/api/v3/config/rooms", "/api/v3/booking/config/rooms"),
        ("/api/v2/config/customer-types", "/api/v2/booking/config/customer-types"),
        ("/api/v3/config", "/api/v3/booking/config"),
        ("/api/v3/booking/booking/meetings", "/api/v3/booking/meetings"),
        ("/api/v2/booking/booking/config/rooms", "/api/v2/booking/config/rooms"),
    ],
)
def test_an_alias_means_the_canonical_address(alias: str, canonical: str) -> None:
    assert canonical_path(alias) == canonical


@pytest.mark.parametrize(
    "path",
    [
        "/api/v3/booking/config/rooms",
        "/api/v3/booking/meetings",
        "/api/v3/configuration",
        "/api/v3/booking/bookings",
        "/api/v4/config/rooms",
        "/api/v3/present/templates/config",
        "/static/api/v3/config/rooms",
        "/",
    ],
)
def test_any_other_address_stays_as_it_is(path: str) -> None:
    assert canonical_path(path) == path
