"""The API's sentences in the language of a page, made from each sentence's template and values."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import Enum
from typing import Final, NamedTuple, Self

from babel.numbers import format_decimal
from markupsafe import Markup, escape

from meetdeck.pages.texts import Texts, mark
from meetdeck.platform.phrases import Hours, Meaning, NamedResource, Phrase, Phrases, Sequel, Span

KINDS: Final[Mapping[str, str]] = {
    mark("employee"): "settings/employees/{id}",
    mark("room"): "settings/rooms/{id}",
    mark("meeting topic"): "settings/topics/{id}",
    mark("customer type"): "settings/customer-types/{id}",
    mark("location"): "settings/locations/{id}",
    mark("competence group"): "settings/competence-groups/{id}",
    mark("service group"): "settings/service-groups/{id}",
    mark("portal"): "settings/portals/{id}",
    mark("employee schedule"): "",
    mark("organization setting"): "",
    mark("document rule"): "",
    mark("meeting"): "calendar/meetings/{id}",
    mark("time slot"): "",
    mark("wish"): "",
    mark("calendar entry"): "",
    mark("calendar connection"): "connections/{id}",
    mark("topic"): "settings/topics/{id}",
}
"""The API's words for the kinds of things, each with the page of one below the console; empty if there is none."""

_LARGEST_DEPTH: Final = 12
BY_CODE: Final[Mapping[str, str]] = {
    "invalid_data": mark("This does not fit here. “Fill it with an example” shows what does."),
    "invalid_template": mark("This file cannot be used as a template yet. Fix it in PowerPoint and upload it again."),
    "too_large": mark("This is larger than this installation allows."),
    "unknown_slide": mark("A selected slide is no longer in the template."),
    "shared_slide_missing": mark("The slide from the other template does not exist."),
    "unavailable": mark("A service that this needs is unavailable. Please try again in a moment."),
}
"""The sentence for an error whose own text is in no catalogue, by its code."""

_OTHER: Final = mark("The system does not allow this ({code}).")

Link = Callable[[str], str]
"""Returns the address of a path below the console; empty: not for this reader."""


class Translator(NamedTuple):
    """Translates the API's texts into a page's language, with times in the firm's time zone and things as links."""

    texts: Texts
    zone: tzinfo
    today: date
    link: Link | None = None

    def translate(self, text: str, phrases: Phrases, code: str = "") -> str:
        """Return a text of the API in the page's language; for an unknown one, a general sentence with its code."""
        if not text:
            return ""
        if (meaning := phrases.get(text)) is None:
            said = self.texts.find(text)
            return said if said is not None else self.texts.translate(BY_CODE.get(code, _OTHER), code=code or "error")
        told = self._translate(text, meaning, phrases, 0)
        begins_sentence = text[0].isupper() and isinstance(meaning, Phrase)
        return told[:1].upper() + told[1:] if begins_sentence else told

    def _translate(self, text: str, meaning: Meaning, phrases: Phrases, depth: int) -> str:
        if depth > _LARGEST_DEPTH:
            return text
        match meaning:
            case Phrase(template, values):
                return self._fill(template, values, phrases, depth)
            case Sequel(parts, between):
                return _join([self._translate_value(part, phrases, depth, own=text) for part in parts], between)
            case NamedResource():
                return self._show_thing(meaning)
            case _:
                return self._show_time(meaning)

    def _show_time(self, meaning: Hours | Span | datetime | date | timedelta) -> str:
        match meaning:
            case Hours(begin, end):
                return self.texts.show_hours(begin, end)
            case Span(begin, end):
                return self.texts.show_long_span(begin, end, self.today)
            case datetime():
                local = meaning.astimezone(self.zone) if meaning.tzinfo is UTC else meaning
                return self.texts.show_moment(local, self.today)
            case timedelta():
                return self.texts.show_length(meaning)
            case _:
                return self.texts.show_day_inside(meaning, self.today)

    def _fill(self, template: str, values: Mapping[str, object], phrases: Phrases, depth: int) -> str:
        told = {name: self._translate_value(value, phrases, depth) for name, value in values.items()}
        words = self.texts.find(template) or template
        if any(isinstance(value, Markup) for value in told.values()):
            return Markup(escape(words)).format(**told)  # noqa: S704 - escaped just before
        return words.format(**told)

    def _translate_value(self, value: object, phrases: Phrases, depth: int, own: str = "") -> object:
        if isinstance(value, NamedResource):
            return self._show_thing(value)
        if isinstance(value, bool) or not isinstance(value, str | int):
            return value
        if isinstance(value, int):
            return _Number(value, self.texts)
        if isinstance(value, Enum):
            return self.texts.find(str(value)) or value
        meaning = phrases.get(value)
        return value if meaning is None or value == own else self._translate(value, meaning, phrases, depth + 1)

    def _show_thing(self, thing: NamedResource) -> str:
        page = KINDS.get(thing.kind)
        if not page or self.link is None:
            return thing.name
        address = self.link(page.format(id=thing.id))
        if not address:
            return thing.name
        return Markup('<a class="ds-link" href="{}">{}</a>').format(address, thing.name)


class _Number(int):
    """A number whose digits a template groups in the language's way, if it asks for that (`{count:,}`)."""

    def __new__(cls, number: int, texts: Texts) -> Self:
        made = super().__new__(cls, number)
        made._texts = texts
        return made

    _texts: Texts

    def __format__(self, spec: str) -> str:
        return format_decimal(int(self), locale=self._texts.locale) if spec == "," else format(int(self), spec)


def _join(told: list[object], between: str) -> str:
    parts = [part if isinstance(part, Markup) else str(part) for part in told]
    if any(isinstance(part, Markup) for part in parts):
        return Markup(escape(between)).join(parts)  # noqa: S704 - escaped just before
    return between.join(parts)


def write_plainly(text: str) -> str:
    """Return a translated text without its links."""
    return text.striptags() if isinstance(text, Markup) else text
