"""The pages of message texts: a list of the firm's own, a form for each with a preview, and a reset to ours."""

from http import HTTPStatus
from typing import Any, Final, NamedTuple

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.forms import Faults, Field, Record, Subject, forms
from meetdeck.pages.console.kit import ApiRefusal, ConsoleController, ConsolePage, CurrentForm, CurrentPage, Drawing
from meetdeck.pages.texts import get_texts, mark
from meetdeck.platform.errors import NotFound

_PATH: Final = "booking/config/message-texts"
_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; form-action 'none'; base-uri 'none'; sandbox"
)
"""The policy with which a mail is shown: mail programs show no more of it."""
_BODY: Final = Field("body", mark("Text before the facts"), "text", mark("An empty line begins a new paragraph."))
MAIL: Final = Subject(
    "messages",
    _PATH,
    (
        Field("subject", mark("Subject"), is_required=True),
        Field("heading", mark("Heading"), is_required=True),
        _BODY._replace(is_required=True),
        Field("closing", mark("Text after the facts"), "text"),
    ),
    (),
    preview=_PATH,
    can_be_deleted=False,
)
TEXT_MESSAGE: Final = MAIL._replace(fields=(_BODY._replace(label=mark("Text"), hint="", is_required=True),))
KINDS: Final = {
    "Invitation": mark("Invitation"),
    "Change": mark("Meeting changed"),
    "Cancellation": mark("Meeting cancelled"),
    "Reminder": mark("Reminder"),
    "TextReminder": mark("Reminder by text message"),
    "Offer": mark("Time offered from the waiting list"),
    "EmployeeInvitation": mark("Invitation, to employees"),
    "EmployeeChange": mark("Meeting changed, to employees"),
    "EmployeeCancellation": mark("Meeting cancelled, to employees"),
    "EmployeeTextReminder": mark("Reminder in your channel"),
    "BookingConfirmation": mark("Confirmation of the address before booking"),
    "AddressChange": mark("Confirmation of a new e-mail address"),
    "EmployeeDocuments": mark("Documents of a meeting, to the advisor"),
    "EmployeeDocumentsFailed": mark("Documents that could not be created, to the advisor"),
}
PLACEHOLDERS: Final = {
    "name": mark("The recipient's name"),
    "advisor": mark("The advisor's name"),
    "organization": mark("Your firm's name"),
    "title": mark("The meeting's title"),
    "topic": mark("The topic"),
    "day": mark("The day of the meeting"),
    "time": mark("From when to when it is"),
    "place": mark("Where it is"),
    "until": mark("Until when an offered time is held"),
}


class _Text(msgspec.Struct, frozen=True, rename="camel"):
    kind: str
    language: str
    subject: str
    body: str
    is_default: bool


class _Preview(msgspec.Struct, frozen=True):
    subject: str
    text: str
    html: str


class _Key(NamedTuple):
    """The message of a page: its kind and language, and its words in the API."""

    kind: str
    language: str

    @property
    def path(self) -> str:
        return f"{self.kind}/{self.language}"

    @property
    def subject(self) -> Subject:
        """Return the form; only the body if it is a text message."""
        return TEXT_MESSAGE if "Text" in self.kind else MAIL

    def require(self) -> "_Key":
        """Return the key. Raises NotFound for an unknown kind."""
        if self.kind not in KINDS or not self.language.isalpha():
            raise NotFound("There is no such message.")
        return self


class Messages(ConsoleController):
    """The pages on which a configurator changes message texts."""

    path = "/console/settings/messages"

    @get()
    async def show_list(self, page: CurrentPage) -> Response[bytes]:
        """Show all kinds of messages in all languages, and which have texts of the firm's own."""
        texts = await page.api.get(_PATH, list[_Text])
        tongues = list(dict.fromkeys(one.language for one in texts))
        rows = [(name, [one for one in texts if one.kind == kind]) for kind, name in KINDS.items()]
        saved = page.request.query_params.get("saved", "")
        names = [page.texts.name_language(tag) for tag in tongues]
        return page.show("messages.html", rows=rows, names=names, saved=KINDS.get(saved, ""))

    @get("/{kind:str}/{language:str}")
    async def show_one(self, page: CurrentPage, kind: FromPath[str], language: FromPath[str]) -> Response[bytes]:
        """Show the form of a message's texts."""
        key = _Key(kind, language).require()
        opened = await forms.open_resource(page.api, key.subject, key.path)
        return await _show(page, key, forms.write_values(key.subject, opened.resource), opened)

    @post("/{kind:str}/{language:str}", status_code=HTTPStatus.SEE_OTHER)
    async def save(self, form: CurrentForm, kind: FromPath[str], language: FromPath[str]) -> Response[bytes]:
        """Save texts unless somebody else has changed them meanwhile: then both versions are shown (412)."""
        key, page = _Key(kind, language).require(), form.page
        values, faults = forms.read_values(key.subject, form)
        opened = await forms.open_resource(page.api, key.subject, key.path)
        kept = forms.keep_values(key.subject, form)
        if faults.summary:
            return await _show(page, key, kept, opened._replace(tag=form.get("tag")), faults)
        if opened.tag != form.get("tag"):
            differences = await forms.list_differences(page.api, page.texts, key.subject, values, opened)
            status = HTTPStatus.PRECONDITION_FAILED
            return await _show(page, key, kept, opened, differences=differences, status=status)
        try:
            await forms.save(page.api, key.subject, key.path, opened, values)
        except ApiRefusal as refused:
            return await _show(page, key, kept, opened, forms.find_faults(key.subject, refused, page.texts))
        return page.lead_to(f"settings/messages?saved={kind}")

    @post("/{kind:str}/{language:str}/reset", status_code=HTTPStatus.SEE_OTHER)
    async def reset(self, form: CurrentForm, kind: FromPath[str], language: FromPath[str]) -> Response[bytes]:
        """Delete the firm's own texts; Meetdeck's are used again."""
        key, page = _Key(kind, language).require(), form.page
        await page.api.send("DELETE", f"{_PATH}/{key.path}", headers={"If-Match": form.get("tag")})
        return page.lead_to(f"settings/messages?saved={kind}")

    @post("/{kind:str}/{language:str}/preview", status_code=HTTPStatus.OK)
    async def preview(self, form: CurrentForm, kind: FromPath[str], language: FromPath[str]) -> Response[bytes]:
        """Show the message with unsaved texts, or what is wrong with them."""
        key, page = _Key(kind, language).require(), form.page
        values, faults = forms.read_values(key.subject, form)
        if not faults.summary:
            opened = await forms.open_resource(page.api, key.subject, key.path)
            try:
                answer = await page.api.send("POST", f"{_PATH}/{key.path}/preview", opened.resource | values)
            except ApiRefusal as refused:
                faults = forms.find_faults(key.subject, refused, page.texts)
            else:
                drawn = answer.read(_Preview)
                if key.subject is MAIL and form.get("preview-as") != "text":
                    return page.show_drawing(Drawing(drawn.html, _POLICY))
                title = drawn.subject if key.subject is MAIL else ""
                return page.show_in_frame("message-text.html", title=title, text=drawn.text)
        said = [text for _, text in faults.summary]
        return page.show_in_frame("preview-refused.html", HTTPStatus.UNPROCESSABLE_ENTITY, faults=said)


async def _show(
    page: ConsolePage,
    key: _Key,
    values: dict[str, list[str]],
    opened: Record,
    faults: Faults | None = None,
    **more: Any,  # noqa: ANN401 - a template's
) -> Response[bytes]:
    faults = faults or Faults({}, [])
    status = more.pop("status", HTTPStatus.UNPROCESSABLE_ENTITY if faults.summary else HTTPStatus.OK)
    shown = {
        "subject": key.subject,
        "fields": await forms.show_fields(page, key.subject, values, faults),
        "errors": faults.summary,
        "key": key.path,
        "tag": opened.tag,
        "name": f"{page.texts.translate(KINDS[key.kind])} ({get_texts(key.language).name})",
        "only_shown": [],
        "hub": [],
        "differences": [],
        "resource": opened.resource,
        "preview_path": f"messages/{key.path}/preview",
        "placeholders": PLACEHOLDERS,
        "is_mail": key.subject is MAIL,
    }
    return page.show("settings-form.html", status, **{**shown, **more})
