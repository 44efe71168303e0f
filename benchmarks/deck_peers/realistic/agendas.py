"""Agendas of a meeting in three scripts: the same template in Danish, in Arabic from right to left, and in Japanese."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from deck_peers.realistic.kit import Drawing, Place, add_table, add_text, set_direction

SLIDES: Final = 3
_POINTS: Final = 6


class Words(NamedTuple):
    """The words of an agenda in one language."""

    language: str
    title: str
    time: str
    topic: str
    point: str
    text: str
    names: tuple[str, str]
    from_right: bool = False


DANISH: Final = Words(
    "da-DK",
    "Dagsorden",
    "Tid",
    "Emne",
    "Din økonomi i dag og om ti år",
    "Vi gennemgår dine pensioner, dine lån og dine forsikringer, og hvad der ændrer sig, når du går på pension.",
    ("Freja Søndergaard", "Åse Kjær"),
)
ARABIC: Final = Words(
    "ar-SA",
    "جدول الأعمال",
    "الوقت",
    "الموضوع",
    "وضعك المالي اليوم وبعد عشر سنوات",
    "نراجع معاشاتك وقروضك وتأميناتك وما يتغير عندما تتقاعد، ثم نتفق على الخطوات التالية معًا.",
    ("ليلى حداد", "عمر الخطيب"),
    from_right=True,
)
JAPANESE: Final = Words(
    "ja-JP",
    "議題",
    "時間",
    "内容",
    "現在と十年後の家計について",
    "年金、ローン、保険を確認し、退職後に何が変わるかをご説明します。その後、次の手順を一緒に決めます。",
    ("山田花子", "佐藤健"),
)


def template_maker(words: Words) -> Callable[[], bytes]:
    """Return what makes the template in a language."""
    return lambda: _make_template(words)


def _make_template(words: Words) -> bytes:
    drawing = Drawing(words.language)
    cover = drawing.add_slide("Cover", f"{words.title}: {{{{customer.name}}}}")
    texts = [add_text(cover, Place(0.5, 2, 8, 1.5), ["{{advisor.name}}", '{{start | date:"long"}}'], 20)]
    agenda = drawing.add_slide("Agenda", words.title)
    row = ('{{#points}}{{start | date:"HH:mm"}}', "{{title}}", "{{text}}{{/points}}")
    add_table(agenda, Place(0.5, 1.3, 12.3, 0.7), ((words.time, words.topic, ""), row), (1, 3, 6), 12)
    goals = drawing.add_slide("Goals", words.topic)
    texts.append(add_text(goals, Place(0.5, 1.3, 12.3, 5), ["{{#points}}{{title}}{{/points}}", "{{text}}"], 16))
    if words.from_right:
        for text in texts:
            set_direction(text)
    return drawing.save()


def make_data(words: Words) -> Mapping[str, object]:
    """Return the data of a meeting in a language."""
    customer, advisor = words.names
    points = [
        {"start": f"2026-01-31T{9 + n:02}:15:00", "title": f"{words.point} {n}", "text": words.text}
        for n in range(_POINTS)
    ]
    about = {"customer": {"name": customer}, "advisor": {"name": advisor}, "start": "2026-01-31T09:15:00"}
    return {**about, "text": words.text, "points": points}
