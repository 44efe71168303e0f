"""`meetdeck docs export`: files with relative links alone, each of which leads to one of them."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from meetdeck.pages.manual import made
from meetdeck.pages.manual.export import export_manual
from meetdeck.platform.errors import NotFound, SetupError

_LINK = re.compile(r'(?:href|src|data-manual)="([^"#?]+)')


def test_each_link_of_the_exported_pages_leads_to_a_file_of_them(tmp_path: Path) -> None:
    if not made.is_made():
        pytest.skip("the manual is not made: scripts/setup.sh test")
    folder = tmp_path / "manual"
    assert export_manual(folder) == len(list(folder.rglob("*.html"))) > 100
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        links = {unquote(link) for link in _LINK.findall(text) if not link.startswith("http")}
        assert links
        assert [link for link in links if not (page.parent / link).is_file()] == [], page
        assert "manual:" not in text
        assert "API page</a>" not in text
    style = next((folder / "files").glob("manual-*.css")).read_text(encoding="utf-8")
    fonts = re.findall(r'url\("([^"]+\.woff2)"\)', style)
    assert fonts
    assert all((folder / "files" / font).is_file() for font in fonts)


@pytest.mark.parametrize("name", ["../digest", "/etc/passwd", "a/../../digest", ".hidden", "a\0b", ""])
def test_files_outside_of_the_made_folders_are_not_found(name: str) -> None:
    with pytest.raises(NotFound):
        made.find_file("images", name)


def test_a_folder_with_other_files_is_left_alone_unless_it_is_forced(tmp_path: Path) -> None:
    if not made.is_made():
        pytest.skip("the manual is not made: scripts/setup.sh test")
    (tmp_path / "mine.txt").touch()
    with pytest.raises(SetupError, match="is not empty"):
        export_manual(tmp_path)
    export_manual(tmp_path, overwrite=True)
    assert (tmp_path / "index.html").is_file()


def test_an_installation_without_a_manual_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "MADE", tmp_path)
    with pytest.raises(SetupError, match=r"scripts/setup\.sh run"):
        export_manual(tmp_path / "manual")
