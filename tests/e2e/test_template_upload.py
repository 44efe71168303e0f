"""`meetdeck template upload` as a firm's IT runs it, against a service that runs."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from support.installation import Installation
from support.terminals import Terminal


def _write_template(path: Path, text: str) -> None:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, 914400, 914400).text_frame.text = text
    packed = io.BytesIO()
    presentation.save(packed)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(packed.getvalue())


def do_nothing(*_: object) -> None:
    """Stand in for handlers of signals, of which a thread has none."""


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    """Lend a command line in this process, which starts at once."""
    monkeypatch.setattr("signal.signal", do_nothing)
    return Terminal(monkeypatch, capsys)


@pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")
async def test_a_folder_of_templates_is_uploaded_and_uploaded_again(
    running: Installation, terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (
        ("Welcome.pptx", "Dear [tag:customer.name:title]"),
        ("Reviews/Rådgivning.potx", "Dear {{name}}"),
        ("Reviews/Broken.pptx", "[tag:name:Uppercase]"),
    ):
        _write_template(tmp_path / "templates" / name, text)
    folder = str(tmp_path / "templates")

    status, out, err = await terminal.run("template", "upload", folder, "--url", running.address)
    assert (status, out) == (1, "")
    assert "MEETDECK_KEY" in err

    tenant = json.loads((running.data_dir / "dev-credentials.json").read_text(encoding="utf-8"))["tenants"][0]
    credentials = {
        "MEETDECK_URL": running.address,
        "MEETDECK_KEY": tenant["subscriptionKey"],
        "MEETDECK_CLIENT_ID": tenant["clients"][0]["clientId"],
        "MEETDECK_CLIENT_SECRET": tenant["clients"][0]["clientSecret"],
    }
    for name, value in credentials.items():
        monkeypatch.setenv(name, value)
    status, out, err = await terminal.run("template", "upload", folder, "--category", "Private")
    assert status == 1
    assert "did you mean 'uppercase'?" in out
    assert out.splitlines()[-1].startswith("3 files: 2 new, 1 refused; 1 Error")
    assert tenant["subscriptionKey"] not in out + err

    _write_template(tmp_path / "templates/Reviews/Broken.pptx", "[tag:name:uppercase]")
    status, out, err = await terminal.run("template", "upload", folder, "--json")
    assert status == 0, err
    results = json.loads(out)
    assert results["counts"] == {"new": 1, "replaced": 2}
    assert [(one["name"], one["outcome"], one["revision"]) for one in results["files"]] == [
        ("Broken", "new", 1),
        ("Rådgivning", "replaced", 2),
        ("Welcome", "replaced", 2),
    ]

    monkeypatch.setenv("MEETDECK_KEY", "wrong")
    status, out, _ = await terminal.run("template", "upload", folder, "--json")
    assert status == 1
    assert json.loads(out)["counts"] == {"failed": 3}
