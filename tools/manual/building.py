"""Writes the whole manual: all pages, their pictures and the index of words."""

import shutil

from tools.manual.pages import make_manual
from tools.manual.reference.pages import make_reference
from tools.manual.sources import DOCS, MADE, mark_up_to_date
from tools.manual.word_index import write_word_index

from meetdeck.platform.process import no_garbage_collection


def build() -> None:
    """Make the manual anew."""
    shutil.rmtree(MADE, ignore_errors=True)
    with no_garbage_collection():  # it would take a third of the time
        manual = make_manual(DOCS, make_reference())
    for name, html in manual.pages.items():
        path = MADE / "pages" / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8")
    shutil.copytree(DOCS / "images", MADE / "images")
    write_word_index(manual.pages, manual.navigation.words, MADE / "pagefind")
    mark_up_to_date()
