"""Templates of titled slides with links and sections, and the texts and links of their decks."""

import io
from collections.abc import Sequence
from typing import Any, NamedTuple

from pptx import Presentation
from pptx.oxml import parse_xml

from meetdeck.present.deck.opc.xml import P14, P, R


class Drawn(NamedTuple):
    """A slide to draw: its title, the title's alternative text, its text, and the slide that the text links to."""

    title: str
    alt: str = ""
    text: str = ""
    leads_to: int | None = None
    notes: str = ""
    hidden: bool = False


def draw(slides: Sequence[Drawn], sections: Sequence[tuple[str, int]] = (), first_page: int = 1) -> bytes:
    """Return a template of these slides; `sections` are names and how many slides each has."""
    presentation: Any = Presentation()
    made = [presentation.slides.add_slide(presentation.slide_layouts[5]) for _ in slides]
    for one, slide in zip(slides, made, strict=True):
        slide.shapes.title.text = one.title
        slide.shapes.title.element.xpath("p:nvSpPr/p:cNvPr")[0].set("descr", one.alt)
        box = slide.shapes.add_textbox(0, 0, 900_000, 900_000)
        box.text_frame.text = one.text
        if one.leads_to is not None:
            box.click_action.target_slide = made[one.leads_to]
        if one.notes:
            slide.notes_slide.notes_text_frame.text = one.notes
        if one.hidden:
            slide.element.set("show", "0")
    element = presentation.part._element  # noqa: SLF001 - python-pptx has no sections
    element.set("firstSlideNum", str(first_page))
    if sections:
        element.append(_sections([entry.get("id") for entry in element.iter(P + "sldId")], sections))
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _sections(ids: list[str], sections: Sequence[tuple[str, int]]) -> Any:
    written = ""
    for number, (name, size) in enumerate(sections, start=1):
        entries = "".join(f'<p14:sldId id="{identifier}"/>' for identifier in ids[:size])
        ids = ids[size:]
        written += (
            f'<p14:section name="{name}" id="{{0000000{number}-0000-0000-0000-000000000000}}"><p14:sldIdLst>{entries}'
            "</p14:sldIdLst></p14:section>"
        )
    return parse_xml(
        f'<p:extLst xmlns:p="{P[1:-1]}"><p:ext uri="{{521415D9-36F7-43E2-AB2F-B90AF26B5E84}}"><p14:sectionLst '
        f'xmlns:p14="{P14[1:-1]}">{written}</p14:sectionLst></p:ext></p:extLst>'
    )


def titles(deck: bytes) -> list[str]:
    presentation: Any = Presentation(io.BytesIO(deck))
    return [slide.shapes.title.text for slide in presentation.slides]


def texts(deck: bytes) -> list[str]:
    presentation: Any = Presentation(io.BytesIO(deck))
    return [slide.shapes[1].text_frame.text for slide in presentation.slides]


def targets(deck: bytes) -> list[str | None]:
    """Return the title of the slide that each slide's box, or its first linked run, leads to."""
    presentation: Any = Presentation(io.BytesIO(deck))
    return [(found[0] if (found := all_targets(slide)) else None) for slide in presentation.slides]


def all_targets(slide: Any) -> list[str]:
    links = slide.element.xpath(".//a:hlinkClick[@action='ppaction://hlinksldjump']")
    identifiers = [link.get(R + "id") for link in links]
    return [slide.part.related_part(identifier).slide.shapes.title.text for identifier in identifiers]
