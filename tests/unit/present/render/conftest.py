"""A small deck to break."""

import io
import zipfile
from collections.abc import Callable

import pytest

from meetdeck.present.render.warmup import warmup_deck


@pytest.fixture
def deck_with() -> Callable[[dict[str, str | bytes]], bytes]:
    """Make the one-slide deck with some parts written over, or added."""

    def make(parts: dict[str, str | bytes]) -> bytes:
        packed = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(warmup_deck())) as source:
            whole: dict[str, str | bytes] = {name: source.read(name) for name in source.namelist()} | parts
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
            for name, content in whole.items():
                target.writestr(name, content)
        return packed.getvalue()

    return make
