"""Shapes of other templates: `{{shape:"Contact card" from="Common"}}` on a rectangle."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Inches, Pt

from meetdeck.present.deck import (
    MissingSharedSlide,
    SharedTemplate,
    TemplateFile,
    compile_template,
    share_slides,
    whole_deck,
)
from support.package_checker.soundness import assert_sound

Draw = Callable[[Any], None]


def make(*draws: Draw) -> bytes:
    """Return a template with a slide for each function."""
    presentation: Any = Presentation()
    for draw in draws:
        draw(presentation.slides.add_slide(presentation.slide_layouts[6]))
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def picture() -> io.BytesIO:
    """Return a PNG."""
    out = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(out, "PNG")
    out.seek(0)
    return out


def draw_card(slide: Any, name: str = "Contact card") -> None:
    """Draw a group of a text and a picture with a link, 4 by 2 inches."""
    box = slide.shapes.add_textbox(0, 0, Inches(4), Inches(1))
    run = box.text_frame.paragraphs[0].add_run()
    run.text, run.font.size, run.hyperlink.address = "{{advisor.name}}", Pt(20), "https://example.com/"
    photo = slide.shapes.add_picture(picture(), 0, Inches(1), Inches(1), Inches(1))
    photo._element.nvPicPr.cNvPr.set("descr", "A photo")  # noqa: SLF001 - python-pptx has no name for it
    slide.shapes.add_group_shape([box, photo]).name = name


def draw_place(alt: str, size: tuple[float, float] = (2, 2)) -> Draw:
    """Return a function that draws a rectangle at 1, 1 inch with an alternative text."""

    def draw(slide: Any) -> None:
        shape = slide.shapes.add_shape(1, Inches(1), Inches(1), Inches(size[0]), Inches(size[1]))
        shape._element.nvSpPr.cNvPr.set("descr", alt)  # noqa: SLF001 - see above

    return draw


def share(main: bytes, **others: bytes) -> SharedTemplate:
    """Return a template with the shapes of others."""
    files = {name: TemplateFile(content, compile_template(content)) for name, content in others.items()}
    return share_slides(TemplateFile(main, compile_template(main)), files)


def build(shared: SharedTemplate, data: dict[str, object]) -> Any:
    """Return the first slide of the deck."""
    deck = whole_deck(shared.template, data)
    assert_sound(deck.content)
    assert not deck.findings
    return Presentation(io.BytesIO(deck.content)).slides[0]


def test_a_group_stands_in_the_middle_of_its_rectangle_filled_with_the_decks_data() -> None:
    """Half as large, with its letters, its picture and its link."""
    main = make(draw_place('{{shape:"Contact card" from="Common"}}'))

    shared = share(main, Common=make(lambda _: None, draw_card))
    slide = build(shared, {"advisor": {"name": "Karen"}})

    (card,) = slide.shapes
    assert (card.name, card.left, card.top, card.width, card.height) == (
        "Contact card",
        *map(Inches, (1, 1.5, 2, 1)),
    )
    box, photo = card.shapes
    assert (box.text_frame.text, box.text_frame.paragraphs[0].runs[0].font.size) == ("Karen", Pt(10))
    assert box.text_frame.paragraphs[0].runs[0].hyperlink.address == "https://example.com/"
    assert photo.image.blob == picture().getvalue()
    assert len({shape.shape_id for shape in (card, box, photo)}) == 3
    assert not shared.findings
    assert shared.template.example == {"advisor": {"name": "Name"}}
    assert shared.sources == ("Common",)


def test_a_small_shape_is_not_enlarged_and_other_directives_stay() -> None:
    """The rectangle's condition and repetition are the shape's."""

    def draw(slide: Any) -> None:
        shape = slide.shapes.add_shape(1, 0, 0, Inches(1), Inches(0.5))
        shape.name, shape.text_frame.text = "Badge", "{{name}}"

    main = make(draw_place('{{repeat:people gap=0}} {{shape:Badge from="Common"}}', (2, 1)))

    slide = build(share(main, Common=make(draw)), {"people": [{"name": "A"}, {"name": "B"}]})

    assert [shape.text_frame.text for shape in slide.shapes] == ["A", "B"]
    assert (slide.shapes[0].left, slide.shapes[0].width) == (Inches(1.5), Inches(1))


def test_shapes_may_stand_for_shapes_of_a_third_template() -> None:
    """Each with the size that the one before leaves it."""
    main = make(draw_place("{{shape:Frame from=Common}}", (4, 2)))

    def draw(slide: Any) -> None:
        draw_place('{{shape:"Contact card" from="Parts"}}', (4, 2))(slide)
        slide.shapes[0].name = "Frame"

    slide = build(share(main, Common=make(draw), Parts=make(draw_card)), {"advisor.name": "Karen"})

    (card,) = slide.shapes
    assert (card.name, card.width) == ("Contact card", Inches(4))


@pytest.mark.parametrize(
    ("reference", "code", "said"),
    [
        ('{{shape:"Contact cart" from="Common"}}', "shared-shape-missing", "did you mean 'Contact card'"),
        ("{{shape:Card from=Nobody}}", "shared-shape-missing", "no template 'Nobody'"),
        ("{{shape:Loop from=Common}}", "shared-shape-circle", "in a circle"),
    ],
)
def test_a_shape_that_is_gone_or_names_itself_is_a_finding_and_refuses_decks(
    reference: str, code: str, said: str
) -> None:
    """No customer gets a deck with an empty rectangle; the rest of the template is built."""

    def loop(slide: Any) -> None:
        draw_place("{{shape:Loop from=Common}}")(slide)
        slide.shapes[0].name = "Loop"

    shared = share(make(draw_place(reference)), Common=make(draw_card, loop))

    (finding,) = shared.findings
    assert (finding.type, finding.code, finding.location) == ("Warning", code, "Slide 1")
    assert said in finding.message
    with pytest.raises(MissingSharedSlide, match="'Slide 1'"):
        whole_deck(shared.template, {})


def test_a_deck_of_a_template_alone_is_refused() -> None:
    """The shape of the other template is not there."""
    template = compile_template(make(draw_place("{{shape:Card from=Common}}")))

    assert [one.template for one in template.references] == ["Common"]
    with pytest.raises(MissingSharedSlide):
        whole_deck(template, {})


def test_what_is_no_plain_shape_cannot_stand_for_another() -> None:
    """A picture of the data, for example, is told at upload."""

    def draw(slide: Any) -> None:
        photo = slide.shapes.add_picture(picture(), 0, 0)
        photo._element.nvPicPr.cNvPr.set("descr", "{{shape:Card from=Common}}")  # noqa: SLF001 - see above

    (finding,) = compile_template(make(draw)).findings

    assert finding.code == "missing-target"
