"""A quarterly report of a portfolio by asset class, and a fee proposal in two currencies, in three languages.

Their tables go on with sums carried forward, groups have subtotals, and notes below are pushed.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from pptx.enum.shapes import MSO_CONNECTOR
from pptx.enum.text import PP_ALIGN
from pptx.util import Inches

from deck_peers.realistic.kit import (
    Drawing,
    Place,
    add_page_number,
    add_panel,
    add_table,
    add_text,
    describe,
    set_direction,
)

POSITIONS: Final = 40
REPORT_SLIDES: Final = 6
FEE_SLIDES: Final = 4
_WIDTHS: Final = (4.2, 1.8, 1.4, 1.9, 1.6)
_WHOLE: Final = Place(0.5, 1.2, 12.3, 1.68)


class Words(NamedTuple):
    """The words of both templates in one language."""

    language: str
    report: str
    summary: str
    head: tuple[str, str, str, str, str]
    brought: str
    carried: str
    subtotal: str
    total: str
    again: str
    source: str
    warning: str
    proposal: str
    fees: tuple[str, str, str, str]
    terms: str
    classes: tuple[str, str, str, str, str]
    names: tuple[str, str, str, str]
    from_right: bool = False


ENGLISH: Final = Words(
    "en-GB",
    "Quarterly report",
    "Asset classes",
    ("Position", "ISIN", "Units", "Value, DKK", "Return"),
    "Brought forward",
    "Carried forward",
    "Subtotal",
    "Portfolio",
    "continued",
    "Prices: Nasdaq Copenhagen, close of the quarter.",
    "Past returns are no guarantee of future returns. Values are before tax.",
    "Fee proposal",
    ("Service", "Hours", "DKK", "EUR"),
    "All fees are without VAT and hold for 30 days.",
    ("Shares", "Bonds", "Property", "Infrastructure", "Cash"),
    ("Global Equity Index", "Danish Mortgage Bonds", "Green Power & Grids", "Emerging Markets Small Companies"),
)
DANISH: Final = Words(
    "da-DK",
    "Kvartalsrapport",
    "Aktivklasser",
    ("Papir", "ISIN", "Antal", "Værdi, kr.", "Afkast"),
    "Overført fra forrige side",
    "Overføres til næste side",
    "I alt",
    "Portefølje",
    "fortsat",
    "Kurser: Nasdaq København, ved kvartalets udgang.",
    "Historiske afkast er ingen garanti for fremtidige afkast. Værdierne er før skat.",
    "Honorarforslag",
    ("Ydelse", "Timer", "DKK", "EUR"),
    "Alle honorarer er uden moms og gælder i 30 dage.",
    ("Aktier", "Obligationer", "Ejendomme", "Infrastruktur", "Kontanter"),
    ("Globale Aktier Indeks", "Danske Realkreditobligationer", "Grøn Energi & Net", "Små Selskaber på Nye Markeder"),
)
ARABIC: Final = Words(
    "ar-SA",
    "التقرير الفصلي",
    "فئات الأصول",
    ("الورقة المالية", "الرمز", "العدد", "القيمة", "العائد"),
    "منقول من الصفحة السابقة",
    "يُنقل إلى الصفحة التالية",
    "المجموع الفرعي",
    "المحفظة",
    "تابع",
    "الأسعار عند إقفال الربع.",
    "العوائد السابقة ليست ضمانًا للعوائد المستقبلية، والقيم قبل الضرائب.",
    "عرض الأتعاب",
    ("الخدمة", "الساعات", "كرونة", "يورو"),
    "جميع الأتعاب بدون ضريبة القيمة المضافة وتسري لمدة ثلاثين يومًا.",
    ("الأسهم", "السندات", "العقارات", "البنية التحتية", "النقد"),
    ("مؤشر الأسهم العالمية", "سندات الرهن الدنماركية", "الطاقة الخضراء", "الشركات الصغيرة في الأسواق الناشئة"),
    from_right=True,
)
WORDS: Final = (ENGLISH, DANISH, ARABIC)


def report_maker(words: Words) -> Callable[[], bytes]:
    """Return what makes the template of the quarterly report in a language."""
    return lambda: _make_report(words)


def fee_maker(words: Words) -> Callable[[], bytes]:
    """Return what makes the template of the fee proposal in a language."""
    return lambda: _make_fees(words)


def _make_report(words: Words) -> bytes:
    drawing = Drawing(words.language)
    cover = drawing.add_slide("Cover", f"{words.report}: {{{{customer}}}}")
    _direct(words, add_text(cover, Place(0.5, 2, 12.3, 1), ['{{day | date:"long"}}', "{{total | number:2}}"], 20))
    _add_positions(drawing, words)
    summary = drawing.add_slide("Summary", words.summary)
    rows = (
        (words.head[0], "", words.head[3]),
        ('{{#positions | group:"class"}}{{key}}', "{{items | count}}", '{{items | sum:"value" | number:2}}{{/}}'),
        (words.total, "{{positions | count}}", '{{positions | sum:"value" | number:2}}'),
    )
    _finish(words, describe(add_table(summary, Place(0.5, 1.2, 12.3, 0.9), rows, (6, 2, 3), 12), "{{push}}"))
    remark = _direct(words, add_text(summary, Place(0.5, 2.3, 12.3, 0.5), ["{{remark}}"], 14, grows=True))
    describe(remark, "{{push}}")
    _direct(words, add_panel(summary, Place(0.5, 3.1, 12.3, 0.5), words.warning, 12))
    add_page_number(summary)
    return drawing.save()


def _add_positions(drawing: Drawing, words: Words) -> None:
    slide = drawing.add_slide("Positions", words.report)
    start = (
        f'{{{{#positions | group:"class" continue numbered}}}}{{{{key}}}}{{{{#@continued}}}}, {words.again}{{{{/}}}}'
    )
    rows = (
        words.head,
        (f"{{{{#@continued}}}}{words.brought}", "", "", '{{@before | sum:"value" | number:2}}', "{{/}}"),
        (start, "", "", "", ""),
        (
            "{{#items}}{{name}}",
            "{{isin}}",
            "{{units | number:2}}",
            "{{value | number:2}}",
            "{{change | percent:1 | negative}}{{/items}}",
        ),
        (f"{words.subtotal} {{{{key}}}}", "", "", '{{items | sum:"value" | number:2}}', "{{/}}"),
        (f"{{{{#@more}}}}{words.carried}", "", "", '{{@shown | sum:"value" | number:2}}', "{{/}}"),
        (words.total, "", "", '{{positions | sum:"value" | number:2}}', ""),
    )
    frame = _finish(words, describe(add_table(slide, _WHOLE, rows, _WIDTHS, 10), "{{push}}"))
    for number in (1, 4, 5):
        for cell in frame.table.rows[number].cells:
            for run in cell.text_frame.paragraphs[0].runs:
                run.font.italic = True
    rule = slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, Inches(0.5), Inches(3.05), Inches(12.8), Inches(3.05))
    rule.name = "Rule"
    _direct(words, add_text(slide, Place(0.5, 3.1, 12.3, 0.35), [words.source], 10))
    _direct(words, add_text(slide, Place(0.5, 3.5, 12.3, 0.35), [words.warning], 10))
    add_page_number(slide)


def _make_fees(words: Words) -> bytes:
    drawing = Drawing(words.language)
    cover = drawing.add_slide("Cover", f"{words.proposal}: {{{{customer}}}}")
    _direct(words, add_text(cover, Place(0.5, 2, 12.3, 1), ['{{day | date:"long"}}'], 20))
    slide = drawing.add_slide("Fees", words.proposal)
    dkk, euro = ('{{%s | sum:"dkk" | number:2}}', '{{%s | sum:"eur" | number:2}}')
    rows = (
        words.fees,
        (f"{{{{#@continued}}}}{words.brought}", "", dkk % "@before", f"{euro % '@before'}{{{{/}}}}"),
        (
            "{{#services continue}}{{name}}",
            "{{hours | number:1}}",
            "{{dkk | number:2}}",
            "{{eur | number:2}}{{/services}}",
        ),
        (f"{{{{#@more}}}}{words.carried}", "", dkk % "@shown", f"{euro % '@shown'}{{{{/}}}}"),
        (words.total, '{{services | sum:"hours" | number:1}}', dkk % "services", euro % "services"),
    )
    _finish(words, describe(add_table(slide, Place(0.5, 1.2, 12.3, 1.3), rows, (6, 1.5, 2.4, 2.4), 12), "{{push}}"))
    _direct(words, add_panel(slide, Place(0.5, 2.7, 12.3, 0.5), words.terms, 12))
    add_page_number(slide)
    return drawing.save()


def _finish(words: Words, frame: Any) -> Any:
    """Set what a bank's table has: a total row, numbers flush right, and the direction of its language."""
    frame.table.last_row = True
    for row in frame.table.rows:
        for number, cell in enumerate(row.cells):
            if number:
                cell.text_frame.paragraphs[0].alignment = PP_ALIGN.LEFT if words.from_right else PP_ALIGN.RIGHT
    if words.from_right:
        frame.table._tbl.tblPr.set("rtl", "1")
    return _direct(words, frame)


def _direct(words: Words, shape: Any) -> Any:
    if words.from_right:
        set_direction(shape, "r")
    return shape


def make_report_data(words: Words, count: int = POSITIONS) -> Mapping[str, object]:
    """Return the data of a report of so many positions in five classes."""
    positions = [_position(words, number) for number in range(count)]
    total = sum(round(float(str(one["value"])) * 100) for one in positions) / 100
    return {
        "customer": "Freja Søndergaard",
        "day": "2026-03-31",
        "total": total,
        "positions": positions,
        "remark": f"{words.warning} {words.source} " * 3,
    }


def _position(words: Words, number: int) -> dict[str, object]:
    units, price = 12.5 * (number + 1), 101.37 + number
    return {
        "class": words.classes[(number * number + number // 3) % len(words.classes)],
        "name": f"{words.names[number % len(words.names)]} {number + 1}",
        "isin": f"DK00{60_000_000 + 997 * number}",
        "units": units,
        "value": round(units * price, 2),
        "change": (number % 17 - 6) / 100,
    }


def make_fee_data(words: Words, count: int = POSITIONS) -> Mapping[str, object]:
    """Return the data of a proposal of so many services."""
    services = [
        {
            "name": f"{words.names[number % len(words.names)]}, {number + 1}",
            "hours": 1.5 + number % 7,
            "dkk": round((1.5 + number % 7) * 1_450.55, 2),
            "eur": round((1.5 + number % 7) * 194.37, 2),
        }
        for number in range(count)
    ]
    return {"customer": "Nordlys A/S", "day": "2026-03-31", "services": services}
