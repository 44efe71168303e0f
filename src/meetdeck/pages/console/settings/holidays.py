"""The public holidays of some countries by year, named in the page's language or the country's own."""

from collections.abc import Mapping
from datetime import date
from typing import Final, NamedTuple

from meetdeck.pages.texts import mark


class Country(NamedTuple):
    """A country: its name in English, the time zone of its firms, and the language of its holidays."""

    name: str
    zone: str
    language: str


COUNTRIES: Final[Mapping[str, Country]] = {
    "DK": Country(mark("Denmark"), "Europe/Copenhagen", "da"),
    "NO": Country(mark("Norway"), "Europe/Oslo", "no"),
    "SE": Country(mark("Sweden"), "Europe/Stockholm", "sv"),
    "DE": Country(mark("Germany"), "Europe/Berlin", "de"),
    "GB": Country(mark("United Kingdom"), "Europe/London", "en_GB"),
}
_ENGLISH: Final = "en_US"


def find_country(zone: str) -> str:
    """Return the code of the country with a time zone, Denmark's for any other."""
    return next((code for code, country in COUNTRIES.items() if country.zone == zone), "DK")


def list_holidays(code: str, year: int, language: str) -> dict[date, str]:
    """Return the national public holidays of a country, with their names, in order, without regional ones."""
    import holidays  # noqa: PLC0415 - it takes 0.2 s, and one page needs it

    own = COUNTRIES[code].language
    spoken = _ENGLISH if language == "en" and not own.startswith("en") else own
    found = holidays.country_holidays(code, years=year, language=spoken)
    return dict(sorted(found.items()))
