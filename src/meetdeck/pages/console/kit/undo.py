"""Undoing a person's last change: the session keeps it, and the next page offers to undo it."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final, NamedTuple

from meetdeck.pages.console.kit.api import ApiRefusal
from meetdeck.pages.console.kit.requests import ConsolePage
from meetdeck.pages.console.kit.sessions.schemas import Undo

_ROLE_MISSING: Final = "role_missing"
_CHANGED_SINCE: Final = frozenset({HTTPStatus.CONFLICT, HTTPStatus.PRECONDITION_FAILED, HTTPStatus.NOT_FOUND})


class NoticeButton(NamedTuple):
    """A button in the bar: its words, and the path below the console to which it sends a form, or which it opens."""

    words: str
    path: str
    method: str = "post"


class ChangeNotice(NamedTuple):
    """The bar that confirms a change; a page shows it as its value `done` (docs/decisions/0184).

    `undo` is the path, below the console, whose form undoes the change; empty if nothing does. `buttons` are further
    buttons after "Undo". The color is `success`, or `info` for a deletion.
    """

    sentence: str
    undo: str = ""
    color: str = "success"
    buttons: tuple[NoticeButton, ...] = ()


class UndoRefused(Exception):  # noqa: N818 - as our errors are named
    """The last change cannot be undone, because it was changed since or needs another role; the text says which."""


async def offer(page: ConsolePage, path: str, kind: str, name: str, sentence: str) -> ChangeNotice:
    """Return the notice of a change, with the path that undoes it if it is the session's last change."""
    undo = await page.sessions.find_undo(page.session)
    is_last = undo is not None and (undo.slug, undo.name) == (kind, name)
    return ChangeNotice(sentence, path if is_last else "")


async def read_change_notice(page: ConsolePage, path: str, kind: str, name: str, saved: str) -> ChangeNotice | None:
    """Return the notice that a page's address requests: `saved` or `undone`."""
    query = page.request.query_params
    if "saved" in query:
        return await offer(page, path, kind, name, saved)
    return ChangeNotice(page.texts.translate("Everything is as it was before.")) if "undone" in query else None


async def take_back(page: ConsolePage, kind: str, put_back: Callable[[Undo], Awaitable[object]]) -> Undo | None:
    """Undo the session's last change, and forget it; return it, or None if it is of another kind or there is none.

    `put_back` restores the earlier state, and raises ApiRefusal if that is no longer possible. Raises UndoRefused.
    """
    undo = await page.sessions.find_undo(page.session)
    if undo is None or undo.slug != kind:
        return None
    try:
        await put_back(undo)
    except ApiRefusal as refused:
        if refused.code == _ROLE_MISSING:
            raise UndoRefused(page.texts.translate("Only administrators can undo this.")) from refused
        if refused.status not in _CHANGED_SINCE:
            raise
        told = page.texts.translate("Someone else changed this in the meantime. Nothing was undone.")
        raise UndoRefused(refused.detail if refused.status == HTTPStatus.CONFLICT else told) from refused
    await page.sessions.forget_undo(page.session)
    return undo
