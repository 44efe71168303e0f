"""The groups of the settings on their first page."""

from typing import Final

from meetdeck.pages.console.kit import SETTINGS, ConsolePage, SettingsGroup, SettingsPage

_OWN_ROLES: Final = frozenset({"settings/directory", "settings/keys", "settings/requests", "settings/webhooks"})
"""Pages that need another role than the settings."""


def list_groups(page: ConsolePage, wanted: str) -> list[SettingsGroup]:
    """Return the groups with the pages that the reader may open and that match the search; none is empty."""
    translate = page.texts.translate

    def is_shown(one: SettingsPage) -> bool:
        may = one.path not in _OWN_ROLES or page.may_open(one.path)
        return may and wanted.casefold() in f"{translate(one.title)} {translate(one.lead)}".casefold()

    groups = (group._replace(pages=tuple(filter(is_shown, group.pages))) for group in SETTINGS)
    return [group for group in groups if group.pages]
