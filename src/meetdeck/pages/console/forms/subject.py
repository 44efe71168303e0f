"""A kind of resource as its pages show it: its words, its addresses in the API, its columns and its fields."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from meetdeck.pages.console.forms.fields import Field
from meetdeck.pages.console.kit import SettingsPage, find_settings_page


class Subject(NamedTuple):
    """A kind of resource: its addresses, its columns in a list, and the fields of its form."""

    slug: str
    path: str
    fields: tuple[Field, ...]
    columns: tuple[str, ...]
    """The members of the fields in a list; the first one is the name."""
    list_path: str = ""
    """The address of the list, if it is another."""
    is_narrowed: bool = False
    """True if the API searches the list, and answers it page by page."""
    by_patch: bool = False
    """True if the API changes it by JSON Patch; otherwise it is replaced."""
    defaults: dict[str, Any] = {}  # noqa: RUF012 - of a tuple, which nobody changes
    """The values in the form of a new one that are not empty."""
    query: dict[str, bool] = {}  # noqa: RUF012 - likewise
    """The parameters with which the API answers all of a resource."""
    preview: str = ""
    """The address that draws one before it is saved; empty: there is none."""
    keeps_id: bool = True
    """True if a deleted one can be restored with its id."""
    can_be_deleted: bool = True
    above: str = ""
    """The member with the ids of the parents, if the list is a tree."""
    owned: tuple[str, ...] = ()
    """The members that the firm's directory writes."""
    only_shown: tuple[Field, ...] = ()
    """The fields of a resource that the directory owns, which are only shown."""

    @property
    def page(self) -> SettingsPage | None:
        """Return its page among the settings, which has its words."""
        return find_settings_page(self.slug)

    @property
    def all_path(self) -> str:
        """Return the address of the list."""
        return self.list_path or self.path

    def list_sources(self) -> set[str]:
        """Return the sources of its fields' choices."""
        return {one.source for field in self.fields for one in (field, *field.columns)}

    def narrow(self, resource: Mapping[str, Any]) -> "Subject":
        """Return the subject of a resource: fields that the directory owns are only shown."""
        if not self.owned or not resource.get("provisioned"):
            return self
        return self._replace(
            fields=tuple(one for one in self.fields if one.member not in self.owned),
            only_shown=tuple(one for one in self.fields if one.member in self.owned),
            can_be_deleted=False,
        )

    def find_field(self, pointer: str) -> Field | None:
        """Return the field to which a JSON pointer refers."""
        path = pointer.strip("/")
        matching = [one for one in self.fields if f"{path}/".startswith(f"{one.member}/")]
        found = max(matching, key=lambda one: len(one.member), default=None)
        return found.find_cell(path) if found is not None and found.columns else found
