"""A check of a watched template: findings are shown beside their slides, and no faulty file ends it."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from pptx import Presentation

from meetdeck.present.watching.board import Board
from meetdeck.present.watching.checking import check_template, list_remarks, list_slides, remark_on
from meetdeck.present.watching.schemas import Picture, WatchedSlide

_TODAY = date(2026, 3, 2)


def _write(path: Path, *slides: tuple[str, str], hide: Sequence[str] = ()) -> Path:
    """Write a template of slides with these titles, and alternative texts of the titles."""
    presentation: Any = Presentation()
    for title, description in slides:
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = title
        slide.shapes.title.element.nvSpPr.cNvPr.set("descr", description)
        if title in hide:
            slide.element.set("show", "0")
    presentation.save(path)
    return path


def test_slides_stand_as_in_the_deck_and_those_without_a_page_behind_them(tmp_path: Path) -> None:
    data = tmp_path / "data.json"
    data.write_text('{"goals": [1, 2], "pension": false}')
    slides = (("Cover", ""), ("Goal", "{{each:goals}}"), ("Pension", "{{if:pension}}"), ("Spare {{name}}", ""))
    look = check_template(_write(tmp_path / "t.pptx", *slides, hide=["Spare {{name}}"]), data, _TODAY)
    shown = list_slides(look, [Picture("first", 10, 10)])
    assert [(slide.name, slide.number) for slide in shown] == [
        ("Cover", 1),
        ("Goal", 2),
        ("Goal", 3),
        ("Pension", 0),
        ("Spare", 0),
    ]
    assert ["Hidden" in slide.note for slide in shown[3:]] == [False, True]
    assert [slide.picture is None for slide in shown] == [False, True, True, True, True]
    assert [remark.code for remark in shown[4].remarks] == ["missing-value"]


def test_what_is_wrong_with_a_slide_stands_beside_it_while_the_file_is_broken(tmp_path: Path) -> None:
    look = check_template(_write(tmp_path / "t.pptx", ("Cover", ""), ("Goal {{", "")), None, _TODAY)
    assert not look.deck
    before = [WatchedSlide("Goal {{", 2), WatchedSlide("Cover", 1)]
    assert [[remark.code for remark in slide.remarks] for slide in remark_on(before, look)] == [["unclosed-tag"], []]
    assert list_remarks(look, before) == ()
    [remark] = list_remarks(look, ())
    assert remark.where.startswith("Goal {{, ")


def test_data_that_cannot_be_read_are_a_remark_beside_the_findings(tmp_path: Path) -> None:
    data = tmp_path / "data.json"
    data.write_text('{"goals": [}')
    look = check_template(_write(tmp_path / "t.pptx", ("{x}}", "")), data, _TODAY)
    codes = [remark.code for remark in list_remarks(look, ())]
    assert codes[0] == "no-deck"
    assert "near-miss-tag" in codes
    assert "line 1, column 12" in look.trouble


def test_the_templates_that_slides_come_from_are_watched_too(tmp_path: Path) -> None:
    common = _write(tmp_path / "Common.pptx", ("Terms for {{customer}}", ""))
    template = _write(tmp_path / "t.pptx", ("", '{{slide:Terms for from="Common"}}'))
    look = check_template(template, None, _TODAY)
    assert (look.read, look.pages) == ((common,), ("Terms for",))
    common.write_bytes(b"half a file")
    look = check_template(template, None, _TODAY)
    assert (look.read, look.deck) == ((common,), b"")
    assert "Common.pptx" in look.trouble


async def test_a_page_is_told_of_the_next_state_and_waits_no_longer_than_it_may() -> None:
    board = Board("t.pptx")
    [name] = board.add([b"a picture"])
    first = await board.wait(0, 5)
    assert await board.wait(first.version, 0.01) == first
    await board.show(first)
    assert (await board.wait(first.version, 5)).version == first.version + 1
    assert board.find(name) is None
