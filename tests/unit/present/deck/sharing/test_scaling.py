"""Shared slides of another size: they are scaled with their text, and stand in the middle."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches, Pt

from meetdeck.present.deck import SharedTemplate, TemplateFile, compile_template, share_slides, whole_deck

Make = Callable[[Callable[[Any], None]], bytes]
Check = Callable[[bytes], None]


def add(presentation: Any, title: str, description: str = "") -> Any:
    """Add a slide with a title, and return it."""
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = title
    slide.shapes.title.element.nvSpPr.cNvPr.set("descr", description)
    return slide


def share(main: bytes, **others: bytes) -> SharedTemplate:
    """Return a template with the slides of others."""
    files = {name: TemplateFile(content, compile_template(content)) for name, content in others.items()}
    return share_slides(TemplateFile(main, compile_template(main)), files)


def read(content: bytes) -> Any:
    """Return a presentation."""
    return Presentation(io.BytesIO(content))


def make_wide() -> bytes:
    """Make a template of wide slides with a box of large letters, and a group and a table of small ones."""
    presentation: Any = Presentation()
    presentation.slide_width = Inches(13.333)
    slide = add(presentation, "Small print")
    box = slide.shapes.add_textbox(Inches(1.333), Inches(3), Inches(6), Inches(1))
    first, second = box.text_frame.paragraphs[0].add_run(), box.text_frame.paragraphs[0].add_run()
    first.text, first.font.size, second.text = "Large", Pt(36), " usual"
    group = slide.shapes.add_group_shape([slide.shapes.add_shape(1, Inches(2), Inches(5), Inches(4), Inches(1))])
    group.name = "Group"
    frame = slide.shapes.add_table(1, 1, 0, 0, Inches(4), Inches(1))
    frame.table.cell(0, 0).text = "cell"
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def refer(make_template: Make, directive: str) -> bytes:
    """Make a template of one slide that stands for another."""
    return make_template(lambda presentation: add(presentation, "Mine", directive))


@pytest.mark.parametrize("theme", ["", " theme=keep"])
def test_a_slide_of_another_size_is_scaled_with_its_text(theme: str, make_template: Make, check_whole: Check) -> None:
    """The smaller factor counts, and the slide stands in the middle; fonts are in half points."""
    main = refer(make_template, f'{{{{slide:Small print from="Wide"{theme}}}}}')
    shared = share(main, Wide=make_wide())
    deck = whole_deck(shared.template, {})

    check_whole(deck.content)
    slide = read(deck.content).slides[0]
    box = next(shape for shape in slide.shapes if shape.has_text_frame and "Large" in shape.text_frame.text)
    factor, down = 10 / 13.333, (7.5 - 7.5 * 10 / 13.333) / 2
    assert (box.left, box.width) == (pytest.approx(Inches(1), rel=1e-3), pytest.approx(Inches(6 * factor), rel=1e-3))
    assert box.top == pytest.approx(Inches(3 * factor + down), rel=1e-3)
    assert [run.font.size.pt for run in box.text_frame.paragraphs[0].runs] == [27, 13.5]
    group = next(shape for shape in slide.shapes if shape.name == "Group")
    assert group.left == pytest.approx(Inches(2 * factor), rel=1e-3)
    assert group.shapes[0].width == Inches(4)
    table = next(shape for shape in slide.shapes if shape.has_table).table
    assert table.columns[0].width == pytest.approx(Inches(4 * factor), rel=1e-3)
    assert table.rows[0].height == pytest.approx(Inches(factor), rel=1e-3)
    if theme:
        title = slide.slide_layout.placeholders[0]
        assert title.left + title.width <= Inches(10)
    (finding,) = [one for one in shared.findings if one.code == "slide-size-differs"]
    assert (finding.type, finding.location) == ("Info", "Mine")


def test_scale_no_places_it_as_it_is(make_template: Make) -> None:
    """Unscaled slides are a Warning: they may extend beyond the slide."""
    shared = share(refer(make_template, '{{slide:Small print from="Wide" scale=no}}'), Wide=make_wide())

    slide = read(whole_deck(shared.template, {}).content).slides[0]
    assert next(shape for shape in slide.shapes if shape.name == "Group").left == Inches(2)
    assert [(one.type, one.code) for one in shared.findings] == [("Warning", "slide-size-differs")]
