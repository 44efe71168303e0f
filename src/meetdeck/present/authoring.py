"""Commands for template authors, without a server: check a template, print its fields, fill it, convert its tags."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, Literal

import msgspec

from meetdeck.platform.errors import SetupError
from meetdeck.platform.process.clock import now
from meetdeck.present.deck import (
    Change,
    DeckError,
    Finding,
    SharedTemplate,
    Spelling,
    TagInfo,
    Template,
    TemplateError,
    TemplateFile,
    compile_template,
    convert_template,
    share_slides,
    validate_template,
    whole_deck,
)
from meetdeck.present.render.handouts import installed_font_families
from meetdeck.present.render.svg import SvgDrawer
from meetdeck.present.render.typefaces import installed_typefaces

_SEVERITIES: Final = ("Error", "Warning", "Info")
_SUFFIXES: Final = (".pptx", ".potx", ".ppsx")
_MOST_NAMED: Final = 2
_LONGEST_FILE_NAME: Final = 255


def check(template: Path) -> bool:
    """Print a template's contents and all findings; return whether decks can be built from it. Raises SetupError."""
    content = read_file(template)
    findings = validate_template(content, installed_fonts=installed_font_families(), typefaces=installed_typefaces())
    usable = not any(finding.type == "Error" for finding in findings)
    if usable:
        shared = share_beside(template, TemplateFile(content, compile_template(content)))
        _print_contents(shared.template)
        findings += shared.findings
    _print_findings(findings)
    verdict = "ready for decks" if usable else "no deck can be built from it; fix the Errors first"
    print(f"{template}: {_count(findings)}; {verdict}.")
    if findings:
        print("docs/templates/findings.md says what each code means and what to do.")
    return usable


def print_expected_data(template: Path, form: Literal["example", "schema"]) -> None:
    """Print data that fills every tag of a template, or the JSON Schema of its data. Raises SetupError."""
    compiled = _compile(template)
    document = compiled.example if form == "example" else compiled.schema
    print(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())


def fill(template: Path, data: Path, output: Path, *, overwrite: bool = False) -> None:
    """Fill all slides of a template with one JSON document and write the deck. Raises SetupError.

    An existing file is replaced only with `overwrite`. The document may name pictures by their files, relative to its
    own folder.
    """
    document, compiled = read_document(data), _compile(template)
    try:
        deck = whole_deck(
            compiled,
            document,
            contents=FilesBeside(data.parent),
            typefaces=installed_typefaces(),
            drawer=SvgDrawer(),
            today=now().date(),
        )
    except DeckError as error:
        raise SetupError(str(error)) from None
    _write(output, deck.content, overwrite=overwrite)
    _print_findings(deck.findings)
    print(f"{output}: {len(deck.content):,} bytes; {_count(deck.findings)}.")


def convert(template: Path, to: Spelling, output: Path | None, *, overwrite: bool = False) -> None:
    """Print the changes when a template's tags are converted to the other spelling, and write it. Raises SetupError.

    Without `output` nothing is written; an existing file is replaced only with `overwrite`.
    """
    try:
        converted = convert_template(read_file(template), to)
    except TemplateError as error:
        raise _refuse(template, error) from None
    changed = [change for change in converted.changes if change.text]
    stays = [change for change in converted.changes if not change.text]
    for change in changed:
        print(f"{_where_of(change)}\n  {change.source} becomes {change.text}\n")
    for change in stays:
        print(f"{_where_of(change)}\n  {change.source} stays: {change.reason}.\n")
    tags = f"{len(changed)} tag{'' if len(changed) == 1 else 's'}"
    kept = f", {len(stays)} stay{'s' if len(stays) == 1 else ''}" if stays else ""
    if output is None:
        print(f"{template}: {tags} would change{kept}. Nothing was written: name a file with --output.")
        return
    _write(output, converted.content, overwrite=overwrite)
    print(f"{output}: {tags} changed{kept}.")


def _where_of(change: Change) -> str:
    """Return a tag's place: slide, shape and paragraph, and the kind of place when it is not a slide's text."""
    place = change.place
    details = {"shape": place.shape, "paragraph": place.paragraph}
    where = _where(change.slide, details).removeprefix(", ")
    return where if place.part == "slide" else ", ".join(filter(None, (where, place.part)))


def _write(output: Path, content: bytes, *, overwrite: bool) -> None:
    try:
        with output.open("wb" if overwrite else "xb") as file:
            file.write(content)
    except FileExistsError:
        raise SetupError(
            f"{output} already exists. Choose another file with --output, or overwrite it with --force."
        ) from None
    except OSError as error:
        raise SetupError(f"{output} cannot be written: {error.strerror}.") from None


class FilesBeside(Mapping[str, bytes]):
    """The files in a folder, by name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __getitem__(self, name: str) -> bytes:
        # Most requests are for base64.
        if len(name) > _LONGEST_FILE_NAME or Path(name).name != name or not (self._folder / name).is_file():
            raise KeyError(name)
        return read_file(self._folder / name)

    def __iter__(self) -> Iterator[str]:
        return (path.name for path in self._folder.iterdir() if path.is_file())

    def __len__(self) -> int:
        return sum(1 for _ in self)


def read_document(path: Path) -> dict[str, object]:
    """Return the data of a JSON file. Raises SetupError, with the place of the fault."""
    try:
        # Windows puts a byte order mark before a text.
        text = read_file(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SetupError(f"{path} is not in UTF-8; save it as UTF-8.") from None
    try:
        return msgspec.json.decode(text, type=dict[str, object])
    except msgspec.ValidationError:
        raise SetupError(f"{path} contains no JSON object: it must begin with {{ and end with }}.") from None
    except msgspec.DecodeError as error:
        raise SetupError(f"{path} is not valid JSON: {_find_fault(text) or error}.") from None
    except RecursionError:
        raise SetupError(f"{path} is nested too deeply.") from None


def _find_fault(text: str) -> str:
    """Return the line of a text's first JSON fault in words; empty when only msgspec, which is stricter, finds one."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    return ""


def _compile(template: Path) -> Template:
    """Return a compiled template, with the slides that it refers to in templates of the same folder."""
    return share_beside(template, _compile_alone(template)).template


def _compile_alone(template: Path) -> TemplateFile:
    content = read_file(template)
    try:
        return TemplateFile(content, compile_template(content))
    except TemplateError as error:
        raise _refuse(template, error) from None


def share_beside(template: Path, file: TemplateFile) -> SharedTemplate:
    """Return a template with the slides that it refers to: those of `Common` are in `Common.pptx` in the same folder.

    Raises SetupError if such a file is not a template, or the result is too large for one.
    """
    if not file.template.references:
        return SharedTemplate(file.template, (), {}, {}, ())
    files = {template.stem: file}
    wanted = [reference.template for reference in file.template.references]
    for name in wanted:
        path = _find_beside(template, name)
        if name not in files and path is not None:
            files[name] = _compile_alone(path)
            wanted += [reference.template for reference in files[name].template.references]
    try:
        return share_slides(file, files)
    except DeckError as error:
        raise SetupError(str(error)) from None


def list_beside(template: Path, compiled: Template) -> tuple[Path, ...]:
    """Return the existing files of the templates that a template itself refers to."""
    paths = (_find_beside(template, reference.template) for reference in compiled.references)
    return tuple(dict.fromkeys(path for path in paths if path))


def _find_beside(template: Path, name: str) -> Path | None:
    paths = (template.with_name(f"{name}{suffix}") for suffix in _SUFFIXES if Path(name).name == name)
    return next((path for path in paths if path.is_file()), None)


def _refuse(template: Path, error: TemplateError) -> SetupError:
    _print_findings(error.findings, to_stderr=True)
    return SetupError(f"{template} cannot be a template: {_count(error.findings)}. Fix the Errors above first.")


def read_file(path: Path) -> bytes:
    """Return a file's bytes. Raises SetupError."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}.") from None


def _print_contents(template: Template) -> None:
    print("Slides")
    for slide in template.slides:
        chapters = f"chapter of {' and '.join(slide.chapters)}" if slide.chapters else None
        notes = ", ".join(text for text in (slide.section, chapters, "hidden" if slide.hidden else None) if text)
        print(f"  {slide.index:>3}  {slide.name}{f'  ({notes})' if notes else ''}")
    if template.tags:
        print("\nData")
    width = max((len(tag.name) for tag in template.tags), default=0)
    for tag in template.tags:
        print(f"  {tag.name:<{width}}  {tag.kind:<9}  {_describe(tag)}")
    print()


def _describe(tag: TagInfo) -> str:
    """Return a tag's description and its slides."""
    slides = list(dict.fromkeys(occurrence.slide for occurrence in tag.occurrences if occurrence.slide))
    named = ", ".join(slides[:_MOST_NAMED])
    more = f" and {len(slides) - _MOST_NAMED} more" if len(slides) > _MOST_NAMED else ""
    where = f"[{named}{more}]" if slides else "[all slides]" if tag.occurrences else "[no slide]"
    return f"{tag.description}  {where}" if tag.description else where


def _count(findings: Iterable[Finding]) -> str:
    """Return the number of findings, as in `1 Error, 2 Warnings`."""
    counts = Counter(finding.type for finding in findings)
    named = (f"{counts[kind]} {kind}{'' if counts[kind] == 1 else 's'}" for kind in _SEVERITIES if counts[kind])
    return ", ".join(named) or "no findings"


def _print_findings(findings: Iterable[Finding], *, to_stderr: bool = False) -> None:
    """Print each finding, Errors first: its code and location, then its message."""
    for finding in sorted(findings, key=lambda finding: _SEVERITIES.index(finding.type)):
        suggestion = str(finding.details.get("suggestion", ""))
        is_named = suggestion in finding.message or "did you mean" in finding.message
        hint = "" if is_named else f" Did you mean {suggestion}?"
        print(
            f"{finding.type} {finding.code}{_where(finding.location, finding.details)}\n  {finding.message}{hint}\n",
            file=sys.stderr if to_stderr else sys.stdout,
        )


def _where(slide: str, details: Mapping[str, str | int]) -> str:
    places = [f"slide '{slide}'"] if slide else []
    if details.get("shape"):
        places.append(f"shape '{details['shape']}'")
    if details.get("paragraph"):
        places.append(f"paragraph {details['paragraph']}")
    return f", {', '.join(places)}" if places else ""
