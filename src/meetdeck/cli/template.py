"""Deck templates: `meetdeck template check | data | fill | watch | convert | upload`."""

import sys
from pathlib import Path
from typing import Literal

from cyclopts import App

from meetdeck.cli.parameters import Flag
from meetdeck.platform.settings import read_service_access

template_app = App(name="template", help="Check and try deck templates without a server.")


@template_app.command
def check(template: Path) -> None:
    """Print a template's slides, tags and findings; the exit status is 1 if there is an Error.

    Parameters
    ----------
    template
        The .pptx file.
    """
    from meetdeck.present.authoring import check as run

    if not run(template):
        sys.exit(1)


@template_app.command
def data(template: Path, *, schema: Flag = False) -> None:
    """Print example data that fills every tag of a template.

    Parameters
    ----------
    template
        The .pptx file.
    schema
        Print the JSON Schema of the data instead.
    """
    from meetdeck.present.authoring import print_expected_data

    print_expected_data(template, "schema" if schema else "example")


@template_app.command
def fill(
    template: Path,
    data: Path,
    *,
    output: Path | None = None,
    force: Flag = False,
) -> None:
    """Fill all slides of a template with a JSON document.

    Parameters
    ----------
    template
        The .pptx file.
    data
        The .json file.
    output
        The deck to write; default: `NAME filled.pptx` in the current folder, for a template NAME.pptx.
    force
        Overwrite an existing file.
    """
    from meetdeck.present.authoring import fill as run

    run(template, data, output or Path(f"{template.stem} filled.pptx"), overwrite=force)


@template_app.command
def watch(template: Path, *, data: Path | None = None, port: int = 0) -> None:
    """Check a template whenever it is saved, and show its slides with example data in the browser.

    The command prints the page's address, which only this machine can open.

    Parameters
    ----------
    template
        The .pptx file.
    data
        A .json file with your own data; it is watched, too.
    port
        The port of the page; default: a free one.
    """
    from meetdeck.present.watching.command import watch as run

    run(template, data, port=port)


@template_app.command
def convert(
    template: Path,
    *,
    to: Literal["braces", "brackets"] = "braces",
    output: Path | None = None,
    force: Flag = False,
) -> None:
    """Convert a template's tags from [tag:x] to {{x}} or back, and print each change.

    Parameters
    ----------
    template
        The .pptx file.
    to
        The spelling to convert to: in braces or in square brackets.
    output
        The template to write; without it, the changes are only printed.
    force
        Overwrite an existing file.
    """
    from meetdeck.present.authoring import convert as run

    run(template, to, output, overwrite=force)


@template_app.command
def upload(
    folder: Path,
    *,
    url: str | None = None,
    category: str = "",
    check: Flag = False,
    json: Flag = False,
) -> None:
    """Upload all templates in a folder and its subfolders, each under its file name, and print all findings.

    Credentials are read from the environment, because other users can see a command line: MEETDECK_KEY, the
    subscription key, and MEETDECK_TOKEN, or MEETDECK_CLIENT_ID and MEETDECK_CLIENT_SECRET.

    Parameters
    ----------
    folder
        The folder of .pptx, .potx and .ppsx files.
    url
        The service's address; default MEETDECK_URL, else http://127.0.0.1:8080.
    category
        The customers that they are for.
    check
        Only check the files, on this machine; no service is needed.
    json
        Print the outcome of each file as JSON.
    """
    from meetdeck.present.folder_upload.command import check_folder, upload_folder

    if check:
        is_good = check_folder(folder, as_json=json)
    else:
        is_good = upload_folder(folder, read_service_access(url=url), category, as_json=json)
    if not is_good:
        sys.exit(1)
