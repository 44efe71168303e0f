"""A deck's draft as its form sends it: the template, the chosen slides and their data."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

import msgspec

from meetdeck.pages.console.decks.data_forms import Json, Node, merge, read_data, read_schema, write_data
from meetdeck.pages.console.decks.meeting_data import MeetingForDeck
from meetdeck.pages.console.kit import Api, ConsolePage, SentForm
from meetdeck.pages.console.slide_templates import listing as slide_templates
from meetdeck.pages.console.slide_templates.contents import store_file
from meetdeck.pages.console.slide_templates.listing import Entry, Slide, Tag
from meetdeck.platform.errors import NotFound

PICTURE_WIDTH: Final = 480
"""The width of the pictures of slides to choose from, in pixels."""


class SlideDataSchema(msgspec.Struct, frozen=True, rename="camel"):
    """The data that some slides need."""

    slides: list[str]
    tags: list[Tag]
    example: dict[str, Any]
    data_schema: dict[str, Any]


class Draft(NamedTuple):
    """A deck in preparation: the `texts` of its form by pointer, or its data as JSON if `is_json`.

    `rest` is pasted data that is not in the form.
    """

    template: Entry
    wanted: SlideDataSchema
    nodes: tuple[Node, ...]
    texts: dict[str, str]
    is_json: bool
    json: str
    rest: Json
    shown: str = ""
    """The slide in the preview."""
    meeting: MeetingForDeck | None = None
    """The meeting for which it is made."""

    @property
    def data(self) -> Json:
        """Return the data. Raises ValueError for anything but a JSON object."""
        if not self.is_json:
            return merge(self.rest, read_data(self.nodes, self.texts))
        return read_json(self.json)

    def with_data(self, data: Json) -> "Draft":
        """Return the draft with other data."""
        return self._replace(texts=write_data(self.nodes, data), json=write_json(data), rest=data, is_json=self.is_json)

    def body_of(self, slides: list[str], data: Json) -> Json:
        """Return the body with which the API builds a deck of slides that share one set of data."""
        return {"template": self.template.name, "slides": [{"slideId": name, "data": data} for name in slides]}


def read_json(text: str) -> Json:
    """Return a JSON object. Raises ValueError, with the place, for any other text."""
    try:
        read: object = msgspec.json.decode(text or "{}")
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from None
    if not isinstance(read, dict):
        raise ValueError("{…}")  # noqa: TRY004 - of the text, which has the right type
    return cast("Json", read)


def write_json(data: Json) -> str:
    """Return JSON for people."""
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode()


async def find_template(api: Api, template_id: str) -> Entry:
    """Return the template with an id. Raises NotFound."""
    found = next((one for one in await slide_templates.list_templates(api) if str(one.id) == template_id), None)
    if found is None:
        raise NotFound("There is no such template.")
    return found


async def open_draft(page: ConsolePage, template: Entry, slides: Sequence[Slide]) -> Draft:
    """Return an empty draft of a template's slides."""
    names = ",".join(map(_spell, slides))
    wanted = await page.api.get(f"{slide_templates.address(template.name)}/data", SlideDataSchema, slides=names)
    nodes = read_schema(wanted.data_schema, wanted.example)
    return Draft(template, wanted, nodes, {}, is_json=False, json="{}", rest={})


def _spell(slide: Slide) -> str:
    """Return a slide for a list in an address: its name, or its place if the name has a comma."""
    return f"Slide {slide.index}" if "," in slide.name else slide.name


async def read_draft(form: SentForm) -> Draft:
    """Return the draft that was sent; its pictures are stored, and replaced by their ids."""
    page = form.page
    template = await find_template(page.api, form.get("template"))
    shown = {one.name: one for one in await slide_templates.list_slides(page.api, template.name, width=PICTURE_WIDTH)}
    draft = await open_draft(page, template, [shown[name] for name in form.list_all("slide") if name in shown])
    texts = {name: value for name, value in form.values.items() if name.startswith("/")}
    for name, file in form.files:
        if name.startswith("/") and file.filename:
            stored = await store_file(page.api, file.filename, await file.read())
            texts[name] = str(stored.content_id)
    rest = read_json(form.get("rest"))
    return draft._replace(
        texts=texts, is_json=form.get("mode") == "json", json=form.get("json"), rest=rest, shown=form.get("shown")
    )
