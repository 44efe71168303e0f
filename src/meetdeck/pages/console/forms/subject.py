"""A kind of resource as its pages show it: its words, its addresses in the API, its columns and its fields."""

from typing import Any, NamedTuple

from meetdeck.pages.console.forms.fields import Field


class Subject(NamedTuple):
    """A kind of resource: its words in English, its addresses, its columns in a list, and the fields of its form."""

    slug: str
    path: str
    many: str
    one: str
    lead: str
    fields: tuple[Field, ...]
    columns: tuple[str, ...]
    """The members of the fields that a list shows; the first one is the name."""
    list_path: str = ""
    """The address of the list, if it is another."""
    is_narrowed: bool = False
    """Whether the API searches the list, and answers it page by page."""
    by_patch: bool = False
    """Whether the API changes it by JSON Patch; else it is replaced."""
    defaults: dict[str, Any] = {}  # noqa: RUF012 - of a tuple, which nobody changes
    """The values in the form of a new one, where they are not empty."""
    query: dict[str, bool] = {}  # noqa: RUF012 - likewise
    """The parameters with which the API answers all of a resource."""
    preview: str = ""
    """The address that draws one before it is saved; empty: nothing does."""
    keeps_id: bool = True
    """Whether one that was deleted gets its id again."""
    can_be_deleted: bool = True
    above: str = ""
    """The member with the ids of those above one: the list is a tree then."""

    @property
    def all_path(self) -> str:
        """Return the address of the list."""
        return self.list_path or self.path

    def list_sources(self) -> set[str]:
        """Return where the choices of its fields come from."""
        return {one.source for field in self.fields for one in (field, *field.columns)}

    def find_field(self, pointer: str) -> Field | None:
        """Return the field that a JSON pointer is about."""
        path = pointer.strip("/")
        matching = [one for one in self.fields if f"{path}/".startswith(f"{one.member}/")]
        found = max(matching, key=lambda one: len(one.member), default=None)
        return found.find_cell(path) if found is not None and found.columns else found
