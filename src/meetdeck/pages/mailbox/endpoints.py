"""The addresses of the mailbox. In production there are none."""

from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import msgspec
from litestar import Controller, Response, get
from litestar.params import FromPath

from meetdeck.booking.localization import dates
from meetdeck.messages.carriers.kept import KeptMail, list_mails
from meetdeck.pages.files import get_mailbox_style, get_style_sheet, get_theme
from meetdeck.pages.html import answer_page, render
from meetdeck.pages.texts import LANGUAGES, get_texts
from meetdeck.platform.database import Database
from meetdeck.platform.errors import NotFound
from meetdeck.platform.http.answers import JSON, AnyRequest
from meetdeck.platform.http.calls import Service
from meetdeck.platform.http.requests import require_accepts
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.settings import Settings
from meetdeck.platform.values import write_json

_HTML: Final = "text/html"
# The page shows a mail in a frame, and a mail has styles of its own and nothing else; its links open in a new window.
_PAGE: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-src 'self'; form-action 'none'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
_MAIL: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; "
    "sandbox allow-popups allow-popups-to-escape-sandbox"
)


class ShownMail(msgspec.Struct, frozen=True):
    """A mail as programs read it."""

    to: list[str]
    subject: str
    text: str
    html: str
    calendar: str | None


class Mailbox(Controller):
    """The mails that are kept in the test environment."""

    path = "/dev/mailbox"

    @get(include_in_schema=False)
    async def show_mailbox(
        self, request: AnyRequest, settings: Service[Settings], database: Service[Database], clock: Service[Clock]
    ) -> Response[bytes]:
        """Show the mails, the newest first: a page, or with `Accept: application/json` a list."""
        mails = await _list_mails(settings, database)
        if require_accepts(request, _HTML, JSON) == JSON:
            shown = [ShownMail(mail.to, mail.subject, mail.text, mail.html, mail.calendar) for mail in mails]
            return Response(write_json(shown), media_type=JSON, headers={"Cache-Control": "no-store", "Vary": "Accept"})
        asked = request.query_params.get("mail", "")
        chosen = next((mail for mail in mails if str(mail.id) == asked), next(iter(mails), None))
        texts = get_texts(LANGUAGES[0])
        values = {
            "root": "../",
            "styles": [file.name for file in (get_style_sheet(), get_theme(), get_mailbox_style())],
            "mails": mails,
            "chosen": chosen,
            "is_kept": settings.keeps_messages,
            "times": {mail.id: _show_time(mail, clock()) for mail in mails},
        }
        return answer_page(render("mailbox.html", texts, values), policy=_PAGE, headers={"Vary": "Accept"})

    @get("/{mail_id:uuid}", include_in_schema=False)
    async def show_mail(
        self, mail_id: FromPath[UUID], settings: Service[Settings], database: Service[Database]
    ) -> Response[bytes]:
        """Show the HTML of a mail, as mail programs do."""
        found = next((mail for mail in await _list_mails(settings, database) if mail.id == mail_id), None)
        if found is None:
            raise NotFound("There is no such mail any more.")
        return answer_page(found.html, policy=_MAIL)


async def _list_mails(settings: Settings, database: Database) -> list[KeptMail]:
    """Return the mails that are kept, the newest first. Raises NotFound in production, where none are."""
    if settings.environment != "test":
        raise NotFound("There is no such address.")
    mails = await database.collect(list_mails)
    return sorted(mails, key=lambda mail: mail.kept_at, reverse=True) if len(database.cells) > 1 else mails


def _show_time(mail: KeptMail, now: datetime) -> str:
    """Return when a mail was kept, UTC: the time of today, else with the day."""
    then = mail.kept_at
    time = f"{dates.show_clock(then, UTC, LANGUAGES[0])} UTC"
    return time if then.date() == now.date() else f"{dates.show_day(then.date(), now.date(), LANGUAGES[0])}, {time}"
