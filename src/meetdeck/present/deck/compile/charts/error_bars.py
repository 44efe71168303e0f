"""Error bars of custom lengths: they are kept when the data has as many points as the template has lengths."""

from typing import Final

from meetdeck.present.deck.opc.xml import Element, remove

C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_MOST_DIGITS: Final = 6


def freeze_numbers(bars: Element) -> int:
    """Replace the cell references of a c:errBars by numbers, and return how many points have numbers."""
    for reference in bars.findall(f"{C}plus/{C}numRef") + bars.findall(f"{C}minus/{C}numRef"):
        cache = reference.find(C + "numCache")
        for child in list(reference.iterchildren()):
            remove(child)
        reference.tag = C + "numLit"
        for number, child in enumerate(cache.iterchildren() if cache is not None else ()):
            reference.insert(number, child)
    counts = [count.get("val", "") or "" for count in bars.iter(C + "ptCount")]
    return max((int(text) for text in counts if text.isdigit() and len(text) <= _MOST_DIGITS), default=1)
