"""The texts of a presentation for people who cannot see its slides."""

from msgspec import Struct

from meetdeck.present.deck.limits import DEFAULT_LIMITS, Limits
from meetdeck.present.deck.opc.package import read_package
from meetdeck.present.deck.presentation.alternatives import Alternative, read_alternatives
from meetdeck.present.deck.presentation.document import get_document
from meetdeck.present.deck.presentation.lists import read_slide_size
from meetdeck.present.deck.presentation.slides import read_slides


class SpokenSlide(Struct, frozen=True):
    """A visible slide's name, and the alternatives of its shapes in their order."""

    name: str
    alternatives: tuple[Alternative, ...]

    @property
    def untold(self) -> list[str]:
        """The names of shapes that show something and have no alternative text."""
        return [one.shape for one in self.alternatives if one.needed and not one.text]


def read_spoken(data: bytes, limits: Limits = DEFAULT_LIMITS) -> list[SpokenSlide]:
    """Return the visible slides of a presentation. Raises TemplateError."""
    package = read_package(data, [], limits)
    document = get_document(package)
    size = read_slide_size(document.root)
    return [
        SpokenSlide(slide.name, tuple(read_alternatives(slide.root, slide.part, package, size)))
        for slide in read_slides(package, document)
        if not slide.hidden
    ]
