"""The lists of resources in the settings: rows, pages of fifty, and trees."""

from http import HTTPStatus
from typing import Any, Final, NamedTuple

from litestar import Response

from meetdeck.pages.console.forms import Choice, Field, Subject, load_choices
from meetdeck.pages.console.kit import (
    ChangeNotice,
    ConsolePage,
    ListPage,
    offer,
    page_of,
    read_number,
    read_part,
    read_search,
)
from meetdeck.pages.console.settings.trees import Tree

_PAGE_SIZE: Final = 50
PORTALS: Final = "portals"


class Row(NamedTuple):
    """A resource in a list: its key, and a text for each column."""

    key: str
    cells: list[str]
    way: str = ""
    """The names of its ancestors in a tree, from the top."""
    page: str = ""
    """The path of the page that customers open, if it is a portal."""


async def show_list(
    page: ConsolePage,
    subject: Subject,
    status: int = HTTPStatus.OK,
    *,
    errors: list[tuple[str, str]] | None = None,
) -> Response[bytes]:
    """Show the resources of a kind that match the search, or a branch of their tree, with errors above them."""
    query = page.request.query_params
    wanted = read_search(query.get("q"))
    columns = [next(field for field in subject.fields if field.member == member) for member in subject.columns]
    part, tree = await _read_list(page, subject, columns, wanted)
    if tree is not None and page.is_part:
        return _show_branch(page, subject, tree, query.get("below", ""))
    choices = await load_choices(page.api, page.texts, (field.source for field in columns))
    rows = [
        Row(
            str(one["id"]),
            [_show_cell(page, field, one, choices) for field in columns],
            _write_way(tree, one),
            f"p/{one.get('address') or one['id']}" if subject.slug == PORTALS else "",
        )
        for one in part.items
    ]
    shown: dict[str, Any] = {"rows": rows, "columns": columns, "wanted": wanted, "paging": {"q": wanted}}
    shown |= {"number": part.number, "pages": part.pages}
    shown |= _show_tree(page, tree if not wanted else None)
    done = await read_notice(page, subject) if not errors else None
    return page.show(
        "settings-list.html",
        status,
        subject=subject,
        base_url=page.settings.base_url,
        done=done,
        errors=errors or [],
        **shown,
    )


def _show_branch(page: ConsolePage, subject: Subject, tree: Tree, below: str) -> Response[bytes]:
    """Answer a branch of a tree; if it is very wide, its first items and a link to all of them."""
    part = page_of(tree.list_below(below), 1, _PAGE_SIZE)
    more = part.total - len(part.items)
    return page.show("settings-branch.html", subject=subject, nodes=part.items, more=more, below=below)


async def _read_list(
    page: ConsolePage, subject: Subject, columns: list[Field], wanted: str
) -> tuple[ListPage[dict[str, Any]], Tree | None]:
    """Return a page of the resources that match the search, and the tree of all resources, if they form one."""
    number = read_number(page.request.query_params.get("page"))
    if subject.is_narrowed:
        search = wanted or None
        part = await read_part(page.api, subject.all_path, dict[str, Any], number, _PAGE_SIZE, search=search)
        return part, None
    resources = await page.api.get(subject.all_path, list[dict[str, Any]])
    part = page_of([one for one in resources if _has(columns, one, wanted)], number, _PAGE_SIZE)
    return part, Tree(resources, subject.above) if subject.above else None


def _show_tree(page: ConsolePage, tree: Tree | None) -> dict[str, Any]:
    """Return the part of a tree that a list shows: a page of its top, or of the items below the requested resource."""
    below = page.request.query_params.get("below", "")
    if tree is None:
        return {"tree": None}
    part = page_of(tree.list_below(below), read_number(page.request.query_params.get("page")), _PAGE_SIZE)
    way, here = tree.find_way(below), tree.find(below)
    shown = {"tree": part.items, "way": way, "here": here, "paging": {"below": below}}
    return {**shown, "number": part.number, "pages": part.pages}


def _write_way(tree: Tree | None, resource: dict[str, Any]) -> str:
    return " › ".join(one.name for one in tree.find_way(str(resource["id"]))) if tree is not None else ""  # noqa: RUF001 - an arrow


def _has(columns: list[Field], resource: dict[str, Any], wanted: str) -> bool:
    """Return whether a column contains the searched text."""
    texts = (str(field.find(resource) or "") for field in columns if field.kind in {"line", "email", "one", "lines"})
    return not wanted or any(wanted.casefold() in text.casefold() for text in texts)


def _show_cell(page: ConsolePage, field: Field, resource: dict[str, Any], choices: dict[str, list[Choice]]) -> str:
    value = field.find(resource)
    if field.kind == "tick":
        return page.texts.translate("Yes") if value else page.texts.translate("No")
    return field.show(value, choices.get(field.source, []), page.texts)


async def read_notice(page: ConsolePage, subject: Subject) -> ChangeNotice | None:
    """Return the notice of the change that led to a list."""
    query, translate = page.request.query_params, page.texts.translate
    path = f"settings/{subject.slug}/undo"
    if name := query.get("saved", ""):
        return await offer(page, path, subject.slug, name, translate("{name} is saved.", name=name))
    if name := query.get("deleted", ""):
        done = await offer(page, path, subject.slug, name, translate("{name} is deleted.", name=name))
        return done._replace(color="info")
    name = query.get("undone", "")
    return ChangeNotice(translate("{name} is as it was before.", name=name)) if name else None
