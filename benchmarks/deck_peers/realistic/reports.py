"""Decks around one meeting: a pension report, a proposal of fees, and a plain corporate deck."""

from collections.abc import Mapping
from typing import Final

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

PENSION_SLIDES: Final = 11
FEE_SLIDES: Final = 6
CORPORATE_SLIDES: Final = 7
_GOALS: Final = ("Summer house", "Education", "Early retirement")
_YEARS: Final = tuple(str(year) for year in range(2026, 2046, 2))
_BODY: Final = Place(0.5, 1.3, 12.3, 5)


def make_pension_report() -> bytes:
    """Return the template of a pension report: charts, tables, texts with numbers, a slide for each goal."""
    drawing = Drawing("en-GB")
    cover = drawing.add_slide("Cover", "Pension report for {{customer.name}}")
    add_picture(cover, Place(8, 1.5, 4.5, 4), "Our house")
    add_text(cover, Place(0.5, 2, 7, 1), ['{{advisor.name}}, {{date | date:"d MMMM y"}}'], 18)
    for name, chart, kind in (
        ("Savings", "savings", XL_CHART_TYPE.LINE),
        ("Payout", "payout", XL_CHART_TYPE.COLUMN_STACKED),
        ("Allocation", "split", XL_CHART_TYPE.DOUGHNUT),
    ):
        slide = drawing.add_slide(name, f"{name} of {{{{customer.name}}}}")
        add_chart(slide, Place(0.5, 1.3, 7.5, 5), f"{{{{chart:{chart}}}}}", kind, ("Plan", "Market"))
        add_text(slide, Place(8.3, 1.5, 4.5, 4), [f"{{{{#remarks.{chart}}}}}{{{{.}}}}{{{{/remarks.{chart}}}}}"])
        set_notes(slide, "Explain {{customer.firstName}} that prices may fall.")
    schemes = drawing.add_slide("Schemes", "Your schemes")
    row = (
        "{{#schemes}}{{name}}",
        '{{saved | currency:"DKK"}}',
        "{{costs | percent:2}}",
        '{{from | date:"MMMM y"}}{{/schemes}}',
    )
    add_table(
        schemes, Place(0.5, 1.3, 12.3, 0.7), (("Scheme", "Saved", "Costs", "Paid out from"), row), (4, 2, 2, 2), 12
    )
    goal = drawing.add_slide("Goal", "{{name}}", "{{each:goals}}")
    add_text(goal, _BODY, ['{{saved | currency:"DKK"}} of {{target | currency:"DKK"}} by {{year}}', "{{next}}"], 18)
    cover_table = drawing.add_slide("Cover of risks", "If something happens")
    describe(
        add_table(cover_table, Place(0.5, 1.3, 12.3, 0.8), (("Risk", "A"), ("", "{{. | number:0}}")), (4, 8), 12),
        "{{table:risks}}",
    )
    advice = drawing.add_slide("Advice", "Our advice")
    add_text(advice, _BODY, ["{{advice | markdown}}"])
    describe(add_panel(advice, Place(9, 6.3, 3.8, 0.7), "Premium customers pay no fee"), "{{if:customer.premium}}")
    steps = drawing.add_slide("Steps", "Next steps")
    add_text(steps, _BODY, ['{{#steps}}{{@number}}. {{text}}, {{by | date:"d MMMM"}}{{/steps}}'], grows=True)
    return drawing.save()


def make_pension_data() -> dict[str, object]:
    """Return the data of a customer."""
    plan, market = ([1_000 + factor * year for year in range(len(_YEARS))] for factor in (90, 110))
    remarks = ["The plan holds until the age of 92.", "A bad year costs some 13 %.", "Fees have fallen."]
    return {
        "customer": {"name": "Freja Søndergaard", "firstName": "Freja", "premium": True},
        "advisor": {"name": "Åse Kjær"},
        "date": "2026-01-31",
        "savings": list_chart(_YEARS, {"Plan": plan, "Market": market}),
        "payout": list_chart(_YEARS, {"Pension": plan, "State": market}),
        "split": list_chart(("Shares", "Bonds", "Property", "Cash"), {"Share": (53, 33, 9, 5)}),
        "remarks": dict.fromkeys(("savings", "payout", "split"), remarks),
        "schemes": [
            {"name": f"Scheme {n}", "saved": 353_600.5 * (n + 1), "costs": 0.0062, "from": f"{2040 + n}-03-01"}
            for n in range(6)
        ],
        "goals": [
            {"name": name, "saved": 372_000 + n, "target": 600_000, "year": 2029 + n, "next": "Visit two houses."}
            for n, name in enumerate(_GOALS)
        ],
        "risks": [{"Risk": risk, "Today": 310_000, "Proposal": 420_000} for risk in ("Illness", "Death", "Accident")],
        "advice": "Pay **DKK 2,000** more a month.\n\n- Choose a *lower* risk from 2035\n- Join both schemes",
        "steps": [{"text": text, "by": "2026-05-12"} for text in ("Send the offer", "Ask the employer", "Sign")],
    }


def make_fee_proposal() -> bytes:
    """Return the template of a proposal: tables with sums, conditions, boxes that grow with their text."""
    drawing = Drawing("de-DE")
    cover = drawing.add_slide("Titel", "Honorarvorschlag für {{customer.name}}")
    add_text(cover, Place(0.5, 2, 8, 1), ['{{date | date:"long"}}'], 18)
    scope = drawing.add_slide("Umfang", "Umfang")
    add_text(scope, _BODY, ["{{#services}}{{name}}: {{text}}{{/services}}"], 16)
    fees = drawing.add_slide("Honorar", "Honorar")
    row = (
        "{{#services}}{{name}}",
        "{{hours | number:1}}",
        '{{rate | currency:"EUR"}}',
        '{{hours * rate | currency:"EUR"}}{{/services}}',
    )
    total = ("Summe", '{{services | sum:"hours" | number:1}}', "", '{{services | sum:"hours * rate" | currency:"EUR"}}')
    head = ("Leistung", "Stunden", "Satz", "Betrag")
    add_table(fees, Place(0.5, 1.3, 12.3, 1.05), (head, row, total), (5, 2, 2, 2), 12)
    terms = drawing.add_slide("Bedingungen", "Bedingungen")
    add_text(terms, Place(0.5, 1.3, 6, 1), ["{{#terms}}{{.}}{{/terms}}"], 12, grows=True)
    add_text(terms, Place(6.8, 1.3, 6, 1), ["{{note}}"], 12, grows=True)
    plan = drawing.add_slide("Ablauf", "Ablauf", "{{if:phases}}")
    phases = ("{{#phases}}{{name}}", '{{begin | date:"d. MMM"}}', "{{text}}{{/phases}}")
    add_table(plan, Place(0.5, 1.3, 12.3, 0.7), (("Phase", "Beginn", "Inhalt"), phases), (3, 2, 7), 12)
    sign = drawing.add_slide("Auftrag", "Auftrag")
    add_text(sign, _BODY, ['Ort, Datum: {{customer.city}}, {{date | date:"short"}}', "{{customer.name}}"])
    return drawing.save()


def make_fee_data() -> dict[str, object]:
    """Return the data of a customer."""
    text = "Wir prüfen die Verträge, sprechen mit den Anbietern und fassen das Ergebnis in einem Bericht zusammen."
    return {
        "customer": {"name": "Müller & Söhne KG", "city": "Köln"},
        "date": "2026-01-31",
        "services": [
            {"name": f"Leistung {n}", "text": "Prüfung der Verträge", "hours": 4.5 + n, "rate": 180} for n in range(8)
        ],
        "terms": ["Das Honorar ist ein Festpreis.", text, "Reisekosten werden gesondert berechnet."],
        "note": text,
        "phases": [{"name": f"Phase {n}", "begin": f"2026-0{n + 2}-15", "text": text} for n in range(5)],
    }


def make_corporate() -> bytes:
    """Return the template of a corporate deck: a few values on slides of texts, panels and pictures."""
    drawing = Drawing("en-GB")
    for number in range(CORPORATE_SLIDES):
        slide = drawing.add_slide(f"Slide {number + 1}", f"Chapter {number + 1} for {{{{customer.name}}}}")
        points = [f"Point {point}: what we do for firms of {{{{customer.size}}}} people" for point in range(5)]
        add_text(slide, Place(0.5, 1.3, 7, 1.8), ["{{advisor.name}} tells {{customer.name}} about it", *points])
        add_text(slide, Place(0.5, 3.2, 7, 1.8), ["{{#services}}{{name}} from {{price | number:0}}{{/services}}"])
        for panel in range(3):
            add_panel(slide, Place(0.5 + 2.5 * panel, 5.2, 2.2, 1.2), f"Figure {panel}: {{{{figures.{panel}}}}}")
        add_picture(slide, Place(8.3, 1.5, 4.5, 3.4), "A photo")
        set_notes(slide, "Greet {{customer.name}}")
    return drawing.save()


def make_corporate_data() -> Mapping[str, object]:
    """Return the data of a customer."""
    return {
        "customer": {"name": "Hansen & Co", "size": 1_200},
        "advisor": {"name": "Åse Kjær"},
        "figures": [12, "3.4 %", "DKK 5 m"],
        "services": [{"name": f"Service {number}", "price": 4_500 * number} for number in range(1, 5)],
    }
