"""Short decks full of figures: a fund's fact sheet with a QR code, and scorecards whose comments are measured."""

from typing import Any, Final

from pptx.enum.chart import XL_CHART_TYPE

from deck_peers.realistic.kit import (
    Drawing,
    Place,
    add_chart,
    add_panel,
    add_picture,
    add_table,
    add_text,
    describe,
    list_chart,
    set_notes,
)

FACT_SHEET_SLIDES: Final = 3
SCORECARD_SLIDES: Final = 7
_TEAMS: Final = 5
_GOALS: Final = 12
_YEARS: Final = ("2022", "2023", "2024", "2025")
_COMMENTS: Final = (
    "On track.",
    "Two of three branches have met the goal; the third one follows when its new advisors have begun.",
    "Behind the plan since spring, because the campaign was moved to autumn.",
)


def make_fact_sheet() -> bytes:
    """Return the template of a fund's fact sheet, on paper of A4."""
    drawing = Drawing("en-GB", 8.27, 11.69)
    front = drawing.add_slide("Fund", "{{fund.name}}")
    add_text(front, Place(0.5, 1.2, 5, 1.6), ["ISIN {{fund.isin}}", "{{fund.strategy}}"], 11)
    describe(add_panel(front, Place(6, 1.2, 1.6, 1.6), ""), "{{qr:fund.address}} Link to the fund")
    add_chart(front, Place(0.5, 3, 7.2, 4), "{{chart:returns}}", XL_CHART_TYPE.COLUMN_CLUSTERED, ("Fund", "Index"))
    facts = [("Fact", "Value"), ("{{#facts}}{{name}}", "{{value}}{{/facts}}")]
    add_table(front, Place(0.5, 7.3, 7.2, 0.6), facts, (2, 3), 9)
    positions = drawing.add_slide("Positions", "Largest positions")
    rows = [
        ("Position", "Sector", "Share"),
        ("{{#positions}}{{name}}", "{{sector}}", "{{share | percent:1}}{{/positions}}"),
    ]
    add_table(positions, Place(0.5, 1.2, 7.2, 0.6), rows, (4, 2, 1), 9)
    add_chart(positions, Place(0.5, 6.5, 7.2, 4), "{{chart:sectors}}", XL_CHART_TYPE.PIE, ("Share",))
    risks = drawing.add_slide("Risks", "Risks and costs")
    add_text(risks, Place(0.5, 1.2, 7.2, 5), ["{{risks | markdown}}"], 11)
    add_text(
        risks, Place(0.5, 7, 7.2, 1), ['Ongoing costs {{fund.costs | percent:2}}, as of {{date | date:"long"}}'], 11
    )
    return drawing.save()


def make_fact_sheet_data() -> dict[str, object]:
    """Return the data of a fund."""
    sectors = ("Health", "Industry", "Technology", "Finance")
    return {
        "fund": {
            "name": "Nordlys Global Equity",
            "isin": "DK0060123456",
            "strategy": "The fund invests in companies all over the world whose earnings grow without much debt.",
            "address": "https://funds.example.com/documents/DK0060123456?language=en&kind=kid",
            "costs": 0.0062,
        },
        "date": "2026-01-31",
        "returns": list_chart(_YEARS, {"Fund": (-12.4, 10.2, 11.7, 7.5), "Index": (-13.0, 9.6, 10.9, 8.1)}),
        "sectors": list_chart(sectors, {"Share": (22, 18, 35, 25)}),
        "facts": [{"name": f"Fact {n}", "value": f"Value of fact {n}"} for n in range(10)],
        "positions": [
            {"name": f"Company {n} Holding A/S", "sector": sectors[n % 4], "share": 0.05 - n / 1_000} for n in range(20)
        ],
        "risks": "Shares may **lose value**.\n\n- Currencies: *not hedged*\n- Liquidity: daily\n\nSee the prospectus.",
    }


def make_scorecards() -> bytes:
    """Return the template of scorecards: for each team a table with colors and comments."""
    drawing = Drawing("en-GB")
    cover = drawing.add_slide("Cover", "Scorecards of {{period}}")
    add_picture(cover, Place(8, 1.5, 4.5, 4), "The firm's house")
    card: Any = drawing.add_slide("Card", "{{name}}", "{{each:teams}}")
    head = ("Goal", "Target", "Reached", "Trend", "Comment")
    row = (
        "{{#goals}}{{name}} {{fill:color}}",
        "{{target | number:0}}",
        "{{reached | number:0}}",
        "{{trend | number:1 | negative}} %",
        "{{comment}}{{/goals}}",
    )
    add_table(card, Place(0.5, 1.2, 12.3, 0.7), (head, row), (3, 1.2, 1.2, 1.2, 5.5), 10)
    describe(add_panel(card, Place(11, 0.3, 1.8, 0.6), "{{score | number:0}}"), "{{fill:color}}")
    set_notes(card, "Ask {{lead}} about {{goals.0.name}}")
    close = drawing.add_slide("Close", "Next steps")
    add_text(close, Place(0.5, 1.3, 12.3, 5), ["{{#steps}}{{.}}{{/steps}}"])
    return drawing.save()


def make_scorecards_data() -> dict[str, object]:
    """Return the data of the teams."""
    return {
        "period": "the fourth quarter",
        "teams": [_team(number) for number in range(_TEAMS)],
        "steps": ["Agree on the targets of spring.", "Ask the branches for their plans.", "Meet again in May."],
    }


def _team(number: int) -> dict[str, object]:
    goals = [
        {
            "name": f"Goal {goal + 1}: customers advised",
            "color": ("lightgreen", "amber", "red")[goal % 3],
            "target": 120 + goal,
            "reached": 100 + 3 * goal,
            "trend": 4.2 - goal,
            "comment": _COMMENTS[(goal + number) % 3],
        }
        for goal in range(_GOALS)
    ]
    return {"name": f"Team {number + 1}", "lead": "Åse Kjær", "score": 82 - number, "color": "green", "goals": goals}
