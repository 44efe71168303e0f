"""The texts of the pages in each of their languages, and formats of dates and times."""

import gettext
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, get_decimal_symbol

from meetdeck.booking.configuration.portals.schemas import PageLanguage
from meetdeck.booking.localization import dates
from meetdeck.booking.localization.members import list_labels

LANGUAGES: Final = tuple(language.value for language in PageLanguage)
"""The languages of the pages, the default first. The code itself contains the English texts."""

_CATALOGUES: Final = Path(__file__).parent / "catalogues"


_ROUNDED_HOURS: Final = 100
_HALF_HOUR: Final = 30
WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Texts:
    """The texts, dates and times of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.locale = dates.LOCALES[language]
        self._catalogue = _load(language)

    @property
    def name(self) -> str:
        """Return the language's own name: English, Dansk."""
        name = self.locale.get_language_name() or self.language
        return begin_line(name)

    def translate(self, text: str, **values: object) -> str:
        """Return the translation of an English text, with `{names}` replaced by values."""
        translated = self._catalogue.gettext(text)
        return translated.format(**values) if values else translated

    def translate_plural(self, one: str, many: str, number: int) -> str:
        """Return the translation of a text in its singular or plural, with `{number}` replaced."""
        return self._catalogue.ngettext(one, many, number).format(number=number)

    def find(self, text: str) -> str | None:
        """Return the translation of a text in the catalogues, None for an unknown text."""
        if text not in _list_known():
            return None
        return self._catalogue.gettext(text)

    @property
    def weekdays(self) -> list[str]:
        """Return the short names of the weekdays, Monday first."""
        names = self.locale.days["stand-alone"]["abbreviated"]
        return [begin_line(names[number]) for number in range(7)]

    def name_weekday(self, day: str) -> str:
        """Return the name of a weekday by its English one."""
        number = WEEKDAYS.index(day)
        name = self.locale.days["stand-alone"]["wide"][number]
        return begin_line(name)

    def name_weekday_inside(self, day: str) -> str:
        """Return the name of a weekday inside a sentence: Monday, mandag."""
        return self.locale.days["format"]["wide"][WEEKDAYS.index(day)]

    def name_month(self, number: int) -> str:
        """Return the name of a month, 1 to 12."""
        name = self.locale.months["stand-alone"]["wide"][number]
        return begin_line(name)

    def show_day(self, day: date, today: date) -> str:
        """Return a day in words: Tuesday 24 November, with its year if that is not the present one."""
        return dates.show_day(day, today, self.language)

    def show_date(self, day: date) -> str:
        """Return a day with its year: Tuesday 24 November 2026."""
        return dates.show_date(day, self.language)

    def show_short_day(self, day: date) -> str:
        """Return a day and its short month: 24 Nov, 24. nov."""
        return format_date(day, dates.SHORT_DAYS[self.language], locale=self.locale)

    def show_days(self, first: date, last: date, today: date) -> str:
        """Return consecutive days with each month once, and a year other than the present one: 23 to 29 November."""
        return dates.show_days(first, last, today, self.language)

    def show_plain_date(self, day: date) -> str:
        """Return a day without its name, for use within a sentence: 24 November 2026."""
        return format_date(day, "long", locale=self.locale)

    def name_language(self, tag: str) -> str:
        """Return the name of a language by its tag (BCP 47): Danish (Denmark); the tag for one without a name."""
        try:
            name = Locale.parse(tag, sep="-").get_display_name(self.language) or tag
            return begin_line(name)
        except (ValueError, UnknownLocaleError):
            return tag

    def show_clock(self, moment: datetime, zone: tzinfo) -> str:
        """Return the time of day of a moment in a zone: 10:30."""
        return dates.show_clock(moment, zone, self.language)

    def show_span(self, begin: datetime, end: datetime, zone: tzinfo) -> str:
        """Return a period from its start to its end: 10:30 to 11:30."""
        return self.translate("{first} to {last}", first=self.show_clock(begin, zone), last=self.show_clock(end, zone))

    def show_hours(self, begin: time, end: time) -> str:
        """Return hours of a day: 08:00 to 16:30; the end of the day is 24:00."""
        first = format_time(begin, "short", locale=self.locale)
        last = format_time(end, "short", locale=self.locale) if end != time(0) else dates.MIDNIGHT[self.language]
        return self.translate("{first} to {last}", first=first, last=last)

    def show_clock_of_api(self, clock: str) -> str:
        """Return a time of day of the API (08:30 or 08:30:00) in the language's format: 08:30, 08.30."""
        return clock[:5].replace(":", dates.MIDNIGHT[self.language][2])

    def show_day_inside(self, day: date, today: date) -> str:
        """Return a day inside a sentence: Tuesday 24 November, tirsdag 24. november."""
        return dates.write_day(day, today, self.language)

    def show_date_inside(self, day: date) -> str:
        """Return a day with its year inside a sentence: Tuesday 24 November 2026, tirsdag 24. november 2026."""
        return dates.write_date(day, self.language)

    def show_period(self, first: date, last: date, today: date) -> str:
        """Return one day or a period of days in words: Tuesday 24 November to Friday 27 November."""
        begin = self.show_day(first, today)
        if first == last:
            return begin
        return self.translate("{begin} to {end}", begin=begin, end=self.show_day_inside(last, today))

    def show_moment(self, moment: datetime, today: date) -> str:
        """Return a moment in its own zone, inside a sentence: Tuesday 24 November, 10:30."""
        day, clock = self.show_day_inside(moment.date(), today), self._show_clock_once(moment)
        return self.translate("{day}, {clock}", day=day, clock=clock)

    def show_short_moment(self, moment: datetime, today: date) -> str:
        """Return a moment in its own zone where space is short: 24 Nov, 10:30; another year's with its year."""
        day = self.show_short_day(moment.date())
        day = day if moment.year == today.year else f"{day} {moment.year}"
        return self.translate("{short_day}, {clock}", short_day=day, clock=self._show_clock_once(moment))

    def show_long_span(self, begin: datetime, end: datetime, today: date) -> str:
        """Return a period with its day: Tuesday 24 November, 10:30 to 11:30."""
        if begin.date() != end.date():
            return self.translate(
                "{begin} to {end}", begin=self.show_moment(begin, today), end=self.show_moment(end, today)
            )
        first, last = self._show_clock_once(begin), self._show_clock_once(end)
        times = self.translate("{first} to {last}", first=first, last=last)
        return self.translate("{day}, {times}", day=self.show_day_inside(begin.date(), today), times=times)

    def _show_clock_once(self, moment: datetime) -> str:
        """Return the time of day, with the zone's abbreviation in the hour that clocks show twice."""
        clock = self.show_clock(moment, moment.tzinfo or UTC)
        is_there_twice = moment.replace(fold=0).utcoffset() != moment.replace(fold=1).utcoffset()
        return f"{clock} {moment:%Z}" if is_there_twice else clock

    def show_length(self, length: timedelta) -> str:
        """Return a length of time in hours and minutes, never in days: 45 minutes, 1 hour 30 minutes, 72 hours."""
        hours, minutes = divmod(round(length.total_seconds() / 60), 60)
        parts = [
            self.translate_plural("{number} hour", "{number} hours", hours) if hours else "",
            self.translate_plural("{number} minute", "{number} minutes", minutes) if minutes else "",
        ]
        return " ".join(part for part in parts if part)

    def show_distance(self, length: timedelta) -> str:
        """Return how far ahead something is: whole days as days, 90 days; else as a length, 4 hours."""
        days, rest = divmod(length, timedelta(days=1))
        return (
            self.translate_plural("{number} day", "{number} days", days)
            if days and not rest
            else self.show_length(length)
        )

    def show_length_in_hours(self, length: timedelta) -> str:
        """Return a length of time in hours and minutes, never in days: 63 h, 1 h 30 min; rounded from 100 hours on."""
        minutes = round(length.total_seconds() / 60)
        hours, minutes = divmod(minutes, 60)
        if hours >= _ROUNDED_HOURS:
            hours, minutes = hours + (minutes >= _HALF_HOUR), 0
        parts = [
            self.translate("{hours} h", hours=self.show_number(hours)) if hours or not minutes else "",
            self.translate("{minutes} min", minutes=minutes) if minutes else "",
        ]
        return " ".join(part for part in parts if part)

    @property
    def decimal_sign(self) -> str:
        """Return the sign before the decimals of a number: a point or a comma."""
        return get_decimal_symbol(self.locale)

    def show_number(self, number: float) -> str:
        """Return a number in the language's format: 78,757 or 78.757."""
        return format_decimal(number, locale=self.locale)


def begin_line(text: str) -> str:
    """Return a text with a capital at its beginning, as a line or a heading begins."""
    return text[:1].upper() + text[1:]


def mark(text: str) -> str:
    """Return a text unchanged: marking it here adds it to the catalogues, and it is translated elsewhere."""
    return text


@cache
def get_texts(language: str) -> Texts:
    """Return the texts of one of the pages' languages."""
    return Texts(language)


def choose_language(offered: Sequence[str], *wishes: str) -> str:
    """Return the first wanted language that is offered, or else the first offered one.

    A wish is a language tag, or the value of an `Accept-Language` header (RFC 9110, section 12.5.4).
    """
    for wish in wishes:
        for tag in _list_tags(wish):
            language = tag.split("-")[0].lower()
            if language in offered:
                return language
    return offered[0]


def _list_tags(accepted: str) -> list[str]:
    """Return the tags of a header in the order of preference, without those of weight 0."""
    weighted: list[tuple[float, str]] = []
    for part in accepted.split(",")[:20]:
        tag, _, weight = part.partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=")) if weight.strip() else 1.0
        except ValueError:
            continue
        if quality > 0:
            weighted.append((-quality, tag.strip()))
    return [tag for _, tag in sorted(weighted, key=lambda each: each[0])]


@cache
def _list_known() -> frozenset[str]:
    """Return the texts that the catalogues translate."""
    language = next(language for language in LANGUAGES if language != LANGUAGES[0])
    return frozenset(message.id for message in _read(language) if isinstance(message.id, str))


@cache
def _load(language: str) -> gettext.NullTranslations:
    if language == LANGUAGES[0]:
        return gettext.NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, _read(language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def _read(language: str) -> Catalog:
    """Return the translations of a language: those of its catalogue, and the names of members."""
    with (_CATALOGUES / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    for label, translated in list_labels(language).items():
        catalogue.add(label, translated)
    return catalogue
