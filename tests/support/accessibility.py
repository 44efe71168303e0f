"""Accessibility of a page with a phone, enlarged, in forced or dark colors, and for a screen reader."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from playwright.sync_api import Page, ViewportSize

AXE: Final = Path(__file__).parents[1] / "browser/node_modules/axe-core/axe.min.js"
STANDARDS: Final = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
OF_COLORS: Final = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
OF_SIZES: Final = {"type": "rule", "values": ["target-size"]}
"""The rules that depend on size or colors; all others give the same result in each."""

COLORS: Final[Mapping[str, tuple[Literal["light", "dark"], Literal["none", "active"]]]] = {
    "dark": ("dark", "none"),
    "forced colors": ("light", "active"),
}
# A phone; 1280 by 1024 pixels enlarged to 400 %.
SIZES: Final = {"phone": (320, 640), "400 %": (320, 256), "desk": (1280, 800)}
RULES: Final[Mapping[str, object]] = {"phone": OF_SIZES, "desk": STANDARDS}
"""The rules that axe checks in each size."""

_FIND_FOCUS: Final = "() => [document.activeElement.tagName, document.activeElement.className].join('.')"
_WAIT_UNTIL_DRAWN: Final = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
_IS_WIDE: Final = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
# Without `preload`, which fetches the stylesheets and media again for two rules that nothing of ours concerns.
_JUDGE: Final = """runOnly => axe.run(document, {runOnly, resultTypes: ["violations"], preload: false}).then(found =>
    found.violations.flatMap(rule => rule.nodes.map(node =>
        `${rule.id}: ${node.html} ${node.any[0]?.message ?? ""}`)))"""


class State(NamedTuple):
    """The findings about a page in one state."""

    name: str
    focused: str
    """The element that has the focus, once the page is shown."""
    wide: Sequence[str]
    """The sizes in which the page scrolls sideways."""
    faults: Sequence[str]
    """The findings of axe, each with the colors or size in which it occurs."""


def look(page: Page, name: str) -> State:
    """Return the findings about a page in all sizes and colors."""
    page.evaluate(_WAIT_UNTIL_DRAWN)  # what has `autofocus` gets it then
    focused = page.evaluate(_FIND_FOCUS)
    wide, faults = list[str](), list[str]()
    for size in SIZES:
        page.set_viewport_size(_viewport(size))
        if page.evaluate(_IS_WIDE):
            wide.append(size)
        if size in RULES:
            faults += find_violations(page, size, RULES[size])
    for colors, (scheme, forced) in COLORS.items():
        page.emulate_media(color_scheme=scheme, forced_colors=forced)
        faults += find_violations(page, colors, OF_COLORS)
    page.emulate_media(color_scheme="light", forced_colors="none")
    return State(name, focused, wide, faults)


def list_wide_sizes(page: Page) -> list[str]:
    """Return the sizes in which a page scrolls sideways; it is left in the last of all."""
    wide: list[str] = []
    for size in SIZES:
        page.set_viewport_size(_viewport(size))
        if page.evaluate(_IS_WIDE):
            wide.append(size)
    return wide


def find_violations(page: Page, how: str, rules: object) -> list[str]:
    """Return what axe finds in a page, by tags of standards or by single rules."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[Any] = page.evaluate(_JUDGE, rules)
    return [f"{how}: {fault}" for fault in found]


def _viewport(size: str) -> ViewportSize:
    width, height = SIZES[size]
    return {"width": width, "height": height}


def require_accessible(state: State) -> None:
    """Fail with what axe finds, and the sizes in which the page scrolls sideways."""
    assert not state.faults
    assert not state.wide
