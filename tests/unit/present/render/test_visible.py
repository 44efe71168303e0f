from pathlib import Path

import pytest

from meetdeck.present.render.visible import list_fonts, list_visible


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Lend a folder of fonts that fontconfig is told of, with one folder and one file linked in, and a broken link."""
    for name in ("told", "cache", "brand", "usual"):
        (tmp_path / name).mkdir()
    (tmp_path / "brand" / "Brand.ttf").touch()
    (tmp_path / "single.otf").touch()
    (tmp_path / "told" / "brand").symlink_to(tmp_path / "brand")
    (tmp_path / "usual" / "deeper").mkdir()
    (tmp_path / "usual" / "deeper" / "single.otf").symlink_to(tmp_path / "single.otf")
    (tmp_path / "usual" / "loop").symlink_to(tmp_path / "usual" / "loop")
    return tmp_path


def fontconfig(place: Path, settings: str) -> Path:
    folder = place / "fonts"
    (folder / "conf.d").mkdir(parents=True)
    main = folder / "fonts.conf"
    main.write_text(f"<fontconfig>{settings}<include>conf.d</include></fontconfig>", encoding="utf-8")
    return main


def test_fonts_are_seen_where_fontconfig_is_told_of_them_and_by_links(place: Path) -> None:
    main = fontconfig(place, f"<cachedir>{place}/cache</cachedir><dir>/</dir><dir>~/.fonts</dir>")
    told = main.parent / "conf.d" / "10-brand.conf"
    told.write_text(f"<fontconfig><dir> {place}/told </dir></fontconfig>", encoding="utf-8")
    (main.parent / "conf.d" / "99-broken.conf").write_text("<fontconfig>", encoding="utf-8")
    found = list_fonts(main, [str(place / "usual")])
    assert {str(place / name) for name in ("cache", "told", "usual", "brand", "single.otf")} <= found
    assert str(told) in found
    assert "/" not in found
    assert not any("~" in path for path in found)


def test_settings_that_include_each_other_come_to_an_end(place: Path) -> None:
    main = fontconfig(place, "<include>fonts.conf</include><include ignore_missing='yes'>missing.conf</include>")
    assert str(main) in list_fonts(main, [])


@pytest.mark.parametrize(
    ("soffice", "shown"),
    [
        ("/opt/libreoffice24.8/program/soffice.bin", "/opt/libreoffice24.8"),
        ("/srv/soffice.bin", "/srv/soffice.bin"),
        ("/soffice.bin", "/soffice.bin"),
    ],
)
def test_libreoffice_is_seen_and_nothing_beside_it(soffice: str, shown: str) -> None:
    found = list_visible(Path(soffice))
    assert shown in found
    assert not {"/", "/srv", "/opt", "/home", "/tmp", "/var", "/etc", "/usr", "/proc"} & set(found)  # noqa: S108
