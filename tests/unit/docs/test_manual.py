"""The manual names every setting, command, event, filter, function and directive, each where readers look for it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from cyclopts import App

from meetdeck.cli.command_line import app
from meetdeck.platform.changes import EventType
from meetdeck.platform.settings import ProviderSettings, Settings
from meetdeck.present.deck.language.directives import DIRECTIVES
from meetdeck.present.deck.language.filters import FILTER_NAMES

_DOCS = Path(__file__).parents[3] / "docs"
_PAGES = {path.relative_to(_DOCS).as_posix(): path.read_text(encoding="utf-8") for path in _DOCS.rglob("*.md")}
_OF_OPERATIONS = "".join(text for name, text in _PAGES.items() if name.startswith("operations/"))
_OF_TEMPLATES = _PAGES["templates.md"] + "".join(
    path.read_text(encoding="utf-8") for path in (_DOCS / "templates").glob("*.md")
)
_CODE = " ".join(re.findall(r"`([^`\n]+)`", _OF_TEMPLATES))
_PROVIDERS = {name for name, field in Settings.model_fields.items() if field.annotation is ProviderSettings}


def _list_settings() -> Iterator[str]:
    yield from (f"MEETDECK_{name.upper()}" for name in Settings.model_fields if name not in _PROVIDERS)
    yield from (f"MEETDECK_{name.upper()}_ISSUER" for name in _PROVIDERS)
    yield from (f"MEETDECK_PORTAL_{name.upper()}" for name in ProviderSettings.model_fields)


def _list_commands(group: App, before: str) -> Iterator[str]:
    for name in group:
        command = group[name]
        if name.startswith("-") or name != command.name[0]:  # an option, or a second name of a command
            continue
        if any(not each.startswith("-") for each in command):
            yield from _list_commands(command, f"{before} {name}")
        else:
            yield f"{before} {name}"


def _is_named(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text) is not None


def test_each_setting_is_in_a_page_about_operations() -> None:
    assert [name for name in sorted(set(_list_settings())) if not _is_named(name, _OF_OPERATIONS)] == []


def test_each_command_is_in_a_page() -> None:
    commands = sorted(_list_commands(app, "meetdeck"))
    assert len(commands) > 40
    assert [each for each in commands if not any(_is_named(each, text) for text in _PAGES.values())] == []


def test_each_event_has_a_row_in_its_table() -> None:
    row = r"^\| (`[\w.]+`, )*`{}`(, `[\w.]+`)* \| "
    missing = [
        event.value
        for event in EventType
        if not re.search(row.replace("{}", re.escape(event)), _PAGES["events.md"], re.MULTILINE)
    ]
    assert missing == []


def test_each_filter_and_function_is_in_a_page_about_templates() -> None:
    assert [name for name in sorted(FILTER_NAMES) if not _is_named(name, _CODE)] == []


@pytest.mark.parametrize("name", sorted(DIRECTIVES))
def test_a_directive_and_its_options_are_in_a_page_about_templates(name: str) -> None:
    assert f"{{{{{name}" in _CODE
    for option, choices in DIRECTIVES[name].options.items():
        words = (option, *(choice for choice in choices if not choice.isdigit()))
        assert [word for word in words if not _is_named(word, _CODE)] == []
