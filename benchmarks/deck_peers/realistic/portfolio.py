"""A portfolio review: for each of ten accounts a table of 44 holdings, which goes on over three slides."""

from typing import Any, Final

from pptx.enum.chart import XL_CHART_TYPE

from deck_peers.realistic.kit import Drawing, Place, add_chart, add_table, add_text, list_chart

ACCOUNTS: Final = 10
HOLDINGS: Final = 44
SLIDES: Final = 5 + 3 * ACCOUNTS
_HEAD: Final = ("Papir", "ISIN", "Valuta", "Antal", "Kurs", "Værdi, kr.", "Afkast, %", "Bemærkning")
_ROW: Final = (
    "{{#holdings continue numbered}}{{name}}",
    "{{isin}}",
    "{{currency}}",
    "{{units | number:2}}",
    "{{price | number:2}}",
    "{{value | number:0}}",
    "{{change | number:1 | negative}}",
    "{{note}}{{/holdings}}",
)
_TOTAL: Final = ("I alt", "", "", "", "", "{{total | number:0}}", "{{change | number:1 | negative}}", "")
_WIDTHS: Final = (3.1, 1.5, 0.8, 1.1, 1.1, 1.4, 1.0, 2.3)
_NAMES: Final = ("Globale Aktier", "Danske Obligationer", "Grøn Infrastruktur", "Nordamerika Indeks", "Lån & Kredit")
_CLASSES: Final = ("Aktier", "Obligationer", "Ejendomme", "Kontanter")


def make_template() -> bytes:
    """Return the template."""
    drawing = Drawing("da-DK")
    cover = drawing.add_slide("Forside", "Porteføljegennemgang for {{customer.name}}")
    add_text(cover, Place(0.5, 2, 8, 1.5), ["{{advisor.name}}", '{{date | date:"d. MMMM y"}}'], 20)
    contents = drawing.add_slide("Indhold", "Indhold")
    add_text(contents, Place(0.5, 1.3, 11, 5.5), ["{{#@slides}}{{title}}, side {{page}}{{/@slides}}"], 8)
    split = drawing.add_slide("Fordeling", 'Fordeling af {{total | currency:"DKK"}}')
    add_chart(split, Place(0.5, 1.3, 7, 5), "{{chart:split}}", XL_CHART_TYPE.DOUGHNUT, ("Andel",))
    add_text(split, Place(8, 1.5, 4.8, 4), ["{{#remarks}}{{.}}{{/remarks}}"])
    _add_holdings(drawing)
    summary = drawing.add_slide("Oversigt", "Depoter i alt")
    rows = [("Depot", "Værdi, kr.", "Afkast, %"), ("{{#accounts}}{{name}}", *_TOTAL[5:6], "{{change}}{{/accounts}}")]
    add_table(summary, Place(0.5, 1.3, 12.3, 0.7), rows, (4, 2, 2), 12)
    terms = drawing.add_slide("Forbehold", "Forbehold")
    add_text(terms, Place(0.5, 1.3, 12.3, 5), ["{{terms | markdown}}"], 11)
    return drawing.save()


def _add_holdings(drawing: Drawing) -> None:
    slide: Any = drawing.add_slide("Beholdning", "{{name}}", "{{each:accounts}}")
    add_table(slide, Place(0.5, 1.2, 12.3, 0.96), (_HEAD, _ROW, _TOTAL), _WIDTHS, 10)
    add_text(slide, Place(0.5, 6.95, 12.3, 0.35), ["{{customer.name}}, side {{@page}} af {{@pages}}"], 9)


def make_data() -> dict[str, object]:
    """Return the data of a customer."""
    remarks = ["Aktieandelen er over målet.", "Renterisikoen er uændret.", "Omkostningerne er faldet til 0,62 %."]
    return {
        "customer": {"name": "Freja Søndergaard"},
        "advisor": {"name": "Åse Kjær"},
        "date": "2026-01-31",
        "total": 12_345_678.9,
        "split": list_chart(_CLASSES, {"Andel": (53, 33, 9, 5)}),
        "remarks": remarks,
        "accounts": [_account(number) for number in range(ACCOUNTS)],
        "terms": "Historiske afkast er **ingen garanti**.\n\n- Kurser er fra *Nasdaq*.\n- Skat er ikke medregnet.",
    }


def _account(number: int) -> dict[str, object]:
    holdings = [_holding(number, row) for row in range(HOLDINGS)]
    name = f"Depot {number + 1}: {_NAMES[number % len(_NAMES)]}"
    return {"name": name, "total": 1_234_567.8 + number, "change": 4.3 - number, "holdings": holdings}


def _holding(account: int, row: int) -> dict[str, object]:
    name = f"{_NAMES[row % len(_NAMES)]} KL {row + 1}"
    return {
        "name": name if row % 9 else f"{name} Bæredygtig Akkumulerende",
        "isin": f"DK00{60_000_000 + 997 * row + account}",
        "currency": ("DKK", "EUR", "USD")[row % 3],
        "units": 12.5 * (row + 1),
        "price": 101.37 + row,
        "value": 12.5 * (row + 1) * (101.37 + row),
        "change": row / 3 - 4 + account,
        "note": ("", "Ny", "", "Under observation siden november")[row % 4],
    }
