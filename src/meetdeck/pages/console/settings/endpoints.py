"""The pages of the settings: what there is, its list, and its form."""

from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.forms import Choice, Faults, Field, Record, Subject, forms, load_choices, to_members
from meetdeck.pages.console.kit import (
    ApiRefusal,
    ChangeNotice,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    Drawing,
    ListPage,
    SentForm,
    SessionSecrets,
    Undo,
    UndoRefused,
    find_settings_page,
    offer,
    page_of,
    read_number,
    read_part,
    read_search,
    take_back,
)
from meetdeck.pages.console.settings.groups import list_groups
from meetdeck.pages.console.settings.languages import localize
from meetdeck.pages.console.settings.subjects import find_subject
from meetdeck.pages.console.settings.trees import Tree
from meetdeck.platform.errors import NotFound
from meetdeck.platform.http.calls import Service
from meetdeck.platform.identity import Access

_PAGE_SIZE: Final = 50
_PORTALS: Final = "portals"
_LED_TO: Final = frozenset({"employees", _PORTALS})
"""After one of these is made there is more to do on its page."""
_NO_FAULTS: Final = Faults({}, [])


class EditedResource(NamedTuple):
    """The resource that a form is about: its key, and as the API has it; neither for a new one."""

    key: str = ""
    opened: Record | None = None


_NEW: Final = EditedResource()


class Row(NamedTuple):
    """A resource in a list: its key, and a text for each column."""

    key: str
    cells: list[str]
    way: str = ""
    """The names of those above it, from the top, in a tree."""
    page: str = ""
    """The path of the page that customers open, of a portal."""


class Settings(ConsoleController):
    """The pages on which a configurator sets things up."""

    path = "/console/settings"

    @get()
    async def show_subjects(self, page: CurrentPage) -> Response[bytes]:
        """Show what can be set, in groups; of all pages those that have what is looked for."""
        wanted = read_search(page.request.query_params.get("q"))
        return page.show("settings.html", wanted=wanted, groups=list_groups(page, wanted))

    @get("/{slug:str}")
    async def show_list(self, page: CurrentPage, slug: FromPath[str]) -> Response[bytes]:
        """Show the resources of a kind, those that have what is looked for, fifty on a page."""
        return await _show_list(page, await _open_subject(page, slug))

    @get("/{slug:str}/new")
    async def show_new(self, page: CurrentPage, slug: FromPath[str]) -> Response[bytes]:
        """Show the empty form."""
        subject = await _open_subject(page, slug)
        above = page.request.query_params.getall(subject.above, []) if subject.above else []
        values = {**subject.defaults, subject.above: above}
        return await _show_form(page, subject, forms.write_values(subject, values))

    @post("/{slug:str}/new", status_code=HTTPStatus.SEE_OTHER)
    async def create(
        self, form: CurrentForm, slug: FromPath[str], session_secrets: Service[SessionSecrets]
    ) -> Response[bytes]:
        """Make a resource, and lead to its list, or to its own page where that leads on."""
        page = form.page
        subject = await _open_subject(page, slug)
        values, faults = forms.read_values(subject, form)
        if not _is_search(form) and not faults.summary:
            await _require_recent(form, session_secrets, subject, {}, to_members(values))
            try:
                made = (await forms.create(page.api, subject, values)).read(dict[str, Any])
            except ApiRefusal as refused:
                faults = forms.find_faults(subject, refused, page.texts)
            else:
                place = f"{slug}/{made['id']}" if slug in _LED_TO else slug
                return page.lead_to(f"settings/{place}?saved={quote(_name(subject, made))}")
        return await _show_again(form, subject, faults)

    @get("/{slug:str}/{key:str}")
    async def show_one(self, page: CurrentPage, slug: FromPath[str], key: FromPath[str]) -> Response[bytes]:
        """Show the form of a resource."""
        subject = await _open_subject(page, slug)
        opened = await forms.open_resource(page.api, subject, _quote(key))
        return await _show_form(
            page,
            subject,
            forms.write_values(subject, opened.resource),
            EditedResource(key, opened),
            done=await _read_notice(page, subject),
        )

    @post("/{slug:str}/{key:str}", status_code=HTTPStatus.SEE_OTHER)
    async def save(
        self, form: CurrentForm, slug: FromPath[str], key: FromPath[str], session_secrets: Service[SessionSecrets]
    ) -> Response[bytes]:
        """Save a resource unless somebody else has changed it meanwhile: then both versions are shown (412)."""
        page = form.page
        subject = await _open_subject(page, slug)
        opened = await forms.open_resource(page.api, subject, _quote(key))
        form = forms.add_unseen(subject, form, opened)
        values, faults = forms.read_values(subject, form)
        if _is_search(form) or faults.summary:
            return await _show_again(form, subject, faults, EditedResource(key, opened._replace(tag=form.get("tag"))))
        if opened.tag != form.get("tag"):
            return await _show_conflict(form, subject, key, opened)
        await _require_recent(form, session_secrets, subject, opened.resource, to_members(values))
        try:
            tag = await forms.save(page.api, subject, _quote(key), opened, values)
        except ApiRefusal as refused:
            if refused.status == HTTPStatus.PRECONDITION_FAILED:
                now = await forms.open_resource(page.api, subject, _quote(key))
                return await _show_conflict(form, subject, key, now)
            faults = forms.find_faults(subject, refused, page.texts)
            return await _show_again(form, subject, faults, EditedResource(key, opened))
        name = _name(subject, opened.resource | values)
        if tag:
            await page.sessions.keep_undo(page.session, Undo(slug, key, name, tag, opened.resource))
        return page.lead_to(f"settings/{slug}?saved={quote(name)}")

    @post("/{slug:str}/{key:str}/delete", status_code=HTTPStatus.OK)
    async def delete(self, form: CurrentForm, slug: FromPath[str], key: FromPath[str]) -> Response[bytes]:
        """Delete a resource, and lead to the list with a way to have it again; a question comes first."""
        page = form.page
        subject = await _open_subject(page, slug)
        opened = await forms.open_resource(page.api, subject, _quote(key))
        name = _name(subject, opened.resource)
        if not form.get("sure"):
            return _show_deletion(page, slug, key, opened.tag, name)
        try:
            await page.api.send("DELETE", f"{subject.path}/{_quote(key)}", headers={"If-Match": form.get("tag")})
        except ApiRefusal as refused:
            faults = Faults({}, [refused.detail])
            values = forms.write_values(subject, opened.resource)
            return await _show_form(page, subject, values, EditedResource(key, opened), faults)
        await page.sessions.keep_undo(page.session, Undo(slug, "", name, "", opened.resource))
        return page.lead_to(f"settings/{slug}?deleted={quote(name)}")

    @post("/{slug:str}/preview", status_code=HTTPStatus.OK)
    async def preview(self, form: CurrentForm, slug: FromPath[str]) -> Response[bytes]:
        """Show what would be saved, drawn by the API; or what is wrong with it."""
        page = form.page
        subject = await _open_subject(page, slug)
        if not subject.preview:
            raise NotFound("There is no such page.")
        values, faults = forms.read_values(subject, form)
        if not faults.summary:
            query = {"step": form.get("preview-step") or None, "language": form.get("preview-language") or None}
            try:
                drawn = await page.api.send("POST", subject.preview, to_members(values), query=query)
            except ApiRefusal as refused:
                faults = forms.find_faults(subject, refused, page.texts)
            else:
                return page.show_drawing(drawn.read(Drawing))
        return page.show_in_frame(
            "preview-refused.html", HTTPStatus.UNPROCESSABLE_ENTITY, faults=[text for _, text in faults.summary]
        )

    @post("/{slug:str}/undo", status_code=HTTPStatus.SEE_OTHER)
    async def undo(
        self, form: CurrentForm, slug: FromPath[str], session_secrets: Service[SessionSecrets]
    ) -> Response[bytes]:
        """Take back the last change of a resource, unless somebody has changed it since (409)."""
        page = form.page
        subject = await _open_subject(page, slug)
        try:
            undone = await take_back(page, slug, partial(_put_back, form, session_secrets, subject))
        except UndoRefused as stays:
            return await _show_list(page, subject, HTTPStatus.CONFLICT, errors=[("", str(stays))])
        told = f"?undone={quote(_name(subject, undone.resource))}" if undone is not None else ""
        return page.lead_to(f"settings/{slug}{told}")


def _show_deletion(page: ConsolePage, slug: str, key: str, tag: str, name: str) -> Response[bytes]:
    """Show the question that comes before a deletion."""
    say = page.texts.say
    lead = say("Meetings that were held are kept. What is still in use cannot be deleted.")
    keep = f"settings/{slug}/{_quote(key)}"
    return page.show_confirmation(say("Delete {name}?", name=name), lead, say("Delete"), keep=keep, tag=tag)


async def _require_recent(
    form: SentForm, secrets: SessionSecrets, subject: Subject, before: dict[str, Any], after: dict[str, Any]
) -> None:
    """Raise SignInTooOld for a change of where a firm's data is sent, unless its sender signed in recently."""
    guarded = [field for field in subject.fields if field.needs is not Access.EMPLOYEE and form.page.may(field.needs)]
    if any(field.find(before) != field.find(after) for field in guarded):
        await form.require_recent_sign_in(secrets)


async def _put_back(form: SentForm, secrets: SessionSecrets, subject: Subject, undo: Undo) -> None:
    """Put a resource back as it was before a change, with its id. Raises ApiRefusal, SignInTooOld."""
    api = form.page.api
    values = forms.find_values(subject, undo.resource)
    if not undo.key:
        await _require_recent(form, secrets, subject, {}, undo.resource)
        kept = {"id": undo.resource.get("id")} if subject.keeps_id else {}
        await forms.create(api, subject, kept | values)
        return
    key = _quote(undo.key)
    opened = await forms.open_resource(api, subject, key)
    await _require_recent(form, secrets, subject, opened.resource, undo.resource)
    await forms.save(api, subject, key, opened._replace(tag=undo.tag), values)


async def _read_notice(page: ConsolePage, subject: Subject) -> ChangeNotice | None:
    """Return the note of the deed that has led to a list."""
    query, say = page.request.query_params, page.texts.say
    path = f"settings/{subject.slug}/undo"
    if name := query.get("saved", ""):
        return await offer(page, path, subject.slug, name, say("{name} is saved.", name=name))
    if name := query.get("deleted", ""):
        done = await offer(page, path, subject.slug, name, say("{name} is deleted.", name=name))
        return done._replace(color="info")
    name = query.get("undone", "")
    return ChangeNotice(say("{name} is as it was before.", name=name)) if name else None


async def _show_list(
    page: ConsolePage,
    subject: Subject,
    status: int = HTTPStatus.OK,
    *,
    errors: list[tuple[str, str]] | None = None,
) -> Response[bytes]:
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
            f"p/{one.get('address') or one['id']}" if subject.slug == _PORTALS else "",
        )
        for one in part.items
    ]
    shown: dict[str, Any] = {"rows": rows, "columns": columns, "wanted": wanted, "paging": {"q": wanted}}
    shown |= {"number": part.number, "pages": part.pages}
    shown |= _show_tree(page, tree if not wanted else None)
    done = await _read_notice(page, subject) if not errors else None
    return page.show(
        "settings-list.html",
        status,
        subject=subject,
        place=find_settings_page(subject.slug),
        base_url=page.settings.base_url,
        done=done,
        errors=errors or [],
        **shown,
    )


def _show_branch(page: ConsolePage, subject: Subject, tree: Tree, below: str) -> Response[bytes]:
    """Answer a branch of a tree, of a very wide one the first, with a link to all of it."""
    part = page_of(tree.list_below(below), 1, _PAGE_SIZE)
    more = part.total - len(part.items)
    return page.show("settings-branch.html", subject=subject, nodes=part.items, more=more, below=below)


async def _read_list(
    page: ConsolePage, subject: Subject, columns: list[Field], wanted: str
) -> tuple[ListPage[dict[str, Any]], Tree | None]:
    """Return a page of the resources that have what is wanted, and the tree that all of them make, if any."""
    number = read_number(page.request.query_params.get("page"))
    if subject.is_narrowed:
        search = wanted or None
        part = await read_part(page.api, subject.all_path, dict[str, Any], number, _PAGE_SIZE, search=search)
        return part, None
    resources = await page.api.get(subject.all_path, list[dict[str, Any]])
    part = page_of([one for one in resources if _has(columns, one, wanted)], number, _PAGE_SIZE)
    return part, Tree(resources, subject.above) if subject.above else None


def _show_tree(page: ConsolePage, tree: Tree | None) -> dict[str, Any]:
    """Return what a list shows of a tree: a page of its top, or of what is below the resource that is asked for."""
    below = page.request.query_params.get("below", "")
    if tree is None:
        return {"tree": None}
    part = page_of(tree.list_below(below), read_number(page.request.query_params.get("page")), _PAGE_SIZE)
    way, here = tree.find_way(below), tree.find(below)
    shown = {"tree": part.items, "way": way, "here": here, "paging": {"below": below}}
    return {**shown, "number": part.number, "pages": part.pages}


def _write_way(tree: Tree | None, resource: dict[str, Any]) -> str:
    return " › ".join(one.name for one in tree.find_way(str(resource["id"]))) if tree is not None else ""  # noqa: RUF001 - an arrow


async def _show_form(
    page: ConsolePage,
    subject: Subject,
    values: dict[str, list[str]],
    edited: EditedResource = _NEW,
    faults: Faults = _NO_FAULTS,
    **more: Any,  # noqa: ANN401 - a template's, and the form that was sent
) -> Response[bytes]:
    status = more.pop("status", HTTPStatus.UNPROCESSABLE_ENTITY if faults.summary else HTTPStatus.OK)
    key, opened = edited
    shown = {
        "subject": subject,
        "fields": await forms.show_fields(page, subject, values, faults, more.pop("form", None), opened),
        "errors": faults.summary,
        "key": key,
        "tag": opened.tag if opened is not None else "",
        "name": _name(subject, opened.resource) if opened is not None else "",
        "differences": [],
        "resource": opened.resource if opened is not None else {},
        "base_url": page.settings.base_url,
        "preview_path": f"{subject.slug}/preview",
    }
    return page.show("settings-form.html", status, **{**shown, **more})


async def _show_again(
    form: SentForm, subject: Subject, faults: Faults, edited: EditedResource = _NEW
) -> Response[bytes]:
    """Answer the form as it was sent, with what is wrong; a search for choices checks nothing."""
    faults = _NO_FAULTS if _is_search(form) else faults
    values = forms.keep_values(subject, form)
    return await _show_form(form.page, subject, values, edited, faults, form=form)


async def _show_conflict(form: SentForm, subject: Subject, key: str, theirs: Record) -> Response[bytes]:
    """Answer the form as it was sent beside what somebody else has saved; sent again, it is saved over that."""
    page = form.page
    mine, _ = forms.read_values(subject, form)
    differences = await forms.list_differences(page.api, page.texts, subject, mine, theirs)
    values = forms.keep_values(subject, form)
    status = HTTPStatus.PRECONDITION_FAILED
    return await _show_form(page, subject, values, EditedResource(key, theirs), differences=differences, status=status)


def _is_search(form: SentForm) -> bool:
    """Return whether a form was sent to have other choices or rows in it, and not to be saved."""
    return bool(form.get("look") or form.get(forms.ROW))


async def _open_subject(page: ConsolePage, slug: str) -> Subject:
    """Return the subject of an address, with the fields of all languages. Raises NotFound."""
    subject = find_subject(slug)
    if subject is None:
        raise NotFound("There is no such page.")
    return await localize(page.api, subject)


def _name(subject: Subject, resource: dict[str, Any]) -> str:
    return str(resource.get(subject.columns[0], ""))


def _has(columns: list[Field], resource: dict[str, Any], wanted: str) -> bool:
    """Return whether a column of text has what is looked for."""
    texts = (str(field.find(resource) or "") for field in columns if field.kind in {"line", "email", "one", "lines"})
    return not wanted or any(wanted.casefold() in text.casefold() for text in texts)


def _show_cell(page: ConsolePage, field: Field, resource: dict[str, Any], choices: dict[str, list[Choice]]) -> str:
    value = field.find(resource)
    if field.kind == "tick":
        return page.texts.say("Yes") if value else page.texts.say("No")
    return field.show(value, choices.get(field.source, []))


def _quote(key: str) -> str:
    return quote(key, safe="")
