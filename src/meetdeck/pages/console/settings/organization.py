"""The page of the organization's rules."""

from functools import partial
from http import HTTPStatus
from typing import Any, Final

from litestar import Response, get, post

from meetdeck.pages.console.forms import Faults, Field, Record, Subject, forms
from meetdeck.pages.console.kit import (
    Api,
    ApiRefusal,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    SentForm,
    TaggedResource,
    Undo,
    UndoRefused,
    read_change_notice,
    take_back,
)
from meetdeck.pages.console.settings.languages import localize
from meetdeck.pages.texts import mark

_PATH: Final = "booking/config/organization-settings"
_SLUG: Final = "organization"
_RULES: Final = f"settings/{_SLUG}"
ORGANIZATION: Final = Subject(
    _SLUG,
    _PATH,
    (
        Field("openingTime", mark("Opens at"), "clock", is_required=True, section=mark("Opening hours")),
        Field("closingTime", mark("Closes at"), "clock", is_required=True),
        Field("timeZoneId", mark("Time zone"), "one", source="time-zones", is_required=True),
        Field(
            "minimumBookingNotice",
            mark("Shortest notice"),
            "length",
            mark("The least time between booking and meeting."),
            empty="00:00:00",
            section=mark("Limits of bookings"),
        ),
        Field(
            "maxTimeFromBookingToMeeting",
            mark("How far ahead meetings can be booked"),
            "length",
            mark("Leave empty for no limit."),
            empty=None,
            unit="days",
        ),
        Field(
            "workingTimeBuffer",
            mark("Working time before a meeting"),
            "length",
            mark("Advisors have this much of their working hours between a customer's booking and the meeting."),
            empty="00:00:00",
            unit="hours",
        ),
        Field("bufferBetweenMeetings", mark("Break between meetings"), "length", empty="00:00:00"),
        Field(
            "changeNoticeDelay",
            mark("Time to undo a change"),
            "length",
            mark("For this long, staff can undo a change to a meeting, and nobody is notified."),
            empty="00:01:00",
        ),
        Field(
            "maxMeetingTimePerDay",
            mark("Most time in meetings a day"),
            "length",
            mark("Leave empty for no limit."),
            empty=None,
            unit="hours",
        ),
        Field(
            "dailyLimitForEmployees",
            mark("The daily limit counts for staff who book, too"),
            "tick",
        ),
        Field(
            "advisorPriority",
            mark("The order in which advisors are offered"),
            "rows",
            mark("When several advisors are free, they are offered in this order; unlisted kinds come last."),
            columns=(
                Field("kind", mark("Advisors"), "one", source="advisor-kinds", is_required=True),
                Field(
                    "label",
                    mark("Label of the service groups"),
                    hint=mark("Leave empty for all."),
                    source="service-group-labels",
                    empty=None,
                ),
                Field("description", mark("Description")),
            ),
            more=mark("Add a level"),
            section=mark("Choice of advisors"),
        ),
        Field("customersBookOnlyOffered", mark("Customers may book only times that are offered"), "tick"),
        Field(
            "mainLocale",
            mark("Main language"),
            "one",
            source="locales",
            is_required=True,
            section=mark("Languages"),
        ),
        Field(
            "enabledLocales",
            mark("Languages"),
            "several",
            mark("Texts that customers read can be written in each of them."),
            "locales",
            more=mark("Another language"),
            is_added=True,
        ),
        Field(
            "iCalMeetingTitle",
            mark("Title in calendars"),
            localized="localizedICalMeetingTitle",
            section=mark("Calendar entries"),
        ),
        Field(
            "iCalMeetingDescription",
            mark("Description in calendars"),
            "text",
            localized="localizedICalMeetingDescription",
        ),
        Field(
            "phone",
            mark("Telephone"),
            hint=mark("Customers read it at the foot of their pages."),
            section=mark("Pages for customers"),
        ),
        Field("privacyUrl", mark("Address of the privacy notice"), "url", mark("It begins with https://.")),
        Field("extendedOpeningHoursEmail", mark("E-mail for requests outside opening hours"), "email"),
        Field(
            "scimGroups",
            mark("Groups of your directory become"),
            "one",
            source="scim-groups",
            is_required=True,
            section=mark("Your directory"),
        ),
        Field(
            "whenMovedThere",
            mark("When an advisor moves or deletes a meeting in their own calendar"),
            "one",
            source="when-moved-there",
            is_required=True,
            section=mark("Your calendars"),
        ),
    ),
    ("openingTime",),
    by_patch=True,
)


class Organization(ConsoleController):
    """The organization's rules."""

    path = "/console/settings"

    @get("/organization")
    async def show_rules(self, page: CurrentPage) -> Response[bytes]:
        """Show the form of the rules."""
        return await _show_rules(page)

    @post("/organization", status_code=HTTPStatus.SEE_OTHER)
    async def save_rules(self, form: CurrentForm) -> Response[bytes]:
        """Save the rules unless somebody else has changed them meanwhile: then both versions are shown (412)."""
        page = form.page
        subject = await localize(page.api, ORGANIZATION)
        values, faults = forms.read_values(subject, form)
        if form.get(forms.ROW):
            return await _show_again(form, subject, Faults({}, []), form.get("tag"))
        if faults.summary:
            return await _show_again(form, subject, faults, form.get("tag"))
        values["enabledLocales"] = [*dict.fromkeys([*values["enabledLocales"], values["mainLocale"]])]
        opened = await _open(page.api)
        if opened.tag != form.get("tag"):
            differences = await forms.list_differences(page.api, page.texts, subject, values, opened)
            kept, status = forms.keep_values(subject, form), HTTPStatus.PRECONDITION_FAILED
            return await _show(page, subject, kept, opened.tag, differences=differences, status=status)
        try:
            tag = await forms.save(page.api, subject, opened.resource["id"], opened, values)
        except ApiRefusal as refused:
            return await _show_again(form, subject, forms.find_faults(subject, refused, page.texts), opened.tag)
        if tag:
            await page.sessions.keep_undo(page.session, Undo(_SLUG, opened.resource["id"], "", tag, opened.resource))
        return page.lead_to(f"{_RULES}?saved=1")

    @post("/organization/undo", status_code=HTTPStatus.SEE_OTHER)
    async def undo_rules(self, form: CurrentForm) -> Response[bytes]:
        """Undo the last change of the rules, unless somebody has changed them since (409)."""
        page = form.page
        try:
            undone = await take_back(page, _SLUG, partial(_put_rules_back, page.api))
        except UndoRefused as stays:
            return await _show_rules(page, Faults({}, [str(stays)]), HTTPStatus.CONFLICT)
        return page.lead_to(f"{_RULES}?undone=1" if undone is not None else _RULES)


async def _open(api: Api) -> Record:
    answer = await api.send("GET", _PATH)
    return TaggedResource(answer.read(dict[str, Any]), answer.tag)


async def _put_rules_back(api: Api, undo: Undo) -> None:
    """Restore the rules to their state before a change. Raises ApiRefusal."""
    opened, subject = await _open(api), await localize(api, ORGANIZATION)
    await forms.save(api, subject, undo.key, opened._replace(tag=undo.tag), forms.find_values(subject, undo.resource))


async def _show_rules(
    page: ConsolePage, faults: Faults | None = None, status: HTTPStatus = HTTPStatus.OK
) -> Response[bytes]:
    """Show the present rules."""
    opened, subject = await _open(page.api), await localize(page.api, ORGANIZATION)
    saved = page.texts.translate("The rules are saved.")
    done = await read_change_notice(page, f"{_RULES}/undo", _SLUG, "", saved) if faults is None else None
    values = forms.write_values(subject, opened.resource)
    return await _show(page, subject, values, opened.tag, faults, done=done, status=status)


async def _show(
    page: ConsolePage,
    subject: Subject,
    values: dict[str, list[str]],
    tag: str,
    faults: Faults | None = None,
    **more: Any,  # noqa: ANN401 - a template's
) -> Response[bytes]:
    faults = faults or Faults({}, [])
    status = more.pop("status", HTTPStatus.UNPROCESSABLE_ENTITY if faults.summary else HTTPStatus.OK)
    shown = {
        "fields": await forms.show_fields(page, subject, values, faults),
        "errors": faults.summary,
        "tag": tag,
        "differences": [],
        "done": None,
    }
    return page.show("organization.html", status, **{**shown, **more})


async def _show_again(form: SentForm, subject: Subject, faults: Faults, tag: str) -> Response[bytes]:
    return await _show(form.page, subject, forms.keep_values(subject, form), tag, faults)
