"""The command line: `meetdeck serve | migrate | sweep | import | slots | demo | openapi | template`."""

import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Literal
from uuid import UUID

import msgspec
from cyclopts import App, CycloptsError, MissingArgumentError, Parameter, UnusedCliTokensError

import meetdeck
from meetdeck.platform.errors import SetupError
from meetdeck.platform.http.versions import Version
from meetdeck.platform.logging import configure_logging
from meetdeck.platform.settings import read_service_access, read_settings

if TYPE_CHECKING:
    from meetdeck.serving import Running

app = App(name="meetdeck", version=meetdeck.__version__, help="Book time with an advisor, walk in with the deck.")

template_app = App(name="template", help="Check and try a deck template, without a server.")
app.command(template_app)

slots_app = App(name="slots", help="Check what the slot search finds, on the installation's own database.")
app.command(slots_app)

_TENANT_MISSING = (
    "--tenant is missing: the firm's id, a UUID that its tokens carry; the demo firms' ids stand in "
    "dev-credentials.json in the data folder."
)

WRONG_USAGE = 2
INTERRUPTED = 130


def main() -> None:
    """Run a command; exit with 1 and one line for what the operator can mend, with 2 for a wrong command line."""
    signal.signal(signal.SIGTERM, _interrupt)  # so that a start-up that is ended cleans up after itself
    try:
        app(exit_on_error=False, print_error=False)
    except CycloptsError as error:
        print(f"meetdeck: {_explain_usage(error)}", file=sys.stderr)
        sys.exit(WRONG_USAGE)
    except SetupError as error:
        print(f"meetdeck: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # the reader of our output has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _explain_usage(error: CycloptsError) -> str:
    """Return the fault of a command line, and the command that prints its help."""
    command = " ".join(["meetdeck", *(error.command_chain or ())])
    said = " ".join(str(error).split())
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        option = error.keyword or next((token.keyword for token in error.argument.tokens if token.keyword), None)
        said = f"{option} needs a value." if option else f"{error.argument.name.lstrip('-').upper()} is missing."
    elif isinstance(error, UnusedCliTokensError):
        said = f"{' '.join(error.unused_tokens or ())} is more than this command takes."
    return f"{said} `{command} --help` tells what it takes."


def _interrupt(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise KeyboardInterrupt


@app.command
def serve(
    *,
    host: str | None = None,
    port: int | None = None,
    migrate: Annotated[bool, Parameter(negative="")] = False,
    demo_data: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Serve both services.

    Parameters
    ----------
    host
        Address to listen on; default MEETDECK_HOST, else 127.0.0.1.
    port
        Port to listen on; default MEETDECK_PORT, else 8080.
    migrate
        Bring the database's schema up to date first.
    demo_data
        Load two demo firms (test environment only) and print how to call them.
    """
    from meetdeck.serving import serve as run  # noqa: PLC0415 - `meetdeck --help` should not wait for the services

    settings = read_settings(host=host, port=port)
    if demo_data and settings.environment != "test":
        raise SetupError("Demo data is for the test environment: start without --demo-data in production.")
    configure_logging(settings.log_format)
    run(settings, run_migrations=migrate, demo_data=demo_data, on_ready=_announce)


def _announce(running: "Running") -> None:
    """Print the address, and commands that call the service and work as pasted."""
    print(f"\nMeetdeck serves on {running.base_url} (API page: {running.base_url}/docs). Ctrl-C stops it.")
    if running.credentials is not None and running.token is not None:
        tenant = running.credentials.tenants[0]
        headers = (
            f'-H "Authorization: Bearer {running.token}" -H "Ocp-Apim-Subscription-Key: {tenant.subscription_key}"'
        )
        print(
            f"\nA token for {tenant.name}, good for an hour:\n{running.token}\n"
            f"\nIts subscription key:\n{tenant.subscription_key}\n"
            f"\nTry it:\ncurl {headers} {running.base_url}/api/v3/present/templates\n"
            "\nBoth tenants' clients: dev-credentials.json in the data folder; the second of each has the role "
            f"{', '.join(tenant.clients[1].roles)}, which changing the configuration asks for. "
            "`make demo` walks through everything."
        )
    elif running.credentials is not None:
        print(
            "\nTokens come from the issuer that MEETDECK_ISSUER names. The demo tenants' ids and subscription keys: "
            "dev-credentials.json in the data folder."
        )
    sys.stdout.flush()


@app.command
def migrate() -> None:
    """Bring the database's schema up to date: all steps or none."""
    from meetdeck.serving import migrate_database  # noqa: PLC0415

    settings = read_settings()
    configure_logging(settings.log_format)
    print(f"The schema is at {migrate_database(settings)}.")


@app.command
def sweep(*, dry_run: Annotated[bool, Parameter(negative="")] = False) -> None:
    """Delete files that nobody needs any more from the storage; `serve` does so every hour.

    Parameters
    ----------
    dry_run
        Only tell what would be deleted.
    """
    from meetdeck.serving import sweep_storage  # noqa: PLC0415

    settings = read_settings()
    configure_logging(settings.log_format)
    swept = sweep_storage(settings, dry_run=dry_run)
    print(
        f"{'To be deleted' if dry_run else 'Deleted'}: {swept.files} files of {swept.size_bytes / 1024**2:.1f} MiB, "
        f"{swept.contents} expired contents. Kept: {swept.kept} files."
    )
    if swept.unknown_tenants:
        print(f"{swept.unknown_tenants} tenants have files here and are not in the database: left alone.")
    if swept.busy_tenants:
        print(f"{swept.busy_tenants} tenants are being swept by another process: left to it.")


@app.command(name="import")
def import_files(
    *files: Path,
    tenant: UUID | None = None,
    kind: str | None = None,
    dry_run: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Import employees, rooms, schedules, groups … from CSV or JSON: all rows or none (docs/importing.md).

    Parameters
    ----------
    files
        Called by what they hold: employees.csv, customer-types.csv …; a .json file may hold several kinds.
    tenant
        The tenant's id.
    kind
        What the files hold, when their names do not say so: employees, rooms …
    dry_run
        Only tell what would change.
    json
        Print the outcome as JSON.
    """
    from meetdeck.booking.importing.files import open_files  # noqa: PLC0415
    from meetdeck.booking.importing.progress import show_progress  # noqa: PLC0415
    from meetdeck.serving import import_files as run  # noqa: PLC0415

    if not files:
        raise SetupError("Name at least one file to import: `meetdeck import employees.csv --tenant …`.")
    if tenant is None:
        raise SetupError(_TENANT_MISSING)
    settings = read_settings()
    configure_logging(settings.log_format)
    sources = open_files(files, kind)
    with show_progress() as progress:
        outcome = run(settings, tenant, sources, progress, dry_run=dry_run)
    if json:
        print(msgspec.json.format(msgspec.json.encode(outcome), indent=2).decode())
    for noted in () if json else (*outcome.warnings, *outcome.problems):
        print(noted, file=sys.stderr)
    if outcome.problems:
        raise SetupError(f"Nothing was imported: {outcome.count_problems()}. Mend the rows, and import again.")
    if not json:
        print("\n".join(outcome.describe()))


@slots_app.command
def compare(
    file: Path,
    *,
    tenant: UUID | None = None,
    at: str | None = None,
    query: str | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Compare a list of known slots with what the search finds; exit status 1 when they differ (docs/moving.md).

    Parameters
    ----------
    file
        What a slot search answered (.json), or a spreadsheet of employee, start, end, meeting type (.csv).
    tenant
        The tenant's id.
    at
        When the list was made: the search's now, as 2026-03-02T09:00; without an offset, the organization's time.
    query
        The query or address that the list answers, else the one in the file: topic=…&isCustomerInitiated=true.
    json
        Print the comparison as JSON.
    """
    from meetdeck.booking.comparison.known_slots import read_known_slots, read_moment  # noqa: PLC0415
    from meetdeck.booking.comparison.service import Said  # noqa: PLC0415
    from meetdeck.booking.comparison.tables import show_comparison  # noqa: PLC0415
    from meetdeck.booking.importing.progress import show_progress  # noqa: PLC0415
    from meetdeck.platform import clock  # noqa: PLC0415
    from meetdeck.serving import compare_slots as run  # noqa: PLC0415

    if tenant is None:
        raise SetupError(_TENANT_MISSING)
    try:
        said = Said(clock.now(), read_moment(at) if at is not None else None, query)
    except ValueError as error:
        raise SetupError(f"--at: {error}.") from None
    settings = read_settings()
    configure_logging(settings.log_format)
    known = read_known_slots(file)
    if known.problems:
        for problem in (*known.warnings, *known.problems):
            print(problem, file=sys.stderr)
        rows = len({problem.line for problem in known.problems})
        raise SetupError(f"Nothing was compared: {len(known.problems):,} problems in {rows:,} rows. Mend them first.")
    with show_progress() as progress:
        found = run(settings, tenant, known, said, progress)
    if json:
        print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        for warning in found.warnings:
            print(warning, file=sys.stderr)
        show_comparison(found)
    if not found.is_equal:
        sys.exit(1)


@app.command
def demo(*, output: Path = Path("demo-output")) -> None:
    """Walk through the running service: decks, PDFs, pictures, a booking.

    Parameters
    ----------
    output
        Folder for the files that the walk leaves.
    """
    from meetdeck.demo.journey import walk  # noqa: PLC0415

    walk(read_settings().data_dir, output)


@app.command
def openapi(version: Version = Version.V3) -> None:
    """Print the OpenAPI document of a version, v2 or v3."""
    from meetdeck.app import describe_api  # noqa: PLC0415

    print(msgspec.json.format(msgspec.json.encode(describe_api(version)), indent=2).decode())


@template_app.command
def check(template: Path) -> None:
    """Print a template's slides and tags, and everything that is wrong with it; exit status 1 for an Error.

    Parameters
    ----------
    template
        The .pptx file.
    """
    from meetdeck.present.authoring import check as run  # noqa: PLC0415

    if not run(template):
        sys.exit(1)


@template_app.command
def data(template: Path, *, schema: Annotated[bool, Parameter(negative="")] = False) -> None:
    """Print an example of the data that a template wants: it fills every tag.

    Parameters
    ----------
    template
        The .pptx file.
    schema
        Print the JSON Schema of the data instead.
    """
    from meetdeck.present.authoring import print_expected_data  # noqa: PLC0415

    print_expected_data(template, "schema" if schema else "example")


@template_app.command
def fill(
    template: Path,
    data: Path,
    *,
    output: Path | None = None,
    force: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Fill all slides of a template with a JSON document.

    Parameters
    ----------
    template
        The .pptx file.
    data
        The .json file.
    output
        The deck to write; default `NAME filled.pptx`, in the current folder, of a template NAME.pptx.
    force
        Overwrite a file that is there already.
    """
    from meetdeck.present.authoring import fill as run  # noqa: PLC0415

    run(template, data, output or Path(f"{template.stem} filled.pptx"), overwrite=force)


@template_app.command
def convert(
    template: Path,
    *,
    to: Literal["braces", "brackets"] = "braces",
    output: Path | None = None,
    force: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Spell a template's tags the other way, [tag:x] as {{x}} or {{x}} as [tag:x], and print each change.

    Parameters
    ----------
    template
        The .pptx file.
    to
        How to spell them: between braces, or in square brackets.
    output
        The template to write; without it, the changes are only printed.
    force
        Overwrite a file that is there already.
    """
    from meetdeck.present.authoring import convert as run  # noqa: PLC0415

    run(template, to, output, overwrite=force)


@template_app.command
def upload(
    folder: Path,
    *,
    url: str | None = None,
    category: str = "",
    check: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Upload the templates in a folder and below, each under its file's name, and print all findings.

    The environment holds the credentials, since a command line can be read by others: MEETDECK_KEY, the subscription
    key, and MEETDECK_TOKEN, or MEETDECK_CLIENT_ID and MEETDECK_CLIENT_SECRET.

    Parameters
    ----------
    folder
        The folder of .pptx, .potx and .ppsx files.
    url
        The service's address; default MEETDECK_URL, else http://127.0.0.1:8080.
    category
        For which customers they are.
    check
        Only check the files, here, without a service.
    json
        Print the outcome of each file as JSON.
    """
    from meetdeck.present.folder_upload.command import check_folder, upload_folder  # noqa: PLC0415

    if check:
        is_good = check_folder(folder, as_json=json)
    else:
        is_good = upload_folder(folder, read_service_access(url=url), category, as_json=json)
    if not is_good:
        sys.exit(1)
