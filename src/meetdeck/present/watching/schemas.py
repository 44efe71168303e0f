"""The state of a watched template, as sent to its page."""

from datetime import datetime
from typing import Literal

import msgspec

from meetdeck.present.deck import Finding

Status = Literal["checking", "drawing", "ready", "broken"]


class Remark(msgspec.Struct, frozen=True):
    """A finding in the words of the page: `where` is slide and shape, as far as they are known and not visible."""

    type: Literal["Error", "Warning", "Info"]
    code: str
    message: str
    where: str = ""


class Picture(msgspec.Struct, frozen=True):
    """A picture of a slide: its address changes with its content."""

    name: str
    width: int
    height: int


class WatchedSlide(msgspec.Struct, frozen=True):
    """A slide of the deck: `number` is its page, 0 if it is hidden or left out; `note` says which."""

    name: str
    number: int
    note: str = ""
    picture: Picture | None = None
    remarks: tuple[Remark, ...] = ()


class WatchedTemplate(msgspec.Struct, frozen=True):
    """The template at its last save.

    `remarks` are about the file as a whole. While it is `broken`, the slides are those from before.
    """

    version: int
    status: Status
    file: str
    checked_at: datetime | None = None
    remarks: tuple[Remark, ...] = ()
    slides: tuple[WatchedSlide, ...] = ()


def as_remark(finding: Finding, *, beside_slide: bool) -> Remark:
    """Return a finding in the words of the page; one beside its slide does not name it."""
    suggestion = str(finding.details.get("suggestion", ""))
    hint = f" Did you mean {suggestion}?" if suggestion and suggestion not in finding.message else ""
    slide = "" if beside_slide else finding.location
    where = ", ".join(name for name in (slide, str(finding.details.get("shape", ""))) if name)
    return Remark(finding.type, finding.code, finding.message + hint, where)
