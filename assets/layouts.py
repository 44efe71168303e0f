"""Make the layouts of messages: templates of Jinja in HTML that mail programs show alike, of MJML.

python assets/layouts.py           writes them anew
python assets/layouts.py --check   only says by its status whether they are what their MJML says
"""

import re
import sys
from pathlib import Path
from typing import Final

from mjml import mjml2html

_SOURCES: Final = Path(__file__).resolve().parents[1] / "src/meetdeck/messages/writing/layout"

_BEFORE_TEXT: Final = re.compile(r'(?<=")>(?=\{[{%])')
_AFTER_TEXT: Final = re.compile(r"([}%]\}[^{}]*?<\w+) ")


def make_layout(source: Path) -> str:
    """Return the HTML of a layout in MJML. It loads no fonts, so that opening a message tells nobody.

    Lines end within the tags before and after each placeholder, so that most lines are the same in all messages
    (`messages/writing/mail.py`).
    """
    html = mjml2html(source.read_text(encoding="utf-8"), disable_comments=True, fonts={}) + "\n"
    return _AFTER_TEXT.sub(r"\1\n", _BEFORE_TEXT.sub("\n>", html))


def list_stale() -> list[Path]:
    """Return the layouts whose HTML is not what their MJML says."""
    return [path for path in sorted(_SOURCES.glob("*.mjml")) if not _is_fresh(path)]


def _is_fresh(source: Path) -> bool:
    made = source.with_suffix(".html")
    return made.is_file() and made.read_text(encoding="utf-8") == make_layout(source)


def _main() -> None:
    stale = list_stale()
    if sys.argv[1:] == ["--check"]:
        sys.exit(", ".join(path.name for path in stale) + " changed: make assets" if stale else 0)
    for path in stale:
        path.with_suffix(".html").write_text(make_layout(path), encoding="utf-8")
        print(f"{path.with_suffix('.html').name} written")


if __name__ == "__main__":
    _main()
