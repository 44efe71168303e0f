"""Uploading templates: the findings are shown before any file becomes a template."""

from http import HTTPStatus
from pathlib import PurePath
from typing import Final, NamedTuple
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.datastructures import UploadFile

from meetdeck.pages.console.kit import ApiRefusal, ConsoleController, ConsolePage, CurrentForm, CurrentPage, SentForm
from meetdeck.pages.console.slide_templates import listing as templates
from meetdeck.pages.console.slide_templates.contents import store_file
from meetdeck.pages.console.slide_templates.listing import Finding

MOST_BYTES: Final = 512 * 1024 * 1024
_MOST_FILES: Final = 20


class CheckedFile(NamedTuple):
    """A file that was sent, with its findings; without an id it cannot become a template."""

    file_name: str
    name: str
    customer_type: str
    content_id: str
    findings: list[Finding]
    exists: bool
    fault: str = ""

    @property
    def has_errors(self) -> bool:
        """Return whether no deck can be built from the file."""
        return not self.content_id or any(finding.type == "Error" for finding in self.findings)


class TemplateUploads(ConsoleController):
    """Uploads of templates, in two steps."""

    path = "/console/templates/upload"
    request_max_body_size = MOST_BYTES

    @get()
    async def show_form(self, page: CurrentPage) -> Response[bytes]:
        """Show the field for files."""
        return page.show("template-upload.html")

    @post("/check", status_code=HTTPStatus.OK)
    async def check(self, form: CurrentForm) -> Response[bytes]:
        """Show the findings in the files that were sent; nothing has become a template yet."""
        page, files = form.page, form.list_files("files")
        if not files:
            return _refuse(page, page.texts.translate("Choose a PowerPoint file."))
        if len(files) > _MOST_FILES:
            return _refuse(page, page.texts.translate("Send at most {number} files at once.", number=_MOST_FILES))
        known = {one.name: one for one in await templates.list_templates(page.api)}
        wanted = form.get("name")
        checked: list[CheckedFile] = []
        for file in files:
            name = wanted if wanted and len(files) == 1 else PurePath(file.filename).stem
            customer_type = known[name].customer_type if name in known else ""
            one = CheckedFile(file.filename, name, customer_type, "", [], name in known)
            checked.append(await _check(page, one, file))
        return page.show("template-check.html", files=checked)

    @post("/store", status_code=HTTPStatus.SEE_OTHER)
    async def store(self, form: CurrentForm) -> Response[bytes]:
        """Make the checked files templates; refused ones are shown again."""
        page = form.page
        stored: list[str] = []
        refused: list[CheckedFile] = []
        errors: list[tuple[str, str]] = []
        for one in _read_checked(form):
            try:
                await page.api.send(
                    "POST",
                    templates.PATH,
                    {"name": one.name, "category": one.customer_type, "contentId": one.content_id},
                )
            except ApiRefusal as error:
                faults = [fault.detail for fault in error.faults] or [error.detail]
                refused.append(one._replace(fault=" ".join(faults)))
                errors += [(f"name-{len(refused)}", f"{one.file_name}: {fault}") for fault in faults]
            else:
                stored.append(one.name)
        if refused:
            return page.show(
                "template-check.html", HTTPStatus.UNPROCESSABLE_ENTITY, files=refused, errors=errors, stored=stored
            )
        return page.lead_to(f"templates?{urlencode({'stored': stored}, doseq=True)}")


def _refuse(page: ConsolePage, fault: str) -> Response[bytes]:
    return page.show("template-upload.html", HTTPStatus.UNPROCESSABLE_ENTITY, errors=[("files", fault)])


async def _check(page: ConsolePage, checked: CheckedFile, file: UploadFile) -> CheckedFile:
    """Return a file with its findings; it is kept for a day, so that it need not be sent twice."""
    try:
        stored = await store_file(page.api, checked.file_name, await file.read())
        found = await page.api.send("POST", f"{templates.PATH}/validation", {"contentId": str(stored.content_id)})
    except ApiRefusal as refused:
        return checked._replace(fault=" ".join(fault.detail for fault in refused.faults) or refused.detail)
    return checked._replace(content_id=str(stored.content_id), findings=found.read(list[Finding]))


def _read_checked(form: SentForm) -> list[CheckedFile]:
    """Return the files of the second step that should become templates."""
    chosen = set(form.list_all("chosen"))
    lists = zip(
        form.list_all("content"), form.list_all("file"), form.list_all("name"), form.list_all("type"), strict=False
    )
    return [
        CheckedFile(file_name, name.strip(), customer_type.strip(), content_id, [], exists=False)
        for content_id, file_name, name, customer_type in lists
        if content_id in chosen
    ]
