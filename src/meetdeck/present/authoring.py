"""Templates at the author's desk, without a server: check one, see what data it wants, fill it."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from meetdeck.platform.errors import SetupError
from meetdeck.present.deck import (
    DeckError,
    Finding,
    Template,
    TemplateError,
    compile_template,
    validate_template,
    whole_deck,
)
from meetdeck.present.render.handouts import installed_font_families


def check(template: Path) -> bool:
    """Print what a template holds and every finding; tell whether decks can be built from it."""
    content = _read(template)
    findings = validate_template(content, installed_fonts=installed_font_families())
    usable = not any(finding.type == "Error" for finding in findings)
    if usable:
        _print_contents(compile_template(content))
    _print_findings(findings)
    counts = {kind: sum(finding.type == kind for finding in findings) for kind in ("Error", "Warning", "Info")}
    summary = ", ".join(f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in counts.items())
    print(f"{template}: {summary}. {'Ready for decks.' if usable else 'No deck can be built from it.'}")
    return usable


def print_wanted_data(template: Path, form: Literal["example", "schema"]) -> None:
    """Print data that fills every tag of a template, or the JSON Schema of its data. Raises SetupError."""
    compiled = _compile(template)
    wanted = compiled.example if form == "example" else compiled.schema
    print(msgspec.json.format(msgspec.json.encode(wanted), indent=2).decode())


def fill(template: Path, data: Path, output: Path) -> None:
    """Fill all slides of a template with one JSON document and write the deck. Raises SetupError."""
    try:
        document = msgspec.json.decode(_read(data), type=dict[str, object])
    except msgspec.DecodeError as error:
        raise SetupError(f"{data} is no JSON object: {error}.") from None
    try:
        deck = whole_deck(_compile(template), document)
    except DeckError as error:
        raise SetupError(str(error)) from None
    try:
        output.write_bytes(deck.content)
    except OSError as error:
        raise SetupError(f"{output} cannot be written: {error.strerror}.") from None
    _print_findings(deck.findings)
    print(f"{output}: {len(deck.content):,} bytes.")


def _compile(template: Path) -> Template:
    try:
        return compile_template(_read(template))
    except TemplateError as error:
        _print_findings(error.findings, to_stderr=True)
        raise SetupError(f"{template} cannot be a template: {error}") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}.") from None


def _print_contents(template: Template) -> None:
    print("Slides")
    for slide in template.slides:
        notes = ", ".join(text for text in (slide.section, "hidden" if slide.hidden else None) if text)
        print(f"  {slide.index:>3}  {slide.name}{f'  ({notes})' if notes else ''}")
    if template.tags:
        print("Tags")
    for tag in template.tags:
        slides = ", ".join(dict.fromkeys(occurrence.slide for occurrence in tag.occurrences if occurrence.slide))
        print(f"  {tag.name}  [{tag.type}]  {slides}{f': {tag.description}' if tag.description else ''}")


def _print_findings(findings: Iterable[Finding], *, to_stderr: bool = False) -> None:
    for finding in findings:
        print(
            f"{finding.type}  {finding.code}  {_where(finding.location, finding.details)}{finding.message}",
            file=sys.stderr if to_stderr else sys.stdout,
        )


def _where(slide: str, details: Mapping[str, str | int]) -> str:
    places = [f"slide '{slide}'"] if slide else []
    if details.get("shape"):
        places.append(f"shape '{details['shape']}'")
    if details.get("paragraph"):
        places.append(f"paragraph {details['paragraph']}")
    return f"{', '.join(places)}: " if places else ""
