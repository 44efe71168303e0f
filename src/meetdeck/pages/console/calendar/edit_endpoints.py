"""The page on which a meeting is edited."""

from http import HTTPStatus
from typing import Any, Final, NamedTuple
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.calendar.editing import (
    list_questions,
    make_patch,
    make_subject,
    read_meeting,
    sends_messages,
)
from meetdeck.pages.console.calendar.questions import Question, find_questions, list_asked, list_portals
from meetdeck.pages.console.forms import Faults, Record, Subject, forms
from meetdeck.pages.console.kit import ApiRefusal, ConsoleController, ConsolePage, CurrentForm, CurrentPage, SentForm

_NO_FAULTS: Final = Faults({}, [])


class EditedMeeting(NamedTuple):
    """A meeting with its form."""

    id: UUID
    opened: Record
    subject: Subject
    questions: dict[str, Question]

    @property
    def name(self) -> str:
        """Return the meeting's name on pages."""
        return str(self.opened.resource["title"])


class MeetingEditing(ConsoleController):
    """Editing a meeting."""

    path = "/console/calendar/meetings/{meeting_id:uuid}/edit"

    @get()
    async def show(self, page: CurrentPage, meeting_id: FromPath[UUID]) -> Response[bytes]:
        """Show the form."""
        edited = await _open(page, meeting_id)
        return await _show_form(page, edited, forms.write_values(edited.subject, edited.opened.resource))

    @post(status_code=HTTPStatus.SEE_OTHER)
    async def save(self, form: CurrentForm, meeting_id: FromPath[UUID]) -> Response[bytes]:
        """Save the meeting unless somebody else has changed it meanwhile: then both versions are shown (412)."""
        page, edited = form.page, await _open(form.page, meeting_id)
        form = forms.add_unseen(edited.subject, form, edited.opened)
        values, faults = forms.read_values(edited.subject, form)
        if form.get("look") or form.get(forms.ROW) or faults.summary:
            is_search = form.get("look") or form.get(forms.ROW)
            kept = edited._replace(opened=edited.opened._replace(tag=form.get("tag")))
            return await _show_again(form, kept, _NO_FAULTS if is_search else faults)
        if edited.opened.tag != form.get("tag"):
            return await _show_conflict(form, edited, values)
        changes = forms.list_changes(edited.subject, edited.opened, values)
        patch = make_patch(changes, edited.opened, edited.questions)
        try:
            if patch:
                await page.api.patch(f"booking/meetings/{meeting_id}", patch, form.get("tag"))
        except ApiRefusal as refused:
            if refused.status == HTTPStatus.PRECONDITION_FAILED:
                return await _show_conflict(form, await _open(page, meeting_id), values)
            return await _show_again(form, edited, forms.find_faults(edited.subject, refused, page.texts))
        told = "changed" if sends_messages(patch) else "kept"
        done = f"?{told}=1&at={int(page.now.timestamp())}" if patch else ""
        return page.lead_to(f"calendar/meetings/{meeting_id}{done}")


async def _open(page: ConsolePage, meeting_id: UUID) -> EditedMeeting:
    """Return a meeting with the form for it. Raises ApiRefusal."""
    answer = await page.api.send("GET", f"booking/meetings/{meeting_id}")
    meeting = answer.read(dict[str, Any])
    portals = await list_portals(page.api, page.texts.language)
    portal_id, topic_id = (UUID(key) if (key := meeting.get(name)) else None for name in ("portalId", "topicId"))
    known = find_questions(portals, portal_id, topic_id)
    questions = list_questions(known, meeting, list_asked(portals, portal_id))
    opened = read_meeting(Record(meeting, answer.tag), questions)
    return EditedMeeting(meeting_id, opened, make_subject(questions), questions)


async def _show_form(
    page: ConsolePage,
    edited: EditedMeeting,
    values: dict[str, list[str]],
    faults: Faults = _NO_FAULTS,
    form: SentForm | None = None,
    **more: Any,  # noqa: ANN401 - a template's
) -> Response[bytes]:
    status = more.pop("status", HTTPStatus.UNPROCESSABLE_ENTITY if faults.summary else HTTPStatus.OK)
    shown = {
        "fields": await forms.show_fields(page, edited.subject, values, faults, form, edited.opened),
        "errors": faults.summary,
        "meeting_id": edited.id,
        "name": edited.name,
        "tag": edited.opened.tag,
        "differences": [],
    }
    return page.show("meeting-edit.html", status, **{**shown, **more})


async def _show_again(form: SentForm, edited: EditedMeeting, faults: Faults) -> Response[bytes]:
    """Answer the form as it was sent, with its errors."""
    return await _show_form(form.page, edited, forms.keep_values(edited.subject, form), faults, form)


async def _show_conflict(form: SentForm, edited: EditedMeeting, mine: dict[str, Any]) -> Response[bytes]:
    """Answer the form as it was sent beside what somebody else has saved; sending it again overwrites that."""
    page = form.page
    differences = await forms.list_differences(page.api, page.texts, edited.subject, mine, edited.opened)
    values = forms.keep_values(edited.subject, form)
    status = HTTPStatus.PRECONDITION_FAILED
    return await _show_form(page, edited, values, differences=differences, status=status)
