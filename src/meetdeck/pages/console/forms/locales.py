"""The languages in which a firm can write its texts, with their names. Pure."""

from collections.abc import Iterable
from typing import Final

from meetdeck.pages.console.forms.fields import Choice
from meetdeck.pages.texts import Texts

_OFFERED: Final = """
    da-DK de-AT de-CH de-DE en-GB en-IE en-US nb-NO nn-NO sv-SE sv-FI fi-FI is-IS fo-FO kl-GL nl-NL nl-BE fr-FR fr-
    BE fr-CH es-ES ca-ES eu-ES gl-ES pt-PT pt-BR it-IT it-CH ga-IE cy-GB mt-MT pl-PL cs-CZ sk-SK hu-HU ro-RO bg-BG
    hr-HR sr-RS bs-BA sl-SI mk-MK sq-AL el-GR et-EE lv-LV lt-LT uk-UA ru-RU tr-TR ar-SA he-IL fa-IR ur-PK hi-IN th-
    TH vi-VN zh-CN ja-JP ko-KR
"""


def list_locales(texts: Texts, used: Iterable[str]) -> list[Choice]:
    """Return the languages that a form offers, and those in use, by their names in the page's language."""
    choices = [Choice(tag, texts.name_language(tag)) for tag in {*_OFFERED.split(), *filter(None, used)}]
    return sorted(choices, key=lambda one: one.label.casefold())
