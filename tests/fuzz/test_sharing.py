"""Slides of one template in another, whatever is damaged there: the deck is sound, or refused in words."""

import io
import re
import zipfile
from collections.abc import Callable
from typing import Final

from hypothesis import event, given
from hypothesis import strategies as st

from meetdeck.present.deck import (
    DeckError,
    SlideReference,
    SlideRequest,
    TemplateFile,
    build_deck,
    compile_template,
    share_slides,
)
from support.package_checker.faults import new_faults
from support.package_checker.samples import SLIDE_1, SLIDE_2, SLIDE_3, edit_parts, one_of_everything
from support.package_checker.soundness import find_faults

_TITLE: Final = re.compile(r'<p:cNvPr id="2" name="[^"]*"(?: descr="[^"]*")?')
_PARTS: Final = sorted(
    name for name in zipfile.ZipFile(io.BytesIO(one_of_everything())).namelist() if name.endswith((".xml", ".rels"))
)
_slides = st.sampled_from(["Slide 1", "Slide 2", "Slide 3", "Nowhere"])
_themes = st.sampled_from(["take", "keep"])
_references = st.builds("{{{{slide:{} from='{}' theme={}}}}}".format, _slides, st.sampled_from(["T", "Main"]), _themes)
_places = st.dictionaries(st.sampled_from([SLIDE_1, SLIDE_2, SLIDE_3]), _references)
_added = st.lists(st.builds(SlideReference, _slides, st.just("T"), _themes), max_size=3)
_damage = st.dictionaries(
    st.sampled_from(_PARTS),
    st.sampled_from(
        [
            ('r:id="rId', 'r:id="rId9'),
            ("../", "/"),
            (' id="', ' id="9'),
            ("slideLayout", "slideMaster"),
            ("<p:cSld", '<p:cSld name="Blank"'),
            ("Target=", 'TargetMode="External" Target='),
            ("rId1", "rId2"),
        ]
    ),
    max_size=2,
)


@given(_places, _places, _added, _damage)
def test_slides_of_a_damaged_template(
    places: dict[str, str], inner: dict[str, str], added: list[SlideReference], damage: dict[str, tuple[str, str]]
) -> None:
    main, source = _refer(one_of_everything(), places), _refer(one_of_everything(), inner)
    source = edit_parts(source, {part: _damaged(*pair) for part, pair in damage.items()})
    refusal, deck = _share(main, source, added)
    if deck is None:
        event(f"refused: {type(refusal).__name__}")
        assert str(refusal)
    else:
        event("built")
        assert not new_faults(find_faults(deck), [*find_faults(main), *find_faults(source)])


def _share(main: bytes, source: bytes, added: list[SlideReference]) -> tuple[DeckError | None, bytes | None]:
    try:
        files = {name: TemplateFile(file, compile_template(file)) for name, file in (("T", source), ("Main", main))}
        template = share_slides(files["Main"], files, added).template
        requests = [SlideRequest(slide.name, {}) for slide in reversed(template.slides) for _ in range(2)]
        return None, build_deck(template, requests).content
    except DeckError as refusal:
        return refusal, None


def _damaged(old: str, new: str) -> Callable[[str], str]:
    return lambda xml: xml.replace(old, new) + "\n"


def _refer(template: bytes, places: dict[str, str]) -> bytes:
    def refer(text: str, xml: str) -> str:
        return _TITLE.sub(f'<p:cNvPr id="2" name="Title" descr="{text}"', xml, count=1) + "\n"

    return edit_parts(template, {part: lambda xml, text=text: refer(text, xml) for part, text in places.items()})
