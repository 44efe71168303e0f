"""Examples of chapters, contents, links to the slide of an item, and page numbers."""

from typing import Final

from .example import Example
from .stage import Stage


def _draw_chapter(stage: Stage) -> None:
    stage.begin("{{@number}}. {{name}}", alt="{{chapter:goals}}")
    stage.text("{{saved}} of {{target}} by {{year}}", size=17)
    stage.begin("Next for {{name}}", alt="{{/goals}}")
    stage.text("{{next}}", "We talk about it, {{customer.firstName}}.", size=17)


def _draw_contents(stage: Stage) -> None:
    stage.begin("Contents")
    stage.table(("What", "Page"), ("{{#@slides}}{{title | goto}}", "{{page}}{{/@slides}}"), widths=(3.1, 1.6), y=0.75)
    stage.begin("{{name}}", alt="{{chapter:goals}}")
    stage.text("By {{year}}", size=17)
    stage.begin("Next for {{name}}", alt="{{/goals}}")
    stage.text("{{next}}", size=17)


def _draw_links(stage: Stage) -> None:
    stage.begin("Your goals", content=('{{#goals}}{{name | goto:"Plan"}}: {{saved}}{{/goals}}',))
    stage.begin("Plan", alt="{{each:goals}}")
    stage.text("{{name}}: {{next}}", size=17)


def _draw_pages(stage: Stage) -> None:
    stage.begin("Your year")
    stage.text("Page {{@page}} of {{@pages}}", size=14)
    stage.begin("{{name}}", alt="{{each:goals}}")
    stage.text("Page {{@page}} of {{@pages}}, goal {{@number}}", size=14)


CHAPTERS: Final = (
    Example(
        "chapter",
        _draw_chapter,
        [
            ["1. Summer house", "DKK 372,000 of DKK 600,000 by 2029"],
            ["Next for Summer house", "Visit two houses\nWe talk about it, Freja."],
            ["2. Education", "DKK 153,000 of DKK 180,000 by 2031"],
            ["Next for Education", "Ask for a place\nWe talk about it, Freja."],
        ],
    ),
    Example(
        "contents",
        _draw_contents,
        [
            [
                "Contents",
                "What | Page",
                "Summer house | 2",
                "Next for Summer house | 3",
                "Education | 4",
                "Next for Education | 5",
            ],
            ["Summer house", "By 2029"],
            ["Next for Summer house", "Visit two houses"],
            ["Education", "By 2031"],
            ["Next for Education", "Ask for a place"],
        ],
    ),
    Example(
        "goto",
        _draw_links,
        [
            ["Your goals", "Summer house: DKK 372,000 (slide 2)\nEducation: DKK 153,000 (slide 3)"],
            ["Plan", "Summer house: Visit two houses"],
            ["Plan", "Education: Ask for a place"],
        ],
    ),
    Example(
        "pages",
        _draw_pages,
        [
            ["Your year", "Page 1 of 3"],
            ["Summer house", "Page 2 of 3, goal 1"],
            ["Education", "Page 3 of 3, goal 2"],
        ],
    ),
)
