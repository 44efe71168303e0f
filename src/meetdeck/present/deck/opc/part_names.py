"""Names of parts, split and numbered (ECMA-376 part 2)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct


class PartName(Struct, frozen=True):
    """A split part name: `folder` with its slash, `stem`, `number` as written or empty, `suffix` with its dot."""

    folder: str
    stem: str
    number: str
    suffix: str

    @property
    def family(self) -> str:
        """The part that numbered names of one kind have in common, compared without case."""
        return _find_family(self.folder, self.stem, self.suffix)

    def numbered(self, number: int) -> str:
        """Return the file name with another number."""
        return f"{self.stem}{number}{self.suffix}"

    @property
    def file(self) -> str:
        """The file name as written."""
        return f"{self.stem}{self.number}{self.suffix}"


@lru_cache(maxsize=1_024)  # each copy of a slide asks for those of all its parts
def _find_family(folder: str, stem: str, suffix: str) -> str:
    return f"{folder}{stem}*{suffix}".lower()


def split_part_name(name: str) -> PartName:
    """Return a part name's parts: `ppt/slides/slide7.xml` is `ppt/slides/`, `slide`, `7`, `.xml`."""
    folder, slash, file = name.rpartition("/")
    base, dot, extension = file.rpartition(".")
    if not dot:
        base, extension = file, ""
    stem = base.rstrip("0123456789")
    return PartName(folder + slash, stem, base[len(stem) :], dot + extension)


def highest_numbers(names: Iterable[str]) -> dict[str, int]:
    """Return the highest number in use for each family of part names."""
    highest: dict[str, int] = {}
    for name in map(split_part_name, names):
        highest[name.family] = max(highest.get(name.family, 0), int(name.number or "0"))
    return highest


class PartNames:
    """The free part names of one deck: the template's name at first use, then the family's next number."""

    def __init__(self, highest: Mapping[str, int]) -> None:
        self._highest = dict(highest)
        self._taken: set[str] = set()

    def reserve(self, names: Iterable[str]) -> None:
        """Mark names as taken."""
        self._taken.update(names)

    def claim(self, name: PartName) -> str:
        """Return a free file name in the part's own folder."""
        file = name.file
        key = name.folder + file
        if key not in self._taken:
            self._taken.add(key)
            return file
        number = max(self._highest.get(name.family, 0), int(name.number or "0")) + 1
        self._highest[name.family] = number
        return name.numbered(number)


CONTENT_TYPES_NAME: Final = "[Content_Types].xml"
