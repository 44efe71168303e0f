"""Names of slides in square brackets, as they stand in the notes."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation

from meetdeck.present.deck import (
    SlideRequest,
    TemplateFile,
    build_deck,
    compile_template,
    convert_template,
    read_notes,
    share_slides,
    whole_deck,
)
from support.package_checker.samples import edit_parts
from support.package_checker.soundness import assert_sound

Make = Callable[[Callable[[Any], None]], bytes]


def _noted(make_template: Make, *notes: str) -> bytes:
    def fill(presentation: Any) -> None:
        for number, text in enumerate(notes, start=1):
            slide = presentation.slides.add_slide(presentation.slide_layouts[5])
            slide.shapes.title.text = f"Title {number}"
            slide.name = f"Own {number}"
            slide.notes_slide.notes_text_frame.text = text

    return make_template(fill)


def _notes_of(deck: bytes) -> list[str]:
    presentation: Any = Presentation(io.BytesIO(deck))
    return [slide.notes_slide.notes_text_frame.text for slide in presentation.slides]


def test_the_notes_name_the_slide_and_do_not_say_so_in_the_deck(make_template: Make) -> None:
    pptx = _noted(make_template, "[slide:cover]\nWelcome [tag:name]", "First [slide:goals.1] last", "[slide:end]", "x")
    template = compile_template(pptx)
    assert [slide.name for slide in template.slides] == ["cover", "goals.1", "end", "Own 4"]
    assert template.findings == ()

    names = ("goals.1", "Slide 1", "cover", "end")
    deck = build_deck(template, [SlideRequest(name, {"name": "Ada"}) for name in names])
    assert _notes_of(deck.content) == ["First  last", "Welcome Ada", "Welcome Ada", ""]
    assert [len(notes) for notes in read_notes(deck.content)] == [1, 1, 1, 0]
    assert_sound(deck.content, pptx)


def test_a_slides_name_may_be_split_over_runs_of_the_notes(make_template: Make) -> None:
    pptx = _noted(make_template, "[slide:cover] Hello")
    split = edit_parts(
        pptx,
        {
            "ppt/notesSlides/notesSlide1.xml": lambda xml: xml.replace(
                "<a:r><a:t>[slide:cover] Hello</a:t></a:r>",
                "<a:r><a:t>[sl</a:t></a:r><a:r><a:t>ide:co</a:t></a:r><a:r><a:t>ver] Hello</a:t></a:r>",
            )
        },
    )
    template = compile_template(split)
    assert [slide.name for slide in template.slides] == ["cover"]
    assert _notes_of(whole_deck(template, {}).content) == [" Hello"]


def test_two_slides_of_one_name_are_told_apart(make_template: Make) -> None:
    template = compile_template(_noted(make_template, "[slide:cover]", "[slide:cover]"))
    assert [slide.name for slide in template.slides] == ["cover", "cover (2)"]
    assert [finding.code for finding in template.findings] == ["duplicate-slide-name"]


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Annual fees",
            "the end",
            "Årsgebyr 2027",
            "Årsgebyr 2027".replace("Å", "A\u030a"),
            "\u0627\u0644\u0645\u0644\u062e\u0635",
            "\u0645\u0644\u062e\u0635 \u0627\u0644\u0631\u0633\u0648\u0645",
        ),
        *(
            "वार्षिक शुल्क",
            "可选 费用",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "Ετήσια τέλη",
            "2027",
            "fees_2027",
            "v1.2",
            "Plan - Goals",
            "a-b c.d",
        ),
    ],
)
def test_a_slides_name_may_have_blanks_and_letters_of_any_script(make_template: Make, name: str) -> None:
    pptx = _noted(make_template, f"Speak slowly. [slide:{name}] Then pause.", "x")
    template = compile_template(pptx)
    assert ([slide.name for slide in template.slides], template.findings) == ([name, "Own 2"], ())
    deck = build_deck(template, [SlideRequest(name, {})])
    assert (deck.slides, _notes_of(deck.content)) == ((name,), ["Speak slowly.  Then pause."])
    for to in ("braces", "brackets"):
        assert convert_template(pptx, to).changes == ()


def test_a_slides_name_is_read_as_it_is_seen(make_template: Make) -> None:
    template = compile_template(
        _noted(make_template, "[slide:Annual\u00a0fees]", "[slide:\u200f\u0627\u0644\u0645\u0644\u062e\u0635\u200f]")
    )
    assert [slide.name for slide in template.slides] == ["Annual fees", "\u0627\u0644\u0645\u0644\u062e\u0635"]


@pytest.mark.parametrize(
    ("slip", "suggestion"),
    [
        ("[Slide:cover]", "[slide:cover]"),
        ("[SLIDE:Annual fees]", "[slide:Annual fees]"),
        ("[slide: cover page]", "[slide:cover page]"),
        ("[slide:cover ]", "[slide:cover]"),
        ("[ slide:cover]", "[slide:cover]"),
        ("[slide :cover]", "[slide:cover]"),
        ("[slides:cover]", "[slide:cover]"),
        ("[slide:Annual  fees]", "[slide:Annual fees]"),
        ("[slide:Annual\tfees]", "[slide:Annual fees]"),
        ("[slide:Plan \u2013 Goals]", "[slide:Plan - Goals]"),
        ("[slide\uff1a\u5c01\u9762]", "[slide:\u5c01\u9762]"),
        ("[slide:the end", "[slide:the end]"),
        ("[slide:Fees & costs]", None),
        ("[slide:]", None),
        ("[slide:1. Overview]", None),
        ("[slide:cover and then a long text about it that never ends", None),
    ],
)
def test_a_near_miss_of_a_slides_name_is_a_warning(make_template: Make, slip: str, suggestion: str | None) -> None:
    template = compile_template(_noted(make_template, f"Speak. {slip}"))
    assert [slide.name for slide in template.slides] == ["Own 1"]
    (finding,) = template.findings
    assert (finding.type, finding.code) == ("Warning", "near-miss-tag")
    assert (finding.details["tag"], finding.details.get("suggestion")) == (slip, suggestion)
    assert (suggestion or "a slide's name is letters") in finding.message
    assert _notes_of(whole_deck(template, {}).content) == [f"Speak. {slip}"]


@pytest.mark.parametrize("text", ["[Slide: 3, 4]", "[see slide: cover]", "slide:cover]", "[slider:x]", "[slides]"])
def test_other_brackets_in_notes_are_text(make_template: Make, text: str) -> None:
    template = compile_template(_noted(make_template, text))
    assert ([slide.name for slide in template.slides], template.findings) == (["Own 1"], ())


def test_a_named_slide_is_led_to_and_shared_by_its_name(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = "Fees"
        slide.notes_slide.notes_text_frame.text = "[slide:Annual fees]"
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = '{{x | goto:"Annual fees"}}'

    template = compile_template(make_template(fill))
    assert template.findings == ()
    assert build_deck(template, [SlideRequest("Annual fees", {})]).slides == ("Annual fees",)

    def refer(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.notes_slide.notes_text_frame.text = '{{slide:Annual fees from="Common"}}'

    files = {"Common": TemplateFile(make_template(fill), template)}
    content = make_template(refer)
    shared = share_slides(TemplateFile(content, compile_template(content)), files)
    assert "shared-slide-missing" not in {finding.code for finding in shared.findings}
