"""The index of words that pages search in the browser, made by Pagefind: files alone, and no server."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from pagefind.index import IndexConfig, PagefindIndex
from tools.manual.pages import SEARCH

from meetdeck.pages.manual.links import HOME

_LISTS = frozenset({HOME, SEARCH})
"""Pages that only list others."""
_LOADED = frozenset({"pagefind-entry.json", "pagefind-worker.js"})
"""The files beside pagefind.js that it loads; the rest is an interface of Pagefind's own."""


def write_word_index(pages: Mapping[str, str], folder: Path) -> None:
    """Write the index of all pages into a folder."""
    asyncio.run(_write(pages, folder))
    for path in folder.glob("pagefind-*"):
        if path.name not in _LOADED:
            path.unlink()


async def _write(pages: Mapping[str, str], folder: Path) -> None:
    config = IndexConfig(force_language="en", include_characters="_-.{}#@", output_path=str(folder))
    async with PagefindIndex(config) as index:  # which writes the files in the end
        for name, html in pages.items():
            if name not in _LISTS:
                await index.add_html_file(content=html, url=name)
