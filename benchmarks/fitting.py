"""Print how far the heights of texts that the deck engine measures are from those that LibreOffice lays out.

    python benchmarks/fitting.py [--boxes 200] [--worst 10]

The boxes are text boxes and placeholders of other people's presentations, as `make corpus` downloads them, and boxes
made here: many fonts, sizes, spacings and bullets, in many scripts. Each is made to grow with its text and to be as low
as can be; LibreOffice is asked over UNO how high it became. Nothing is rendered: both are heights of the same thing.

Printed are the median, the 90th percentile and the worst of the difference's share of LibreOffice's height, and how
many boxes have another number of lines.
"""

import argparse
import io
import json
import random
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from pptx import Presentation
from pptx.util import Inches, Pt

from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.fitting.boxes import END_MARGIN, read_box
from meetdeck.present.deck.fitting.inheritance import Inheritance, ShapeLook
from meetdeck.present.deck.fitting.layout import Measurer
from meetdeck.present.deck.fitting.styles import read_length
from meetdeck.present.deck.opc.package import read_package
from meetdeck.present.deck.opc.xml import A, Element, P, parse, remove, serialize
from meetdeck.present.deck.presentation.document import get_document
from meetdeck.present.deck.presentation.geometry import find_frame
from meetdeck.present.deck.presentation.lists import read_slide_size
from meetdeck.present.deck.presentation.slides import read_slides
from meetdeck.present.render.renderer import find_office
from meetdeck.present.render.typefaces import InstalledTypefaces, installed_typefaces

CORPUS: Final = Path(__file__).parents[1] / "var/corpus/decks"
GOAL_MEDIAN: Final = 0.03
_FROM_ONE_DECK: Final = 6
_FITS: Final = ("noAutofit", "normAutofit", "spAutoFit")
_OFFICE_HEIGHTS: Final = Path(__file__).parent / "fitting_peers/office_heights.py"
_PATIENCE_SECONDS: Final = 900
_FONTS: Final = (
    "Calibri",
    "Arial",
    "Cambria",
    "Times New Roman",
    "Verdana",
    "Segoe UI",
    "Courier New",
    "Noto Sans",
    None,
)
_SCRIPTS: Final = {
    "Latin": "Your portfolio AVANZA To office fluffy efficient rates 1,234,567.89 DKK with-hyphen Typography",
    "Danish": "Porteføljen rådgivning realkreditlån og opsparing på årsbasis ændres første gang",
    "Combining": "re\u0301sume\u0301 nai\u0308ve co\u0302te\u0301 A\u030angstro\u0308m Vie\u0323\u0302t",
    "Arabic": "محفظتك الاستثمارية في نهاية العام مع معدل الفائدة الثابت والرسوم",
    "Hebrew": "התיק שלך בסוף השנה עם הריבית הקבועה והעמלות",
    "Hindi": "आपका निवेश वर्ष के अंत में स्थिर ब्याज दर और शुल्क के साथ क्षत्रिय",
    "Thai": "พอร์ตการลงทุนของคุณ ณ สิ้นปี พร้อมอัตราดอกเบี้ยคงที่",
    "Japanese": "年末のポートフォリオは固定金利と手数料を含みます。お客様の資産",
    "Greek": "Το χαρτοφυλάκιό σας στο τέλος του έτους με σταθερό επιτόκιο",  # noqa: RUF001 - Greek it is
    "Cyrillic": "Ваш портфель на конец года с фиксированной процентной ставкой",  # noqa: RUF001 - Cyrillic it is
}


class Box(NamedTuple):
    """A box: its name in its presentation, where it comes from, what was measured and its margins, in points."""

    name: str
    source: str
    height: float
    line: float
    margins: float
    text: str


class Compared(NamedTuple):
    """A box, and the height of its text in LibreOffice."""

    box: Box
    drawn: float

    @property
    def error(self) -> float:
        """The difference as a share of LibreOffice's height."""
        return abs(self.box.height - self.drawn) / self.drawn


class _Deck(NamedTuple):
    content: bytes
    boxes: list[Box]


def prepare(data: bytes, source: str, fonts: InstalledTypefaces, most: int, chance: random.Random) -> _Deck | None:
    """Return a presentation of which some boxes grow with their text, and the measured values of these."""
    try:
        package = read_package(data, [])
        document = get_document(package)
        slides = read_slides(package, document)
    except TemplateError:
        return None
    inheritance, size = Inheritance(package), read_slide_size(document.root)
    found = [(slide, shape) for slide in slides for shape in slide.root.findall(f"{P}cSld/{P}spTree/{P}sp")]
    chance.shuffle(found)
    boxes: list[Box] = []
    changed: dict[str, Element] = {}
    for slide, shape in found:
        look = inheritance.look_of_shape(shape, slide.part)
        box = None if len(boxes) == most else read_box(shape, look, size)
        body, frame = shape.find(P + "txBody"), find_frame(shape, slide.part, package)
        if (
            box is None
            or body is None
            or frame is None
            or not _is_plain(shape, look)
            or not box.width
            or box.columns > 1
        ):
            continue
        text = " ".join(t.text or "" for t in body.iter(A + "t")).strip()
        if not text:
            continue
        name = f"box {len(boxes)}"
        extent = Measurer(fonts, look.text.fonts, shaped=True).measure(body, look.text.levels, box.width)
        boxes.append(Box(name, f"{source}: {slide.name}", extent.height, extent.line, _margins(look), text))
        _let_grow(shape, body, name, frame.element, _margins(look))
        changed[slide.part] = slide.root
    return _Deck(_rewrite(data, {part: serialize(root) for part, root in changed.items()}), boxes) if boxes else None


def _is_plain(shape: Element, look: ShapeLook) -> bool:
    """Return whether a shape is an upright rectangle without any effect on its letters."""
    geometry, transform = shape.find(f"{P}spPr/{A}prstGeom"), shape.find(f"{P}spPr/{A}xfrm")
    is_warped = shape.find(f"{P}txBody/{A}bodyPr/{A}prstTxWarp") is not None
    is_upright = (look.attributes.get("vert") or "horz") == "horz" and not is_warped
    is_turned = transform is not None and transform.get("rot", "0") != "0"
    kind = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
    is_footer = kind is not None and kind.get("type") in {"dt", "ftr", "sldNum", "hdr"}
    is_own = (
        not is_footer
        and shape.find(f"{P}spPr/{A}custGeom") is None
        and (geometry is None or geometry.get("prst") == "rect")
    )
    return is_own and is_upright and not is_turned


def _margins(look: ShapeLook) -> float:
    found = (look.attributes.get(name) for name in ("tIns", "bIns"))
    return sum(END_MARGIN if text is None else read_length(text) for text in found)


def _let_grow(shape: Element, body: Element, name: str, transform: Element, margins: float) -> None:
    """Make a shape grow with its text, from nearly no height."""
    properties, look = body.find(A + "bodyPr"), shape.find(P + "spPr")
    naming = next(iter(shape.iter(P + "cNvPr")))
    naming.set("name", name)
    if properties is None or look is None:
        return
    for fit in list(properties.iterchildren(*(A + kind for kind in _FITS))):
        remove(fit)
    properties.insert(0, parse(f'<a:spAutoFit xmlns:a="{A[1:-1]}"/>'.encode()))
    properties.attrib.pop("anchor", None)
    old = look.find(A + "xfrm")
    if old is not None:
        remove(old)
    for extent in transform.iterchildren(A + "ext"):
        # LibreOffice takes away margins that do not fit into a shape.
        extent.set("cy", f"{round((margins + 1) * 12_700)}")
    look.insert(0, transform)


def _rewrite(data: bytes, parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with ZipFile(io.BytesIO(data)) as source, ZipFile(out, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = parts[name] if name in parts else source.read(name)
            target.writestr(name, content)
    return out.getvalue()


def lay_out(decks: Sequence[_Deck]) -> Iterator[Compared]:
    """Yield the boxes with their heights in LibreOffice. Raises SystemExit without one."""
    office = find_office()
    if office is None:
        sys.exit("LibreOffice is not installed.")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for number, deck in enumerate(decks):
            (work / f"{number}.pptx").write_bytes(deck.content)
        files = [work / f"{number}.pptx" for number in range(len(decks))]
        command = [office.python, _OFFICE_HEIGHTS, office.soffice.with_name("soffice"), folder, *files]
        done = subprocess.run(  # noqa: S603 - the command is ours
            command, check=False, stdout=subprocess.PIPE, timeout=_PATIENCE_SECONDS
        )
    for deck, line in zip(decks, done.stdout.splitlines(), strict=False):
        drawn: dict[str, float] = json.loads(line)
        yield from (Compared(box, drawn[box.name] - box.margins) for box in deck.boxes if box.name in drawn)


def corpus_decks(fonts: InstalledTypefaces, boxes: int) -> Iterator[_Deck]:
    """Yield presentations of the corpus until there are so many boxes."""
    chance = random.Random(17)
    paths = sorted(path for path in CORPUS.rglob("*.p*") if path.suffix in {".pptx", ".potx", ".ppsx"})
    chance.shuffle(paths)
    count = 0
    for path in paths:
        deck = prepare(path.read_bytes(), path.name, fonts, min(_FROM_ONE_DECK, boxes - count), chance)
        if deck:
            count += len(deck.boxes)
            yield deck
        if count >= boxes:
            return


def made_decks(fonts: InstalledTypefaces, boxes: int) -> Iterator[_Deck]:
    """Yield a presentation of boxes in many scripts, fonts, sizes, spacings and with bullets."""
    chance = random.Random(17)
    presentation: Any = Presentation()
    for number in range(boxes):
        script = list(_SCRIPTS)[number % len(_SCRIPTS)]
        words = _SCRIPTS[script].split()
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        slide.element.cSld.set("name", script)
        shape = slide.shapes.add_textbox(Inches(1), Inches(0.5), Inches(chance.uniform(1.5, 5)), Inches(1))
        shape.text_frame.word_wrap = True
        font, size = chance.choice(_FONTS), chance.choice([10, 12, 14, 18, 24])
        for paragraph in range(chance.choice([1, 1, 2, 4])):
            added = shape.text_frame.add_paragraph() if paragraph else shape.text_frame.paragraphs[0]
            run = added.add_run()
            run.text = " ".join(chance.choice(words) for _ in range(chance.choice([2, 6, 15])))
            run.font.size, run.font.name, run.font.bold = Pt(size), font, chance.choice([None, None, None, None, True])
            added.line_spacing = chance.choice([None, None, 0.9, 1.5, Pt(size * 1.4)])
            added.space_before = chance.choice([None, Pt(6)])
            if chance.choice([True, False, False]):
                properties = added._p.get_or_add_pPr()
                properties.set("marL", "285750")
                properties.set("indent", "-285750")
                properties.append(parse(f'<a:buChar xmlns:a="{A[1:-1]}" char="•"/>'.encode()))
    out = io.BytesIO()
    presentation.save(out)
    deck = prepare(out.getvalue(), "made here", fonts, boxes, chance)
    if deck:
        yield deck


def report(name: str, compared: Sequence[Compared], worst: int) -> float:
    """Print how far apart the heights are, and return the median."""
    errors = sorted(one.error for one in compared)
    lines = Counter(round((one.box.height - one.drawn) / one.box.line) for one in compared if one.box.line)
    other = sum(count for lines_more, count in lines.items() if lines_more)
    median, ninth = statistics.median(errors), errors[int(len(errors) * 0.9)]
    print(
        f"{name:10} {len(errors):4} boxes: median {median:6.2%}, 90th percentile {ninth:6.2%}, "
        f"worst {errors[-1]:6.2%}; {other} with another number of lines"
    )
    if name == "made here":
        scripts = {script: [o.error for o in compared if f": {script}" in o.box.source] for script in _SCRIPTS}
        print(
            "  medians: " + ", ".join(f"{script} {statistics.median(found):.1%}" for script, found in scripts.items())
        )
    for one in sorted(compared, key=lambda one: -one.error)[:worst]:
        print(
            f"  {one.box.height:7.1f} / {one.drawn:7.1f} pt, a line {one.box.line:5.1f}: {one.box.source}, "
            f"{one.box.text[:50]!r}"
        )
    return median


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boxes", type=int, default=200, help="how many boxes of each kind (default 200)")
    parser.add_argument("--worst", type=int, default=10, help="how many of the worst to show (default 10)")
    arguments = parser.parse_args()
    fonts = installed_typefaces()
    if fonts is None:
        sys.exit("There is no fontconfig.")
    kinds: dict[str, Iterable[_Deck]] = {"made here": made_decks(fonts, arguments.boxes)}
    if CORPUS.is_dir():
        kinds["corpus"] = corpus_decks(fonts, arguments.boxes)
    else:
        print(f"{CORPUS} is not there: run `make corpus` for other people's boxes.")
    medians = {name: report(name, list(lay_out(list(decks))), arguments.worst) for name, decks in kinds.items()}
    for name, median in medians.items():
        print(f"{name}: median {median:.2%}, at most {GOAL_MEDIAN:.0%}: {'yes' if median <= GOAL_MEDIAN else 'NO'}")


if __name__ == "__main__":
    main()
