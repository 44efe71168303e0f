"""The pages of the settings: the overview, the lists, and the forms."""

from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.forms import Faults, Record, Subject, forms, to_members
from meetdeck.pages.console.kit import (
    ApiRefusal,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    Drawing,
    SentForm,
    SessionSecrets,
    Undo,
    UndoRefused,
    read_search,
    take_back,
)
from meetdeck.pages.console.settings.employee_hub import read_hub
from meetdeck.pages.console.settings.groups import list_groups
from meetdeck.pages.console.settings.languages import localize
from meetdeck.pages.console.settings.lists import PORTALS, read_notice, show_list
from meetdeck.pages.console.settings.owned import show_owned
from meetdeck.pages.console.settings.subjects import find_subject
from meetdeck.platform.errors import NotFound
from meetdeck.platform.http.calls import Service
from meetdeck.platform.identity import Access

_LED_TO: Final = frozenset({"employees", PORTALS})
"""After one of these is created, its page offers the next steps."""
_NO_FAULTS: Final = Faults({}, [])


class EditedResource(NamedTuple):
    """The resource of a form: its key, and its API representation; neither for a new one."""

    key: str = ""
    opened: Record | None = None


_NEW: Final = EditedResource()


class Settings(ConsoleController):
    """The pages on which a configurator changes settings."""

    path = "/console/settings"

    @get()
    async def show_subjects(self, page: CurrentPage) -> Response[bytes]:
        """Show the settings in groups; with a search, the matching pages."""
        wanted = read_search(page.request.query_params.get("q"))
        return page.show("settings.html", wanted=wanted, groups=list_groups(page, wanted))

    @get("/{slug:str}")
    async def show_list(self, page: CurrentPage, slug: FromPath[str]) -> Response[bytes]:
        """Show the resources of a kind that match the search, fifty on a page."""
        return await show_list(page, await open_subject(page, slug))

    @get("/{slug:str}/new")
    async def show_new(self, page: CurrentPage, slug: FromPath[str]) -> Response[bytes]:
        """Show the empty form."""
        subject = await open_subject(page, slug)
        above = page.request.query_params.getall(subject.above, []) if subject.above else []
        values = {**subject.defaults, subject.above: above}
        return await show_form(page, subject, forms.write_values(subject, values))

    @post("/{slug:str}/new", status_code=HTTPStatus.SEE_OTHER)
    async def create(
        self, form: CurrentForm, slug: FromPath[str], session_secrets: Service[SessionSecrets]
    ) -> Response[bytes]:
        """Create a resource, and redirect to its list, or to its own page if there are next steps."""
        page = form.page
        subject = await open_subject(page, slug)
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
        subject, opened = await _open_resource(page, slug, key)
        return await show_form(
            page,
            subject,
            forms.write_values(subject, opened.resource),
            EditedResource(key, opened),
            done=await read_notice(page, subject),
        )

    @post("/{slug:str}/{key:str}", status_code=HTTPStatus.SEE_OTHER)
    async def save(
        self, form: CurrentForm, slug: FromPath[str], key: FromPath[str], session_secrets: Service[SessionSecrets]
    ) -> Response[bytes]:
        """Save a resource unless somebody else has changed it meanwhile: then both versions are shown (412)."""
        page = form.page
        subject, opened = await _open_resource(page, slug, key)
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
        """Delete a resource, and redirect to the list, which offers to undo it; a question comes first."""
        page = form.page
        subject, opened = await _open_resource(page, slug, key)
        name = _name(subject, opened.resource)
        if not form.get("sure"):
            return _show_deletion(page, slug, key, opened.tag, name)
        try:
            await page.api.send("DELETE", f"{subject.path}/{_quote(key)}", headers={"If-Match": form.get("tag")})
        except ApiRefusal as refused:
            faults = Faults({}, [refused.detail])
            values = forms.write_values(subject, opened.resource)
            return await show_form(page, subject, values, EditedResource(key, opened), faults)
        await page.sessions.keep_undo(page.session, Undo(slug, "", name, "", opened.resource))
        return page.lead_to(f"settings/{slug}?deleted={quote(name)}")

    @post("/{slug:str}/preview", status_code=HTTPStatus.OK)
    async def preview(self, form: CurrentForm, slug: FromPath[str]) -> Response[bytes]:
        """Show the unsaved version, drawn by the API, or what is wrong with it."""
        page = form.page
        subject = await open_subject(page, slug)
        if not subject.preview:
            raise NotFound("This page does not exist.")
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
        """Undo the last change of a resource, unless somebody has changed it since (409)."""
        page = form.page
        subject = await open_subject(page, slug)
        try:
            undone = await take_back(page, slug, partial(_put_back, form, session_secrets, subject))
        except UndoRefused as stays:
            return await show_list(page, subject, HTTPStatus.CONFLICT, errors=[("", str(stays))])
        told = f"?undone={quote(_name(subject, undone.resource))}" if undone is not None else ""
        return page.lead_to(f"settings/{slug}{told}")


def _show_deletion(page: ConsolePage, slug: str, key: str, tag: str, name: str) -> Response[bytes]:
    """Show the question before a deletion."""
    translate = page.texts.translate
    lead = translate("Meetings that were held are kept. What is still in use cannot be deleted.")
    keep = f"settings/{slug}/{_quote(key)}"
    return page.show_confirmation(translate("Delete {name}?", name=name), lead, translate("Delete"), keep=keep, tag=tag)


async def _require_recent(
    form: SentForm, secrets: SessionSecrets, subject: Subject, before: dict[str, Any], after: dict[str, Any]
) -> None:
    """Raise SignInTooOld for a change of where a firm's data is sent, unless its sender signed in recently."""
    guarded = [field for field in subject.fields if field.needs is not Access.EMPLOYEE and form.page.may(field.needs)]
    if any(field.find(before) != field.find(after) for field in guarded):
        await form.require_recent_sign_in(secrets)


async def _put_back(form: SentForm, secrets: SessionSecrets, subject: Subject, undo: Undo) -> None:
    """Restore a resource to its state before a change, with its id. Raises ApiRefusal, SignInTooOld."""
    api = form.page.api
    values = forms.find_values(subject, undo.resource)
    if not undo.key:
        await _require_recent(form, secrets, subject, {}, undo.resource)
        kept = {"id": undo.resource.get("id")} if subject.keeps_id else {}
        await forms.create(api, subject, kept | values)
        return
    key = _quote(undo.key)
    opened = await forms.open_resource(api, subject, key)
    subject = subject.narrow(opened.resource)
    values = forms.find_values(subject, undo.resource)
    await _require_recent(form, secrets, subject, opened.resource, undo.resource)
    await forms.save(api, subject, key, opened._replace(tag=undo.tag), values)


async def show_form(
    page: ConsolePage,
    subject: Subject,
    values: dict[str, list[str]],
    edited: EditedResource = _NEW,
    faults: Faults = _NO_FAULTS,
    **more: Any,  # noqa: ANN401 - a template's, and the form that was sent
) -> Response[bytes]:
    """Answer the form of a resource, with its faults."""
    status = more.pop("status", HTTPStatus.UNPROCESSABLE_ENTITY if faults.summary else HTTPStatus.OK)
    key, opened = edited
    shown = {
        "subject": subject,
        "fields": await forms.show_fields(page, subject, values, faults, more.pop("form", None), opened),
        "only_shown": await show_owned(page, subject, opened),
        "errors": faults.summary,
        "key": key,
        "tag": opened.tag if opened is not None else "",
        "name": _name(subject, opened.resource) if opened is not None else "",
        "differences": [],
        "resource": opened.resource if opened is not None else {},
        "base_url": page.settings.base_url,
        "preview_path": f"{subject.slug}/preview",
        "hub": await read_hub(page, key) if subject.slug == "employees" and key else [],
    }
    return page.show("settings-form.html", status, **{**shown, **more})


async def _show_again(
    form: SentForm, subject: Subject, faults: Faults, edited: EditedResource = _NEW
) -> Response[bytes]:
    """Answer the form as it was sent, with what is wrong; a search for choices checks nothing."""
    faults = _NO_FAULTS if _is_search(form) else faults
    values = forms.keep_values(subject, form)
    return await show_form(form.page, subject, values, edited, faults, form=form)


async def _show_conflict(form: SentForm, subject: Subject, key: str, theirs: Record) -> Response[bytes]:
    """Answer the form as it was sent beside what somebody else has saved; sending it again overwrites that."""
    page = form.page
    mine, _ = forms.read_values(subject, form)
    differences = await forms.list_differences(page.api, page.texts, subject, mine, theirs)
    values = forms.keep_values(subject, form)
    status = HTTPStatus.PRECONDITION_FAILED
    return await show_form(page, subject, values, EditedResource(key, theirs), differences=differences, status=status)


def _is_search(form: SentForm) -> bool:
    """Return whether a form was sent to change its choices or rows, and not to be saved."""
    return bool(form.get("look") or form.get(forms.ROW))


async def open_subject(page: ConsolePage, slug: str) -> Subject:
    """Return the subject of an address, with the fields of all languages. Raises NotFound."""
    subject = find_subject(slug)
    if subject is None:
        raise NotFound("This page does not exist.")
    return await localize(page.api, subject)


async def _open_resource(page: ConsolePage, slug: str, key: str) -> tuple[Subject, Record]:
    """Return a resource and its subject. Raises NotFound, ApiRefusal."""
    subject = await open_subject(page, slug)
    opened = await forms.open_resource(page.api, subject, _quote(key))
    return subject.narrow(opened.resource), opened


def _name(subject: Subject, resource: dict[str, Any]) -> str:
    return str(resource.get(subject.columns[0], ""))


def _quote(key: str) -> str:
    return quote(key, safe="")
