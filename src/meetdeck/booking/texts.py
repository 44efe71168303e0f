"""Names, lines, texts and e-mail addresses in bodies, with their limits."""

from typing import Annotated

from msgspec import Meta

from meetdeck.platform.annotations import Trimmed


def _document(least: int, most: int, description: str) -> Meta:
    """Describe the limits on the page; `Trimmed` checks them, since msgspec would count the spaces too."""
    return Meta(description=description, extra_json_schema={"minLength": least, "maxLength": most})


Name = Annotated[str, Trimmed(1, 200), _document(1, 200, "Spaces around it do not count.")]
Line = Annotated[str, Trimmed(0, 200), _document(0, 200, "May be empty. Spaces around it do not count.")]
Email = Annotated[str, Trimmed(0, 320, is_address=True), _document(0, 320, "An e-mail address, or empty.")]
Text = Annotated[str, Meta(max_length=10_000)]
