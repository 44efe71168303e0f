"""Names, lines, texts and e-mail addresses in bodies, with their limits."""

from typing import Annotated

from msgspec import Meta

from meetdeck.platform.values import SingleLine


def _document(least: int, most: int, description: str) -> Meta:
    """Describe the limits on the page; `SingleLine` checks them, since msgspec would count the spaces too."""
    return Meta(description=description, extra_json_schema={"minLength": least, "maxLength": most})


Name = Annotated[str, SingleLine(1, 200), _document(1, 200, "One line. Spaces around it do not count.")]
Line = Annotated[str, SingleLine(0, 200), _document(0, 200, "One line; may be empty. Spaces around it do not count.")]
Email = Annotated[str, SingleLine(0, 320, is_address=True), _document(0, 320, "An e-mail address, or empty.")]
Text = Annotated[str, Meta(max_length=10_000)]
