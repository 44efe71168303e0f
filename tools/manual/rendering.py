"""The templates of the manual's pages."""

from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

_ENVIRONMENT: Final = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def fill(template: str, **values: object) -> str:
    """Return a template filled with values."""
    return _ENVIRONMENT.get_template(template).render(values)
