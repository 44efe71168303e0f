import sys
from pathlib import Path

import pytest

from meetdeck.platform.errors import SetupError
from meetdeck.present.render.renderer import (
    MissingRenderer,
    Office,
    RendererUnavailable,
    find_office,
    read_version,
)


@pytest.fixture
def soffice(tmp_path: Path) -> Path:
    path = tmp_path / "program" / "soffice.bin"
    path.parent.mkdir()
    path.touch()
    return path


@pytest.fixture
def python_with_uno(tmp_path: Path) -> Path:
    path = tmp_path / "python"
    path.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    path.chmod(0o755)
    return path


async def test_without_libreoffice_the_caller_reads_what_to_install() -> None:
    with pytest.raises(RendererUnavailable, match=r"apt-get install .*libreoffice-impress-nogui python3-uno"):
        await MissingRenderer().to_pdf(b"")


def test_the_office_tells_its_version(soffice: Path) -> None:
    soffice.write_text("#!/bin/sh\necho 'LibreOffice 26.2.1 abc'\necho\n", encoding="utf-8")
    soffice.chmod(0o755)
    assert read_version(Office(soffice, Path(sys.executable))) == "LibreOffice 26.2.1 abc"


def test_an_office_that_does_not_tell_its_version_is_unavailable(soffice: Path) -> None:
    with pytest.raises(RendererUnavailable, match="does not report its version"):
        read_version(Office(soffice, Path(sys.executable)))


def test_the_office_and_the_python_named_by_the_operator_are_taken(soffice: Path, python_with_uno: Path) -> None:
    assert find_office(soffice=soffice, python=python_with_uno) == Office(soffice, python_with_uno)


def test_the_wrapper_script_stands_for_the_binary_beside_it(soffice: Path, python_with_uno: Path) -> None:
    wrapper = soffice.with_name("soffice")
    wrapper.touch()
    assert find_office(soffice=wrapper, python=python_with_uno) == Office(soffice, python_with_uno)


def test_an_office_brings_its_own_python(soffice: Path, python_with_uno: Path) -> None:
    own = python_with_uno.rename(soffice.with_name("python"))
    assert find_office(soffice=soffice) == Office(soffice, own)


def test_an_office_that_is_not_where_the_operator_says_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="does not exist"):
        find_office(soffice=tmp_path / "soffice.bin")


def test_a_python_without_uno_is_an_error(soffice: Path) -> None:
    with pytest.raises(SetupError, match="cannot `import uno`"):
        find_office(soffice=soffice, python=Path(sys.executable))
