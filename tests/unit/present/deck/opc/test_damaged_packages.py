"""Packages whose parts are there and are not what they should be: refused with an Error that says which."""

from meetdeck.present.deck import compile_template, validate_template, whole_deck
from support.package_checker.samples import PRESENTATION, edit_parts, one_of_everything
from support.package_checker.soundness import find_faults


def test_a_presentation_part_with_another_root_is_refused() -> None:
    def rename(xml: str) -> str:
        return xml.replace("<p:presentation ", "<p:sld ").replace("</p:presentation>", "</p:sld>")

    (finding,) = validate_template(edit_parts(one_of_everything(), {PRESENTATION: rename}))
    assert (finding.type, finding.code) == ("Error", "broken-xml")
    assert PRESENTATION in finding.message


def test_a_relationship_without_a_target_is_refused() -> None:
    part = "ppt/notesSlides/_rels/notesSlide1.xml.rels"
    template = edit_parts(one_of_everything(), {part: lambda xml: xml.replace(' Target="../slides/slide2.xml"', "")})
    assert "broken-relationships" in {finding.code for finding in validate_template(template)}


def test_of_two_slide_lists_the_deck_fills_one() -> None:
    template = edit_parts(
        one_of_everything(), {PRESENTATION: lambda xml: xml.replace("<p:sldSz", "<p:sldIdLst/><p:sldSz")}
    )
    deck = whole_deck(compile_template(template), {}).content
    assert {fault.kind for fault in find_faults(deck)} == {fault.kind for fault in find_faults(template)} == {"schema"}
