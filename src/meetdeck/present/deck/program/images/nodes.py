"""Nodes of pictures: the picture from the data, its fit to the shape, its alternative text."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive, Tag
from meetdeck.present.deck.language.directives import CODES
from meetdeck.present.deck.language.values import ABSENT, Unwritable, escape_attribute, is_object, legal, write_plain
from meetdeck.present.deck.program.cards import card_offset
from meetdeck.present.deck.program.conditions import HasValue
from meetdeck.present.deck.program.images.codes import HasCode, code_text, find_code
from meetdeck.present.deck.program.images.pictures import NoPicture, Picture, decode_picture, read_picture
from meetdeck.present.deck.program.media import DeckMedia
from meetdeck.present.deck.program.scope import (
    IgnoredMember,
    Program,
    Scope,
    bad_data,
    data_path,
    find_unknown,
    render,
    report_value,
    resolve,
    run,
)

# The members of an object that hold its picture; the first that has one counts.
_SOURCES: Final = ("data", "src", "contentId")
_MEMBERS: Final = frozenset({*_SOURCES, "alt", "decorative"})
_ADDRESS_MEMBERS: Final = frozenset({"url", "uri", "href", "link", "address"})
_LONGEST_SCHEME: Final = 8
_NOT_FETCHED: Final = (
    "Nothing is fetched from an address: send the picture itself, as a data URI or base64 under data, or the id of a "
    "stored file under contentId."
)
_MEMBERS_ADVICE: Final = (
    "A picture has data, src or contentId, and alt or decorative; how it fits is written in the template."
)
# Proportions are in 1/1000 of a percent.
_HALF: Final = 50_000
# Thinner pictures than one to a thousand look the same and would produce numbers that no renderer expects.
_THINNEST: Final = 1_000
# Finding about the parts of an SVG that were removed.
_MOST_NAMED: Final = 8
_VECTOR: Final = (
    '<{0}extLst><{0}ext uri="{{96DAC541-7B7A-43D3-8B79-37D633B846F1}}">'
    '<asvg:svgBlip xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:embed="{1}"/>'
    "</{0}ext></{0}extLst>"
)
_ADVICE: Final = (
    "write a data URI, base64 or a content id, or an object that has one of these as data, src or contentId."
)


def picture_source(value: object) -> object:
    """Return the picture of a value: the value itself, or an object's member; `ABSENT` for an object without one."""
    if isinstance(value, str) or not is_object(value):
        return value
    member = _source_member(value)
    return value[member] if member else ABSENT


class HasPicture(HasValue, frozen=True):
    """The condition of a shape that shows a picture: it is kept while the data has one."""

    def read(self, value: object) -> object:
        """Return the picture of a value."""
        return picture_source(value)

    def find_ignored(self, value: object) -> Iterable[IgnoredMember]:
        """Yield the members of a picture's object that no picture reads."""
        if not isinstance(value, str) and is_object(value):
            for ignored in find_unknown(value, _MEMBERS, ""):
                address = str(value[ignored.path])[:_LONGEST_SCHEME].lower().startswith(("http:", "https:", "//"))
                is_address = address or ignored.path.lower() in _ADDRESS_MEMBERS
                yield ignored._replace(reason=_NOT_FETCHED if is_address else _MEMBERS_ADVICE)

    def is_meant(self, value: object, ignored: IgnoredMember) -> bool:
        """Return whether the picture was probably sent under another name, as an unread member."""
        return is_object(value) and value.keys().isdisjoint(_SOURCES) and bool(value[ignored.path])


def has_picture(directive: Directive, place: Place) -> HasValue:
    """Return the condition of a place that shows a directive's picture."""
    return HasCode(directive, place) if directive.kind in CODES else HasPicture(directive, place)


def _source_member(value: object) -> str:
    if not is_object(value):
        return ""
    return next((name for name in _SOURCES if value.get(name) is not None and value[name] != ""), "")


def find_picture(directive: Directive, place: Place, scope: Scope) -> Picture:
    """Return the picture of a directive, read once per deck. Raises `BadData`."""
    if directive.kind in CODES:
        return find_code(directive, scope)
    media = scope.media
    # Each part of a picture asks for it: what it needs is the same until the part or the item changes.
    if (last := media.last) and last[0] is directive and last[1] is scope.relationships and last[2] is scope.items:
        return last[3]
    picture = _find_picture(directive, place, scope)
    media.last = directive, scope.relationships, scope.items, picture
    return picture


def _find_picture(directive: Directive, place: Place, scope: Scope) -> Picture:
    value = resolve(directive, scope, place)
    source, known = picture_source(value), scope.media.pictures
    if isinstance(source, str | bytes) and (picture := known.get(source)) is not None:
        return picture
    try:
        picture = _read(source, scope.media)
    except NoPicture as problem:
        raise bad_data(directive, place, scope, str(problem), _source_member(value)) from problem
    if picture.dropped:
        _report_dropped(picture, directive, place, scope)
    return picture


def _read(source: object, media: DeckMedia) -> Picture:
    if not isinstance(source, str | bytes):
        raise NoPicture(f"it is not a picture; {_ADVICE}")
    content = source if isinstance(source, bytes) else media.contents.get(source)
    picture = read_picture(decode_picture(str(source)) if content is None else content, media.drawer)
    media.pictures[source] = picture
    return picture


def _report_dropped(picture: Picture, directive: Directive, place: Place, scope: Scope) -> None:
    """Report the names removed from an SVG, once for each deck."""
    path, more = data_path(directive, scope), len(picture.dropped) - _MOST_NAMED
    names = ", ".join(picture.dropped[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    message = (
        f"{directive.source} shows the SVG at {path!r} without what may not be in a deck or is not drawn: {names}."
    )
    report_value("svg-made-safe", message, directive, place, scope, path)


class PictureId(Struct, frozen=True):
    """The id of the relationship to a picture, for `r:embed`."""

    directive: Directive
    place: Place

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the id; add the picture to the deck and the relationship to the part."""
        picture = find_picture(self.directive, self.place, scope)
        out.append(scope.relationships.add_picture(scope.media.add(picture.content, picture.extension)))


class VectorExtension(Struct, frozen=True):
    """The extension of a blip that names the SVG from which its PNG was drawn; empty for other pictures.

    `prefix` is DrawingML's with its colon.
    """

    directive: Directive
    place: Place
    prefix: str

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the extension; add the SVG to the deck and the relationship to the part."""
        write_vector(find_picture(self.directive, self.place, scope), self.prefix, out, scope)


def write_vector(picture: Picture, prefix: str, out: list[bytes], scope: Scope) -> None:
    """Append the extension of a blip that shows a picture with an SVG."""
    if picture.svg:
        relationship = scope.relationships.add_picture(scope.media.add(picture.svg, "svg")).decode()
        out.append(_VECTOR.format(prefix, relationship).encode())


class AlternativeText(Struct, frozen=True):
    """A picture's alternative text, for `descr`: the data's `alt`, else the template's text beside the directive.

    `alt` is a member of the picture's object or a sibling of the picture, like `logo.alt`.
    """

    directive: Directive
    place: Place
    alt: Tag
    otherwise: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the text, escaped."""
        text = self._find(scope)
        if text is ABSENT or text is None:
            run(self.otherwise, out, scope)
            return
        try:
            out.append(escape_attribute(legal(write_plain(text))).encode())
        except Unwritable as problem:
            raise bad_data(self.directive, self.place, scope, str(problem), "alt") from problem

    def _find(self, scope: Scope) -> object:
        value = resolve(self.directive, scope, self.place)
        if isinstance(value, str):
            return resolve(self.alt, scope)
        if _is_decorative(value):
            return ""
        return value.get("alt") if is_object(value) else resolve(self.alt, scope)


def _is_decorative(value: object) -> bool:
    return not isinstance(value, str) and is_object(value) and value.get("decorative") is True


class IfDecorative(Struct, frozen=True):
    """A part of a program that is written only for a picture that the data marks as decorative."""

    directive: Directive
    place: Place
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the body for a picture with `decorative: true`."""
        if _is_decorative(resolve(self.directive, scope, self.place)):
            run(self.body, out, scope)


class CodeText(Struct, frozen=True):
    """A code's alternative text, for `descr`: the template's beside the directive, else the text in the code."""

    directive: Directive
    kind: str
    otherwise: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the text, escaped."""
        text = render(self.otherwise, scope)
        out.append(text or escape_attribute(legal(f"{self.kind}: {code_text(self.directive, scope)}")).encode())


def describe_picture(directive: Directive, place: Place, otherwise: Program) -> AlternativeText | CodeText:
    """Return the node for the alternative text of a picture."""
    if directive.kind in CODES:
        return CodeText(directive, "QR code" if directive.kind == "qr" else "Bar code", otherwise)
    name = f"{directive.name}.alt"
    return AlternativeText(directive, place, Tag(directive.source, name, tuple(name.split("."))), otherwise)


class ContainedFrame(Struct, frozen=True):
    """The frame of a `contain` picture: in the picture's proportions, centred in the shape's frame.

    `ratio` is the shown width of the frame to its height, `prefix` that of DrawingML; one `in_card` moves with it.
    """

    directive: Directive
    place: Place
    prefix: str
    x: int
    y: int
    width: int
    height: int
    ratio: float
    in_card: bool = False

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append `a:off` and `a:ext`."""
        relative = _relative_width(find_picture(self.directive, self.place, scope), self.ratio)
        width = max(1, round(self.width * min(1, relative)))
        height = max(1, round(self.height * min(1, 1 / relative)))
        right, down = card_offset(scope) if self.in_card else (0, 0)
        x, y = self.x + right + (self.width - width) // 2, self.y + down + (self.height - height) // 2
        off, ext = f'<{self.prefix}off x="{x}" y="{y}"/>', f'<{self.prefix}ext cx="{width}" cy="{height}"/>'
        out.append((off + ext).encode())


class CoveringCrop(Struct, frozen=True):
    """The crop of a `cover` picture: equal on both sides, so that the rest has the shape's proportions."""

    directive: Directive
    place: Place
    prefix: str
    ratio: float

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append `a:srcRect`."""
        relative = _relative_width(find_picture(self.directive, self.place, scope), self.ratio)
        cut = round(_HALF * (1 - min(relative, 1 / relative)))
        out.append(_rectangle(f"{self.prefix}srcRect", cut, sideways=relative > 1))


class CoveringFill(Struct, frozen=True):
    """The distance by which a `cover` picture exceeds its shape: LibreOffice ignores `a:srcRect` there."""

    directive: Directive
    place: Place
    prefix: str
    ratio: float

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append `a:fillRect`."""
        relative = _relative_width(find_picture(self.directive, self.place, scope), self.ratio)
        overlap = round(_HALF * (max(relative, 1 / relative) - 1))
        out.append(_rectangle(f"{self.prefix}fillRect", -overlap, sideways=relative > 1))


def _relative_width(picture: Picture, ratio: float) -> float:
    """Return the picture's width at the frame's height, as a multiple of the frame's width."""
    relative = picture.width / picture.height / ratio
    return min(max(relative, 1 / _THINNEST), _THINNEST)


def _rectangle(name: str, inset: int, *, sideways: bool) -> bytes:
    one, other = ("l", "r") if sideways else ("t", "b")
    insets = f' {one}="{inset}" {other}="{inset}"' if inset else ""
    return f"<{name}{insets}/>".encode()
