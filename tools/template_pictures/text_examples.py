"""Examples of tags and filters."""

from typing import Final

from .example import Example
from .stage import Box, Stage


def _draw_tags(stage: Stage) -> None:
    stage.begin("Welcome, {{customer.firstName}}")
    stage.text(
        "Prepared for ⟦{{customer.name}}⟧ by {{advisor.name}}", "{{meeting.place}}, room {{meeting.room}}", size=16
    )
    stage.banner("First goal: {{goals.0.name}}", box=Box(0.35, 2.15, 4.7, 0.55))


def _draw_filters(stage: Stage) -> None:
    stage.begin("Your portfolio in {{year}}")
    stage.text(
        'Meeting on {{meeting | date:"d MMMM y"}}',
        "Value: {{value | number:2}}",
        "Return: {{return | percent:1}}",
        'Fee a year: {{fee | currency:"DKK"}}',
        "Our meeting: the {{meetings | ordinal}}",
        'Your contact: {{contact | default:"our service desk"}}',
        size=16,
    )


def _draw_languages(stage: Stage) -> None:
    stage.begin("Languages")
    stage.text("{{motto | quote}} is what {{name}} said.", "{{name}} 3 accounts, {{phone}}", size=16)


def _draw_square_brackets(stage: Stage) -> None:
    stage.begin("Dear [tag:customer.name:title]")
    stage.text("[tag:city:trim:uppercase], {{date | date:long}}", "[1] Figures before tax", size=16)


TEXT: Final = (
    Example(
        "tags",
        _draw_tags,
        [
            [
                "Welcome, Freja",
                "Prepared for Freja Søndergaard by Anna Holm\nÅboulevarden 12,\nAarhus, room ",
                "First goal: Summer house in Ebeltoft",
            ]
        ],
        findings=["missing-value"],
    ),
)

FILTERS: Final = (
    Example(
        "filters",
        _draw_filters,
        [
            [
                "Your portfolio in 2026",
                """Meeting on 12 marts 2026
Value: 1.234.567,50
Return: 7,3\N{NO-BREAK SPACE}%
Fee a year: 2.400,00\N{NO-BREAK SPACE}kr.
Our meeting: the 3.
Your contact: our service desk""",
            ]
        ],
    ),
)

SQUARE_BRACKETS: Final = (
    Example(
        "square-brackets",
        _draw_square_brackets,
        [
            [
                "Dear Freja Søndergaard",
                "AARHUS, March 12, 2026\n[1] Figures before tax",
            ]
        ],
    ),
)

LANGUAGES: Final = (
    Example(
        "languages",
        _draw_languages,
        [
            [
                "Languages",
                """„Langsam, aber sicher“ is what \u200fשלום כהן\u200f\u200e said.
\u200fשלום כהן\u200f\u200e 3 accounts, +45 12 34 56 78""",  # noqa: RUF001 - Hebrew
            ]
        ],
    ),
)
