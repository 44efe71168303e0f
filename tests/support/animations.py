"""Slides with animations as PowerPoint writes them, and the animations of their decks, click by click."""

from collections.abc import Callable, Mapping
from xml.etree.ElementTree import Element, fromstring

from meetdeck.present.deck import compile_template, whole_deck
from support.fitting import EvenTypefaces

Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]

SLIDE = "ppt/slides/slide1.xml"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def box(*paragraphs: str, spid: int = 2, descr: str = "") -> str:
    texts = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in paragraphs)
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{spid}" name="Box {spid}" descr="{descr}"/><p:cNvSpPr txBox="1"/><p:nvPr/>'
        "</p:nvSpPr>"
        '<p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></a:xfrm></p:spPr>'
        f"<p:txBody><a:bodyPr/>{texts}</p:txBody></p:sp>"
    )


class Timing:
    """Writes a timing tree as PowerPoint does."""

    def __init__(self) -> None:
        self._id = 2

    def _next(self) -> int:
        self._id += 1
        return self._id

    def target(self, spid: int, inside: str) -> str:
        return (
            f'<p:tgtEl><p:spTgt spid="{spid}">{inside}</p:spTgt></p:tgtEl>'
            if inside
            else f'<p:tgtEl><p:spTgt spid="{spid}"/></p:tgtEl>'
        )

    def effect(self, target: str, node: str = "clickEffect") -> str:
        behaviours = (
            f'<p:set><p:cBhvr><p:cTn id="{self._next()}" dur="1"/>{target}</p:cBhvr><p:to><p:strVal val="visible"/>'
            '</p:to></p:set><p:animEffect transition="in" filter="fade"><p:cBhvr>'
            f'<p:cTn id="{self._next()}" dur="500"/>{target}</p:cBhvr></p:animEffect>'
        )
        return (
            f'<p:par><p:cTn id="{self._next()}" presetID="10" presetClass="entr" presetSubtype="0" fill="hold" '
            f'grpId="0" nodeType="{node}"><p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>{behaviours}'
            "</p:childTnLst></p:cTn></p:par>"
        )

    def step(self, *effects: str, delays: tuple[int, ...] = (0,)) -> str:
        """Return the step of a click; effects side by side, or one after the other at the delays."""
        groups = [effects] if len(delays) == 1 else [(effect,) for effect in effects]
        inner = "".join(
            f'<p:par><p:cTn id="{self._next()}" fill="hold"><p:stCondLst><p:cond delay="{delay}"/></p:stCondLst>'
            f"<p:childTnLst>{''.join(members)}</p:childTnLst></p:cTn></p:par>"
            for delay, members in zip(delays, groups, strict=True)
        )
        return (
            f'<p:par><p:cTn id="{self._next()}" fill="hold"><p:stCondLst><p:cond delay="indefinite"/></p:stCondLst>'
            f"<p:childTnLst>{inner}</p:childTnLst></p:cTn></p:par>"
        )

    def whole(self, steps: str, builds: str) -> str:
        return (
            '<p:timing><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"><p:childTnLst>'
            '<p:seq concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst>'
            f'{steps}</p:childTnLst></p:cTn><p:prevCondLst><p:cond evt="onPrev" delay="0"><p:tgtEl><p:sldTgt/>'
            "</p:tgtEl></p:cond></p:prevCondLst></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst>"
            f"<p:bldLst>{builds}</p:bldLst></p:timing>"
        )

    def paragraphs(self, start: int, end: int | None = None, spid: int = 2) -> str:
        return self.target(spid, f'<p:txEl><p:pRg st="{start}" end="{start if end is None else end}"/></p:txEl>')


def either(newer: str, older: str) -> str:
    """Return the content for programs that know a newer namespace, and for others."""
    return (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice '
        'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" Requires="p14">'
        f"{newer}</mc:Choice><mc:Fallback>{older}</mc:Fallback></mc:AlternateContent>"
    )


def list_steps(xml: str) -> list[list[str]]:
    """Return what each click of a slide moves: `0-1` for a range of paragraphs, else the shape's id."""
    root = fromstring(xml)  # noqa: S314 - ours
    assert_valid(root)
    main = next((node for node in root.iter(_P + "cTn") if node.get("nodeType") == "mainSeq"), None)
    if main is None:
        return []
    steps = main.findall(f"{_P}childTnLst/{_P}par")
    return [[_name(target) for one in step.iter(_P + "set") for target in one.iter(_P + "spTgt")] for step in steps]


def _name(target: Element) -> str:
    edges = target.find(f"{_P}txEl/{_P}pRg")
    chart = target.find(f"{_P}graphicEl/{_A}chart")
    if edges is not None:
        return f"{edges.get('st')}-{edges.get('end')}" if edges.get("st") != edges.get("end") else str(edges.get("st"))
    if chart is not None:
        return f"{chart.get('seriesIdx')}/{chart.get('categoryIdx')}"
    return f"#{target.get('spid')}"


def assert_valid(root: Element) -> None:
    """Assert that ids are unique, that no list is empty, and that moved shapes exist."""
    timing = root.find(_P + "timing")
    if timing is None:
        return
    ids = [node.get("id") for node in timing.iter(_P + "cTn")]
    assert len(set(ids)) == len(ids)
    assert {node.get("val") for node in timing.iter(_P + "tn")} <= set(ids)
    for name in ("childTnLst", "subTnLst", "bldLst", "tnLst"):
        assert all(len(element) for element in timing.iter(_P + name))
    counts: dict[str, int] = {}
    for shape in root.iter(_P + "sp"):
        for properties in shape.iter(_P + "cNvPr"):
            counts.setdefault(str(properties.get("id")), len(shape.findall(f"{_P}txBody/{_A}p")))
    for target in timing.iter(_P + "spTgt"):
        edges = target.find(f"{_P}txEl/{_P}pRg")
        if edges is not None:
            assert 0 <= int(edges.get("st", "")) <= int(edges.get("end", "")) < counts[target.get("spid", "")]
    moved = {target.get("spid") for target in timing.iter(_P + "spTgt")}
    assert {build.get("spid") for build in timing.iter(_P + "bldP")} <= moved


def fill(template: bytes, data: Mapping[str, object], read_part: Read, check_whole: Check) -> list[list[str]]:
    # With fonts, as the service builds decks: text is counted for animations and measured at once.
    deck = whole_deck(compile_template(template), data, typefaces=EvenTypefaces()).content
    check_whole(deck)
    xml = read_part(deck, SLIDE)
    assert "<?" not in xml.partition("?>")[2]
    return list_steps(xml)
