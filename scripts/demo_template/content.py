"""What the slides say. Layout placeholders are filled by name; tags are written as an author types them."""

from dataclasses import dataclass, field

from .text import CUT


@dataclass(frozen=True)
class SlideText:
    """One slide: its name (the slideId), its section, its layout, the texts of its placeholders, its notes."""

    name: str
    section: str
    layout: str
    placeholders: dict[str, str]
    notes: str
    hidden: bool = field(default=False)


FOOTER = "Annual review {{review.year}}  ·  {{customer.name}}"

AGENDA = (
    ("Your situation", "Income, assets and debt, compared with last year"),
    ("Savings and goals", "What you save for, and how far you have come"),
    ("Portfolio and risk", "What you hold, what it returned, what to expect"),
    ("Recommendations", "Three things we would do in your place"),
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
            "Details": "Prepared for {{customer.name}} by {{advisor.name}}\n{{meeting.date}}, {{meeting.location}}",
        },
        "Welcome {{customer.firstName}}. Ask what has happened since last time before you open the agenda.\n"
        "Meeting on {{meeting.date}} at {{meeting.time}}, {{meeting.location}}.",
    ),
    SlideText(
        "Agenda",
        "Opening",
        "Agenda",
        {
            "Kicker": "Today",
            "Title": "What we will talk about",
            "Details": "{{meeting.date}}\n{{meeting.time}}\n{{meeting.location}}",
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
            "Figure 1": "{{today.netWorth}}",
            "Label 1": "Net worth",
            "Figure 2": "{{today.income}}",
            "Label 2": "Household income a year, after tax",
            "Figure 3": "{{today.surplus}}",
            "Label 3": "Left each month when the bills are paid",
        },
        "Net worth is {{today.netWorth}}. Check with {{customer.firstName}} that income and debt are still right.",
    ),
    SlideText(
        "Savings and goals",
        "Your money",
        "Three cards",
        {
            "Kicker": "Your money",
            "Title": "Savings and goals",
            **{
                f"{part} {i + 1}": text.replace("#", str(i))
                for i in range(3)
                for part, text in {
                    "Heading": "{{goals.#.name}}",
                    "Figure": "{{goals.#.done}}",
                    "Label": "{{goals.#.saved}} of {{goals.#.target}} by {{goals.#.year}}",
                    "Text": "{{goals.#.comment}}",
                }.items()
            },
        },
        "Start with {{goals.0.name}}: {{goals.0.done}} is saved. Are the goals still the right ones, in this order?",
    ),
    SlideText(
        "Portfolio",
        "Your money",
        "Chart and table",
        {
            "Kicker": "Your money",
            "Title": "Your portfolio",
            "Chart heading": "What Nordlys Balance aims for",
            "Table heading": "What you hold",
            "Note": "Returns since the last review, after costs",
        },
        "The portfolio is worth {{portfolio.total}}, {{portfolio.return}} since the last review.\n"
        "Differences of less than five points from the strategy's aim need no trade.",
    ),
    SlideText(
        "Risk and return",
        "Your money",
        "Chart and facts",
        {
            "Kicker": "Your money",
            "Title": "Risk and return",
            "Chart heading": "Nordlys Balance and its benchmark, return a year in per cent",
            "Figure 1": "{{risk.profile}}",
            "Label 1": "Your risk profile",
            "Figure 2": "{{risk.horizon}}",
            "Label 2": "Until you need the money",
            "Figure 3": "{{risk.expectedReturn}}",
            "Label 3": "Expected return a year, after costs",
            "Figure 4": "{{risk.badYear}}",
            "Label 4": "A bad year, one in twenty",
        },
        "{{customer.firstName}} has a {{risk.profile}} profile. Talk about 2022: what did a bad year feel like?\n"
        "Past returns are no promise of future ones. Say so.",
    ),
    SlideText(
        "Recommendations",
        "Closing",
        "Three rows",
        {
            "Kicker": "Looking ahead",
            "Title": "What we recommend",
            **{
                f"{part} {i + 1}": text.replace("#", str(i))
                for i in range(3)
                for part, text in {
                    "Heading": "{{advice.#.title}}",
                    "Text": "{{advice.#.reason}}",
                    "Figure": "{{advice.#.effect}}",
                    "Label": "{{advice.#.effectNote}}",
                }.items()
            },
        },
        "Most important: {{advice.0.title}}. Let {{customer.firstName}} decide on one before the next slide.",
    ),
    SlideText(
        "Next steps",
        "Closing",
        "Table and band",
        {
            "Kicker": "Looking ahead",
            "Title": "Next steps",
            "Band label": "We meet again",
            "Band text": "{{meeting.next}}",
        },
        "Agree on who does what, and by when. Book the next meeting now: {{meeting.next}}.",
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

# The strategy's own figures: the same for every customer in it.
STRATEGY_MIX = {"Global shares": 0.40, "Danish shares": 0.10, "Bonds": 0.35, "Property": 0.10, "Cash": 0.05}
STRATEGY_YEARS = ("2020", "2021", "2022", "2023", "2024", "2025")
STRATEGY_RETURNS = {
    "Nordlys Balance": (5.9, 12.6, -11.4, 10.2, 11.7, 7.5),
    "Benchmark": (6.3, 11.2, -12.6, 9.6, 10.9, 7.1),
}
