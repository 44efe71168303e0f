"""Fixtures of the tests of slides' pictures: an application whose renderer counts what it draws."""

import pytest

from support.renderers import BlankPages


@pytest.fixture
def renderer() -> BlankPages:
    return BlankPages(pages=30)
