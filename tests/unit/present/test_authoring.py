"""`meetdeck template`: what an author reads at the terminal."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation

from meetdeck.platform.errors import SetupError
from meetdeck.present.authoring import check, convert, fill, print_expected_data
from support.drawn_slides import Drawn, draw

Write = Callable[..., Path]


@pytest.fixture
def write_template(tmp_path: Path) -> Write:
    """Write a template of one slide, `Goals`, with a text box of the given paragraphs and alternative text."""

    def write(*paragraphs: str, alt: str = "") -> Path:
        presentation: Any = Presentation()
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = "Goals"
        box = slide.shapes.add_textbox(0, 0, 914400, 914400)
        box.name = "Box"
        box.text_frame.text = "\n".join(paragraphs)
        box.element.xpath("./p:nvSpPr/p:cNvPr")[0].set("descr", alt)
        path = tmp_path / "review.pptx"
        presentation.save(path)
        return path

    return write


@pytest.fixture
def write_data(tmp_path: Path) -> Callable[[str], Path]:
    """Write the data's file."""

    def write(text: str) -> Path:
        path = tmp_path / "review.json"
        path.write_text(text)
        return path

    return write


def _shapes(path: Path) -> Any:
    presentation: Any = Presentation(io.BytesIO(path.read_bytes()))
    return presentation.slides[0].shapes


def test_check_prints_slides_and_data(write_template: Write, capsys: pytest.CaptureFixture[str]) -> None:
    template = write_template("{{customer.name}}", "{{#goals}}{{name}}{{/goals}}")
    assert check(template)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["Slides", "    1  Goals", ""]
    assert lines[3:7] == [
        "Data",
        "  customer.name  text       [Goals]",
        "  goals          list       [Goals]",
        "  goals[].name   text       [Goals]",
    ]
    assert lines[-1].startswith(f"{template}: ")
    assert "ready for decks" in "\n".join(lines[-2:])


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("{{hours * rate - discount | number:2}}", {"hours": "number", "rate": "number", "discount": "number"}),
        ("{{(rate | default:0) * 2}}", {"rate": "number"}),
        ("{{hours}} {{vat | percent}} {{fee | currency:EUR}}", {"hours": "text", "vat": "number", "fee": "number"}),
        ("{{#total > 100}}a{{/}} {{-change}}", {"total": "number", "change": "number"}),
        ("{{start | add:'1 day' | relative}} {{end | date:short}}", {"start": "date", "end": "date"}),
        ("{{#due < $today}}late{{/}}", {"due": "date"}),
        ("{{rows | sum:'value'}}", {"rows": "list", "rows[].value": "number"}),
        ("{{rows | max:'value' | currency:EUR}}", {"rows": "list", "rows[].value": "number"}),
        ("{{rows | max:'day' | date}} {{names | join}}", {"rows": "list", "rows[].day": "date", "names": "list"}),
        ("{{'a' if premium else 'b'}} {{#late = true}}x{{/}}", {"premium": "condition", "late": "condition"}),
        ("{{#rows}}{{price * count}}{{/rows}}", {"rows": "list", "rows[].price": "number", "rows[].count": "number"}),
        ("{{name | upper}} {{url | link}}", {"name": "text", "url": "text"}),
    ],
)
def test_check_prints_what_tags_make_of_a_value(
    write_template: Write, capsys: pytest.CaptureFixture[str], text: str, kinds: dict[str, str]
) -> None:
    assert check(write_template(text))
    lines = capsys.readouterr().out.partition("Data\n")[2].partition("\n\n")[0].splitlines()
    assert dict(line.split()[:2] for line in lines) == kinds


def test_check_prints_the_chapters_around_a_slide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    template = tmp_path / "goals.pptx"
    slides = [Drawn("A", "{{chapter:goals}}"), Drawn("B", "{{chapter:steps}}{{/}}{{/}}"), Drawn("C", hidden=True)]
    template.write_bytes(draw(slides))
    assert check(template)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:4] == [
        "    1  A  (chapter of goals)",
        "    2  B  (chapter of goals and steps)",
        "    3  C  (hidden)",
    ]


def test_check_names_every_error_with_its_place(write_template: Write, capsys: pytest.CaptureFixture[str]) -> None:
    template = write_template("{near}}", "{{#goals}}x", "{{amount | numbr}}")
    assert not check(template)
    text = capsys.readouterr().out
    assert "Error bad-filter, slide 'Goals', shape 'Box', paragraph 3\n  " in text
    assert "Error unclosed-block, slide 'Goals', shape 'Box', paragraph 2\n  " in text
    assert text.index("Error ") < text.index("Warning near-miss-tag, slide 'Goals', shape 'Box', paragraph 1")
    assert "2 Errors, 1 Warning; no deck can be built from it" in text
    assert "Slides\n" not in text


def test_check_says_a_suggestion_once(write_template: Write, capsys: pytest.CaptureFixture[str]) -> None:
    check(write_template("{near}}", "{{#a}}{{/b}}"))
    text = capsys.readouterr().out
    assert text.count("{{near}}") == 1
    assert "Did you mean {{/a}}?" in text


def test_data_fills_the_template(
    write_template: Write, write_data: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    template = write_template("{{customer.name}} {{amount | number:2}} {{day | date}}", "{{#goals}}{{name}}{{/goals}}")
    print_expected_data(template, "example")
    data = write_data(capsys.readouterr().out)
    fill(template, data, tmp_path / "deck.pptx")
    assert _shapes(tmp_path / "deck.pptx")[1].text_frame.text == "Name 1,234.50 Jan 31, 2026\nName\nName"
    assert capsys.readouterr().out.endswith("no findings.\n")


def test_a_deck_that_is_there_is_overwritten_only_when_asked(
    write_template: Write, write_data: Write, tmp_path: Path
) -> None:
    template, data, deck = write_template("{{a}}"), write_data("{}"), tmp_path / "deck.pptx"
    deck.write_bytes(b"somebody's work")
    with pytest.raises(SetupError, match=r"deck\.pptx already exists.*--force"):
        fill(template, data, deck)
    assert deck.read_bytes() == b"somebody's work"
    fill(template, data, deck, overwrite=True)
    assert deck.read_bytes().startswith(b"PK")


def test_the_schema_is_a_json_schema(write_template: Write, capsys: pytest.CaptureFixture[str]) -> None:
    print_expected_data(write_template("{{customer.name}}"), "schema")
    schema = json.loads(capsys.readouterr().out)
    assert schema["properties"]["customer"]["properties"].keys() == {"name"}


def test_fill_tells_of_missing_values(
    write_template: Write, write_data: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(write_template("{{a}}"), write_data("{}"), tmp_path / "deck.pptx")
    text = capsys.readouterr().out
    assert "Warning missing-value, slide 'Goals', shape 'Box', paragraph 1\n" in text
    assert text.endswith("1 Warning.\n")


def test_data_may_name_a_picture_that_lies_beside_it(write_template: Write, write_data: Write, tmp_path: Path) -> None:
    Image.new("RGB", (4, 2)).save(tmp_path / "house.png")
    template = write_template("x", alt="{{image:photo}}")
    fill(template, write_data('{"photo": "house.png"}'), tmp_path / "deck.pptx")
    box = _shapes(tmp_path / "deck.pptx")[1]
    (identifier,) = box.element.xpath(".//a:blip/@r:embed")
    assert box.part.related_part(identifier).blob == (tmp_path / "house.png").read_bytes()


@pytest.mark.parametrize("name", ["../house.png", "/house.png", "other.png", ".", "x" * 300])
def test_data_names_no_other_files(write_template: Write, write_data: Write, tmp_path: Path, name: str) -> None:
    (tmp_path.parent / "house.png").write_bytes(b"")
    template = write_template("x", alt="{{image:photo}}")
    with pytest.raises(SetupError, match="photo"):
        fill(template, write_data(json.dumps({"photo": name})), tmp_path / "deck.pptx")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1,\n "b": }', "line 2, column 7"),
        ("[1]", "begin with { and end with }"),
        ("", "line 1, column 1"),
        ('{"a": NaN}', "is not valid JSON"),
        ('{"a":' + "[" * 100_000, "nested too deeply"),
        ('{"a": [1]}', "The value at 'a' cannot fill {{a}}"),
    ],
)
def test_fill_says_what_is_wrong_with_the_data(
    write_template: Write, write_data: Write, tmp_path: Path, text: str, reason: str
) -> None:
    with pytest.raises(SetupError) as refusal:
        fill(write_template("{{a}}"), write_data(text), tmp_path / "deck.pptx")
    assert reason in str(refusal.value)
    assert not (tmp_path / "deck.pptx").exists()


def test_data_that_are_not_utf_8_are_refused(write_template: Write, tmp_path: Path) -> None:
    (tmp_path / "review.json").write_bytes(b'{"a": "\xe6"}')
    with pytest.raises(SetupError, match="UTF-8"):
        fill(write_template("{{a}}"), tmp_path / "review.json", tmp_path / "deck.pptx")


def test_a_byte_order_mark_does_no_harm(write_template: Write, write_data: Write, tmp_path: Path) -> None:
    fill(write_template("{{a}}"), write_data('\ufeff{"a": "æ"}'), tmp_path / "deck.pptx")
    assert _shapes(tmp_path / "deck.pptx")[1].text_frame.text == "æ"


def test_a_template_with_errors_is_not_filled(
    write_template: Write, write_data: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    template = write_template("{{a")
    with pytest.raises(SetupError, match="1 Error"):
        fill(template, write_data("{}"), tmp_path / "deck.pptx")
    with pytest.raises(SetupError, match="1 Error"):
        print_expected_data(template, "example")
    assert "Error unclosed-tag" in capsys.readouterr().err


def test_files_that_are_not_there_are_named(write_template: Write, write_data: Write, tmp_path: Path) -> None:
    data = write_data("{}")
    with pytest.raises(SetupError, match=r"nowhere\.pptx cannot be read: No such file"):
        check(tmp_path / "nowhere.pptx")
    with pytest.raises(SetupError, match=r"deck\.pptx cannot be written: No such file"):
        fill(write_template("x"), data, tmp_path / "folder/deck.pptx")


def test_convert_prints_what_would_change_and_writes_nothing(
    write_template: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    template = write_template("Dear [tag:name:uppercase]", "[tag:name:Trim] [1]")
    before = template.read_bytes()
    convert(template, "braces", None)
    assert capsys.readouterr().out.splitlines() == [
        "slide 'Goals', shape 'Box', paragraph 1",
        "  [tag:name:uppercase] becomes {{name | upper}}",
        "",
        "slide 'Goals', shape 'Box', paragraph 2",
        "  [tag:name:Trim] stays: the modifier does not exist.",
        "",
        f"{template}: 1 tag would change, 1 stays. Nothing was written: name a file with --output.",
    ]
    assert template.read_bytes() == before


def test_convert_writes_a_template_and_overwrites_none_unasked(
    write_template: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    template, output = write_template("{{name}} {{amount | number}}", alt="{{if:name}}"), tmp_path / "converted.pptx"
    convert(template, "brackets", output)
    assert capsys.readouterr().out.splitlines() == [
        "slide 'Goals', shape 'Box', paragraph 1",
        "  {{name}} becomes [tag:name]",
        "",
        "slide 'Goals', shape 'Box', alternative text",
        "  {{if:name}} stays: square brackets have no if.",
        "",
        "slide 'Goals', shape 'Box', paragraph 1",
        "  {{amount | number}} stays: square brackets have no number.",
        "",
        f"{output}: 1 tag changed, 2 stay.",
    ]
    assert _shapes(output)[1].text_frame.text == "[tag:name] {{amount | number}}"
    with pytest.raises(SetupError, match="Choose another file"):
        convert(template, "brackets", output)
    convert(template, "brackets", output, overwrite=True)


def test_convert_refuses_what_is_no_presentation(tmp_path: Path) -> None:
    path = tmp_path / "none.pptx"
    path.write_bytes(b"none")
    with pytest.raises(SetupError, match="cannot be a template: 1 Error"):
        convert(path, "braces", None)


def test_a_slide_of_another_template_is_taken_from_the_file_beside(
    write_template: Write, write_data: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = write_template("{{customer}}").rename(tmp_path / "Common.potx")
    template = write_template()
    presentation: Any = Presentation(str(template))
    title = presentation.slides[0].shapes.title
    title.element.nvSpPr.cNvPr.set("descr", '{{slide:Goals from="Common"}}')
    presentation.save(template)
    assert check(template)
    assert "customer  text" in capsys.readouterr().out
    fill(template, write_data('{"customer": "Ann"}'), tmp_path / "deck.pptx")
    assert [shape.text_frame.text for shape in _shapes(tmp_path / "deck.pptx")][1] == "Ann"
    common.unlink()
    assert check(template)
    assert "shared-slide-missing" in capsys.readouterr().out
    with pytest.raises(SetupError, match="'Common'"):
        fill(template, write_data("{}"), tmp_path / "deck.pptx", overwrite=True)
