"""Titles of slides as programs of plain text, for templates that list the deck's slides."""

from collections.abc import Sequence
from dataclasses import replace

from meetdeck.present.deck.compile.context import PartContext, TemplateContext
from meetdeck.present.deck.compile.part_graph import Part
from meetdeck.present.deck.compile.text.stories import mark_plain
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.presentation.names import title_text
from meetdeck.present.deck.presentation.slides import Slide
from meetdeck.present.deck.program.nodes import LiteralValue
from meetdeck.present.deck.program.scope import Program
from meetdeck.present.deck.program.template import SlidePlan

_PLACE = Place("", 0, "slide")


def compile_titles(
    slides: Sequence[Slide], plans: Sequence[SlidePlan], template: TemplateContext
) -> tuple[SlidePlan, ...]:
    """Return the slides with programs that write their titles. Their faults have been reported already."""
    findings = template.package.findings
    known = len(findings)
    titled = tuple(
        replace(plan, title=_compile_title(slide, template)) for slide, plan in zip(slides, plans, strict=True)
    )
    del findings[known:]
    return titled


def _compile_title(slide: Slide, template: TemplateContext) -> Program:
    # The slide's own tree is marked by now.
    root = template.package.peek(slide.part)
    context = PartContext(template, Part(slide.part, "", "slide"), slide.name)
    text = mark_plain(
        title_text(root) if root is not None else "", _PLACE, context, lambda tag, _: LiteralValue(tag, _PLACE)
    )
    return context.markers.cut_bytes(text.encode())
