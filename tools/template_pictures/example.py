"""An example of the documentation: a template that is drawn here, data that stand in the page, and what comes out.

In the page, an example is a picture under `images/templates`, with the data in the JSON above it.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from meetdeck.present.deck import Template, TemplateFile, compile_template, share_slides

from .stage import Stage

ROOT: Final = Path(__file__).parents[2]
PICTURES: Final = ROOT / "docs/images/templates"
_PAGES: Final = ROOT / "docs/templates"
_PICTURE: Final = re.compile(r"!\[[^\]]+\]\(\.\./images/templates/([\w-]+)\.png\)")
_JSON: Final = re.compile(r"```json\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Example:
    """An example; `name` is the name of its picture.

    `draw` makes the template, `shown` is what the deck's slides say, as `reading.read_slides` tells it. `files` are
    pictures by what stands for them in the page, where data URIs are cut short. `beside` make the templates that it
    refers to, by their names.
    """

    name: str
    draw: Callable[[Stage], None]
    shown: Sequence[Sequence[str]]
    findings: Sequence[str] = ()
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    beside: Mapping[str, Callable[[Stage], None]] = field(default_factory=dict[str, Callable[[Stage], None]])

    def compile(self, template: bytes) -> Template:
        """Return the compiled template of its file, with the slides of those beside it."""
        files: dict[str, TemplateFile] = {}
        for name, draw in self.beside.items():
            stage = Stage()
            draw(stage)
            files[name] = _read(stage.save())
        return share_slides(_read(template), files).template


def _read(content: bytes) -> TemplateFile:
    return TemplateFile(content, compile_template(content))


def read_page(name: str) -> str:
    """Return a page's text."""
    return (_PAGES / f"{name}.md").read_text()


def read_examples(page: str) -> dict[str, str]:
    """Return a page's text about each of its examples, by name: from the previous picture to its own."""
    parts = _PICTURE.split(page)
    return dict(zip(parts[1::2], parts[0::2], strict=False))


def read_data(about: str) -> dict[str, object]:
    """Return the data that a page gives for an example: the last JSON before the picture."""
    found: list[str] = _JSON.findall(about)
    if not found:
        raise LookupError("The page has no JSON above the picture.")
    data: dict[str, object] = json.loads(found[-1])
    return data
