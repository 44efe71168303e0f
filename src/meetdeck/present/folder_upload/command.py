"""Check or upload the files of a folder, one by one; a fault of one does not stop the others."""

import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from meetdeck.platform.settings import ServiceAccess
from meetdeck.present.deck import validate_template
from meetdeck.present.findings import as_result
from meetdeck.present.folder_upload.client import AccessRefused, TemplatesClient
from meetdeck.present.folder_upload.files import TemplateFile, read_folder
from meetdeck.present.folder_upload.results import FileResult, print_json, print_table
from meetdeck.present.render.handouts import installed_font_families
from meetdeck.present.render.typefaces import installed_typefaces

# Uploads or checks a file's content.
Handle = Callable[[TemplateFile, bytes], FileResult]


def check_folder(folder: Path, *, as_json: bool) -> bool:
    """Print all findings about the templates in a folder; return whether each could be uploaded. Raises SetupError."""
    return _go_through(folder, _check, as_json=as_json)


def upload_folder(folder: Path, access: ServiceAccess, category: str, *, as_json: bool) -> bool:
    """Upload the templates in a folder, print all findings, and return whether each was accepted. Raises SetupError."""
    with TemplatesClient(access) as uploads:
        return _go_through(folder, lambda file, content: uploads.upload(file, content, category), as_json=as_json)


def _go_through(folder: Path, handle: Handle, *, as_json: bool) -> bool:
    found = read_folder(folder)
    with _show_progress(len(found.files)) as show:
        results = list(_handle_each(found.files, handle, show))
    if as_json:
        print_json(results)
    else:
        print_table(results, found.others)
    return all(result.is_good for result in results)


def _handle_each(
    files: Iterable[TemplateFile], handle: Handle, show: Callable[[int, str], None]
) -> Iterator[FileResult]:
    no_access = ""
    for number, file in enumerate(files):
        show(number, file.shown)
        if no_access:
            yield FileResult(file.shown, file.name, "failed", problem="Not uploaded, see above.")
            continue
        try:
            yield _handle(file, handle)
        except AccessRefused as refusal:
            no_access = str(refusal)
            yield FileResult(file.shown, file.name, "failed", problem=no_access)


def _handle(file: TemplateFile, handle: Handle) -> FileResult:
    if file.rivals:
        others = ", ".join(file.rivals)
        problem = f"{others} would be the template {file.name!r}, too: rename all but one."
        return FileResult(file.shown, file.name, "refused", problem=problem)
    try:
        content = file.path.read_bytes()
    except OSError as error:
        return FileResult(file.shown, file.name, "failed", problem=f"The file cannot be read: {error.strerror}.")
    return handle(file, content)


def _check(file: TemplateFile, content: bytes) -> FileResult:
    findings = validate_template(content, installed_fonts=installed_font_families(), typefaces=installed_typefaces())
    outcome = "refused" if any(finding.type == "Error" for finding in findings) else "ready"
    return FileResult(file.shown, file.name, outcome, findings=[as_result(finding) for finding in findings])


@contextmanager
def _show_progress(total: int) -> Generator[Callable[[int, str], None]]:
    """Yield a function that takes the number of finished files and the current one; a terminal's stderr shows a bar."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty(), transient=True) as bars:
        task = bars.add_task("", total=total)
        yield lambda done, shown: bars.update(task, completed=done, description=escape(shown[-40:]))
