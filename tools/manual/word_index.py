"""The index of words that pages search in the browser, made by Pagefind: files alone, and no server."""

import asyncio
from collections.abc import Mapping
from html import escape
from pathlib import Path

from pagefind.index import IndexConfig, PagefindIndex
from tools.manual.pages import SEARCH

from meetdeck.pages.manual.links import HOME

_LISTS = frozenset({HOME, SEARCH})
"""Pages that only list others."""
_WEIGHTS = {"reference/api-v2/": "0.1", "reference/api-v3/": "0.4"}
_LOADED = frozenset({"pagefind-entry.json", "pagefind-worker.js"})
"""The files beside pagefind.js that it loads; the rest is an interface of Pagefind's own."""


def write_word_index(pages: Mapping[str, str], words: Mapping[str, str], folder: Path) -> None:
    """Write the index of all pages into a folder; `words` are found in a page though it does not have them."""
    searched = {name: _weigh(name, html, words.get(name, "")) for name, html in pages.items() if name not in _LISTS}
    asyncio.run(_write(searched, folder))
    for path in folder.glob("pagefind-*"):
        if path.name not in _LOADED:
            path.unlink()


def _weigh(name: str, html: str, words: str) -> str:
    """Return a page as it is searched: reference pages count less than those that explain, version 2 least."""
    weight = next((weight for prefix, weight in _WEIGHTS.items() if name.startswith(prefix)), "1")
    html = html.replace(
        "<article data-pagefind-body", f'<article data-pagefind-body data-pagefind-weight="{weight}"', 1
    )
    return html.replace("</h1>", f'</h1><p data-pagefind-weight="5">{escape(words)}</p>', 1) if words else html


async def _write(pages: Mapping[str, str], folder: Path) -> None:
    config = IndexConfig(force_language="en", include_characters="_-.{}#@", output_path=str(folder))
    async with PagefindIndex(config) as index:  # which writes the files in the end
        for name, html in pages.items():
            await index.add_html_file(content=html, url=name)
