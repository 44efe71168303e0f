"""Memory that a process takes for the deck engine: modules that few decks need are not loaded before those."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

# 1 to 12 MB each: OpenSSL, Markdown, pictures, codes, the network.
_SELDOM_NEEDED = ("_hashlib", "markdown_it", "PIL", "numpy", "segno", "ssl", "http", "email")
_FIND_LOADED = f"import sys; print([name for name in {_SELDOM_NEEDED} if name in sys.modules])"
_MAKE_DECK = """\
import sys
from pathlib import Path
from meetdeck.present.deck import compile_template, whole_deck
template = compile_template(Path(sys.argv[1]).read_bytes())
assert template.tags, "there is no tag"
whole_deck(template, {"amount": 1234.5})
"""


def _run(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603 - our own code


def test_a_plain_deck_loads_nothing_that_few_decks_need(text_template: Callable[[str], bytes], tmp_path: Path) -> None:
    template = tmp_path / "template.pptx"
    template.write_bytes(text_template("<a:p><a:r><a:t>{{amount | number:2}}</a:t></a:r></a:p>"))
    assert _run(_MAKE_DECK + _FIND_LOADED, str(template)) == "[]"


@pytest.mark.thorough
def test_a_service_loads_markdown_before_it_forks_workers() -> None:
    assert "'markdown_it'" in _run("import meetdeck.worker; " + _FIND_LOADED)
