"""SVGs from the data: made safe by an allow-list, and drawn as PNG by a confined process."""

from meetdeck.present.render.svg.drawer import SvgDrawer

__all__ = ["SvgDrawer"]
