"""`meetdeck template watch`: an author saves, and the page beside PowerPoint shows it, findings and pictures."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from pptx import Presentation

from meetdeck.present.render.renderer import find_office

_MILLISECONDS = 60_000


def _write(path: Path, *texts: str) -> None:
    """Save a template of a slide for each text as PowerPoint does: elsewhere, and renamed."""
    presentation: Any = Presentation()
    for number, text in enumerate(texts, start=1):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = f"Part {number}"
        slide.shapes.add_textbox(914400, 1828800, 6858000, 914400).text_frame.text = text
    beside = path.with_name("~save.tmp")
    presentation.save(beside)
    beside.replace(path)


@pytest.fixture
def watched(tmp_path: Path) -> Generator[tuple[Path, str]]:
    """Watch a template; return its file and the page's address."""
    template = tmp_path / "review.pptx"
    _write(template, "Dear {{customer}}", "Second", "Third", "{{typo")
    command = [sys.executable, "-m", "meetdeck", "template", "watch", str(template)]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as run:  # noqa: S603 - ours
        assert run.stdout is not None
        printed = (re.search(r"http://127\.0\.0\.1:\d+/[\w-]{20,}/", line) for line in run.stdout)
        address = next(found[0] for found in printed if found)
        yield template, address
        run.send_signal(signal.SIGINT)
        assert run.wait(20) == 0


@pytest.mark.thorough  # in parts: tests/unit/present/watching
@pytest.mark.skipif(find_office() is None, reason="LibreOffice is not installed")
def test_an_author_sees_each_save_and_keeps_the_place(watched: tuple[Path, str], page: Page) -> None:
    template, address = watched
    assert httpx.get(address.rstrip("/")[:-1] + "x/").status_code == 404
    assert httpx.get(address, headers={"Host": "rebound.example"}).status_code == 400
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(address)
    # A broken file: what is wrong, and no picture yet.
    expect(page.locator("#remarks .Error")).to_contain_text("is not closed", timeout=_MILLISECONDS)
    _write(template, "Dear {{customer}}", "Second", "Third", "End")
    pictures = page.locator("#slides img")
    expect(page.locator("#status")).to_contain_text("Up to date", timeout=_MILLISECONDS)
    expect(pictures).to_have_count(4)
    expect(page.locator("#remarks li")).to_have_count(0)
    pictures.last.scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    assert place > 0
    before = [picture.get_attribute("src") for picture in pictures.all()]
    _write(template, "Dear {{customer}}", "Second, and more", "Third", "{customer}}")
    remark = page.locator("#slides > li").last.locator(".Warning")
    expect(remark).to_contain_text("near-miss-tag", timeout=_MILLISECONDS)
    expect(page.locator("#status")).to_contain_text("Up to date", timeout=_MILLISECONDS)
    expect(pictures.nth(1)).not_to_have_attribute("src", str(before[1]))
    after = [picture.get_attribute("src") for picture in pictures.all()]
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False, True, False]
    assert page.evaluate("scrollY") == place
    # A file that breaks keeps the pictures, greyed.
    template.write_bytes(b"half a file")
    expect(page.locator("#status")).to_contain_text("pictures are those from before", timeout=_MILLISECONDS)
    expect(pictures).to_have_count(4)
    assert "grayscale" in page.evaluate("getComputedStyle(document.querySelector('img')).filter")
    assert problems == []
