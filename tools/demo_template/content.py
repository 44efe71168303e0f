"""The contents of the slides. Layout placeholders are filled by name; tags are written as an author types them."""

from dataclasses import dataclass, field

from .text import CUT


@dataclass(frozen=True)
class SlideText:
    """A slide: its name (the slideId), its section, its layout, the texts of its placeholders, its notes.

    `directive` is the alternative text of the title: it makes the slide stay, go or repeat.
    """

    name: str
    section: str
    layout: str
    placeholders: dict[str, str]
    notes: str
    directive: str = ""
    hidden: bool = field(default=False)


FOOTER = "Annual review {{review.year}}  ·  {{customer.name}}"

MEETING_DAY = '{{meeting.start | date:"EEEE d MMMM y"}}'
MEETING_HOURS = '{{meeting.start | date:"HH:mm"}} to {{meeting.end | date:"HH:mm"}}'
NEXT_MEETING = '{{meeting.next | date:"EEEE d MMMM y"}} at {{meeting.next | date:"HH:mm"}}'

AGENDA = (
    ("Your situation", "Income, assets and debt, compared with last year"),
    ("Savings and goals", "What you save for, and how far you have come"),
    ("Portfolio and risk", "What you hold, what it returned, what to expect"),
    ("Recommendations", "What we would do in your place"),
    ("Next steps", "Who does what, and when we meet again"),
)

SLIDES = (
    SlideText(
        "Cover",
        "Opening",
        "Cover",
        {
            "Kicker": "Annual review {{review.year}}",
            "Title": f"Welcome, {{{{{CUT}customer.firstName{CUT}}}}}",
            "Subtitle": "Where you stand today, where you want to go, and what we suggest next.",
            # Less data gives a shorter line, not one with gaps.
            "Details": "Prepared for {{customer.name}}{{#advisor.name}} by {{advisor.name}}{{/}}\n"
            f"{{{{#meeting.start}}}}{MEETING_DAY}, {{{{meeting.location}}}}{{{{/}}}}",
        },
        "Welcome {{customer.firstName}}. Ask what has happened since last time before you open the agenda.\n"
        f"Meeting on {MEETING_DAY}, {MEETING_HOURS}, {{{{meeting.location}}}}.",
    ),
    SlideText(
        "Agenda",
        "Opening",
        "Agenda",
        {
            "Kicker": "Today",
            "Title": "What we will talk about",
            "Details": f"{MEETING_DAY}\n{MEETING_HOURS}\n{{{{meeting.location}}}}",
            **{f"Topic {i}": topic for i, (topic, _) in enumerate(AGENDA, 1)},
            **{f"About {i}": about for i, (_, about) in enumerate(AGENDA, 1)},
        },
        "Ask {{customer.firstName}} whether a topic is missing, and which one matters most.",
    ),
    SlideText(
        "Your situation",
        "Your money",
        "Figures and table",
        {
            "Kicker": "Your money",
            "Title": "Your situation today",
            "Figure 1": "DKK {{netWorth.thisYear | number}}",
            "Label 1": "Net worth",
            "Figure 2": "DKK {{household.income | number}}",
            "Label 2": "Household income a year, after tax",
            "Figure 3": "DKK {{household.surplus | number}}",
            "Label 3": "Left each month when the bills are paid",
        },
        "Net worth is DKK {{netWorth.thisYear | number}}, {{netWorth.change | number}} more than a year ago.\n"
        "Check with {{customer.firstName}} that income and debt are still right.",
    ),
    SlideText(
        "Savings and goals",
        "Your money",
        "Chart and goal",
        {
            "Kicker": "Savings and goals  ·  {{@number}}",
            "Title": "{{name}}",
            "Chart heading": "What you have saved, and what the plan says, in thousand kroner",
            "Figure": "{{done | percent}}",
            "Label": "DKK {{saved | number}} of DKK {{target | number}} by {{year}}",
            "Text": "{{comment}}",
        },
        "{{name}}: DKK {{saved | number}} is saved.\n"
        "{{#@first}}Are the goals still the right ones, in this order?{{/@first}}",
        directive="{{each:goals}}",
    ),
    SlideText(
        "Portfolio",
        "Your money",
        "Chart and table",
        {
            "Kicker": "Your money",
            "Title": "Your portfolio",
            "Chart heading": "How your money is spread",
            "Table heading": "What you hold",
            "Note": "Returns since the last review, after costs",
        },
        "The portfolio is worth DKK {{portfolio.value | number}}; since the last review it returned "
        "{{portfolio.return | percent:1}}.\n"
        "Most of it: {{#holdings}}{{#@first}}{{name}}, {{share | percent}}{{/@first}}{{/holdings}}.",
        directive="{{if:holdings}}",
    ),
    SlideText(
        "Risk and return",
        "Your money",
        "Chart and facts",
        {
            "Kicker": "Your money",
            "Title": "Risk and return",
            "Chart heading": "Your strategy and its benchmark, return a year in per cent",
            "Figure 1": "{{risk.profile}}",
            "Label 1": "Your risk profile",
            "Figure 2": "{{risk.years}} years",
            "Label 2": "Until you need the money",
            "Figure 3": "{{risk.expectedReturn | percent:1}}",
            "Label 3": "Expected return a year, after costs",
            "Figure 4": "{{risk.badYear | percent}}",
            "Label 4": "A bad year, one in twenty",
        },
        "{{customer.firstName}} has a {{risk.profile | lower}} profile. "
        "Talk about 2022: what did a bad year feel like?\n"
        "Past returns are no promise of future ones. Say so.",
        directive="{{if:holdings}}",
    ),
    SlideText(
        "Insurance",
        "Your money",
        "Table and text",
        {
            "Kicker": "Your money",
            "Title": "What your insurances cover",
            "Heading": "What we notice",
            "Text": "{{insurance.remarks | markdown}}",
        },
        "The columns of the table come from the data. Ask {{customer.firstName}} what has changed at home.",
        directive="{{if:insurance}}",
    ),
    SlideText(
        "Recommendations",
        "Closing",
        "Table",
        {
            "Kicker": "Looking ahead",
            "Title": "What we recommend",
        },
        "Most important: {{#advice}}{{#@first}}{{title}}{{/@first}}{{/advice}}.\n"
        "Let {{customer.firstName}} decide on one before the next slide.",
    ),
    SlideText(
        "Next steps",
        "Closing",
        "Table above a band",
        {
            "Kicker": "Looking ahead",
            "Title": "Next steps",
        },
        "Agree on who does what, and by when.{{^meeting.next}} Book the next meeting now.{{/meeting.next}}",
    ),
    SlideText(
        "Contact",
        "Closing",
        "Contact",
        {
            "Title": "Thank you, {{customer.firstName}}",
            "Subtitle": "Call whenever something changes.",
            "Name": "{{advisor.name}}",
            "Role": "{{advisor.title}}, Nordlys Rådgivning",
            "Details": "Phone\t{{advisor.phone}}\nE-mail\t{{advisor.email}}\nWeb\tnordlys.example",
        },
        "Leave {{advisor.phone}} and {{advisor.email}} with {{customer.name}}.",
    ),
    SlideText(
        "_tags",
        "Closing",
        "For authors",
        {"Title": "Tags in this template"},
        "This slide documents the tags. It is hidden and never part of a deck.",
        hidden=True,
    ),
)
