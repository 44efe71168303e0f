"""Words in the form that a number requires: one goal, two goals."""

from typing import Final

from meetdeck.present.deck.language.numbers import parse_locale, read_number

# CLDR's categories, in its order.
_CATEGORIES: Final = ("zero", "one", "two", "few", "many", "other")


def write_plural(value: object, forms: str, locale: str) -> str:
    """Return the form of a word for a number, of forms like `goal, goals` in CLDR's order for the language.

    When there are fewer forms than the language has, the first is for one and the last for all others. Raises
    `Unwritable` for anything but a number.
    """
    words = [form.strip() for form in forms.split(",")]
    rule = parse_locale(locale).plural_form
    category = rule(abs(read_number(value)).normalize())
    categories = [name for name in _CATEGORIES if name in rule.tags or name == "other"]
    if len(words) == len(categories):
        return words[categories.index(category)]
    if category == "one":
        return words[0]
    return words[-1] if category == "other" else words[min(categories.index(category), len(words) - 1)]
