"""Running an installation: `meetdeck serve | worker | migrate | sweep | doctor | demo | openapi`."""

import os
import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import structlog

from meetdeck.cli.installation import prepare
from meetdeck.cli.output import print_json
from meetdeck.cli.parameters import Flag
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process import no_garbage_collection, signals, take_data_folder
from meetdeck.platform.process.logging import configure_logging, writes_json
from meetdeck.platform.process.shared_numbers import counting_together
from meetdeck.platform.settings import read_settings
from meetdeck.platform.values import Version

if TYPE_CHECKING:
    from meetdeck.services import Services
    from meetdeck.serving import ServingReport

log = structlog.stdlib.get_logger()


def serve(  # noqa: PLR0913 - an option for each
    *,
    host: str | None = None,
    port: int | None = None,
    workers: int | None = None,
    only: str | None = None,
    migrate: Flag = False,
    demo_data: Flag = False,
    demo_meetings: Flag = False,
) -> None:
    """Serve both services.

    Parameters
    ----------
    host
        Address to listen on; default MEETDECK_HOST, else 127.0.0.1.
    port
        Port to listen on; default MEETDECK_PORT, else 8080.
    workers
        How many processes serve on that port; default MEETDECK_WORKERS, else 1. SIGHUP replaces them one by one.
    only
        What to serve, separated by commas: present, booking, pages, worker (events, messages, regular work); default
        MEETDECK_ONLY, else everything.
    migrate
        Bring the database's schema up to date first.
    demo_data
        Load two demo firms (test environment only) and print how to call them.
    demo_meetings
        Load the demo firms with six weeks of past and three weeks of coming meetings.
    """
    with no_garbage_collection():
        from meetdeck.serving import serve as run

    settings = read_settings(host=host, port=port, workers=workers, only=only)
    if (demo_data or demo_meetings) and settings.environment != "test":
        raise SetupError(
            "Demo data is for the test environment: start without --demo-data and --demo-meetings in production."
        )
    configure_logging(settings.log_format)
    announce = partial(_announce, as_log=writes_json(settings.log_format))
    is_alone = settings.processes == 1
    with nullcontext() if is_alone else counting_together() as numbers:
        run(
            settings,
            numbers,
            run_migrations=migrate,
            demo_data=demo_data,
            demo_meetings=demo_meetings,
            on_ready=announce,
        )


def worker(*, json: Flag = False) -> None:
    """Run background jobs: webhook deliveries, messages, hourly maintenance. `serve` starts such a process by default.

    Several may run, also beside `serve`. SIGTERM ends it: what it has in work has five seconds, and is then left to
    others. It listens on no port: `serve --only worker` does the same, and answers /health and /metrics.

    Parameters
    ----------
    json
        Say that it works as one line of JSON.
    """
    with no_garbage_collection():
        from meetdeck.serving import work

    settings = read_settings(only="worker")
    configure_logging(settings.log_format)

    def announce(services: "Services") -> None:
        queues = services.jobs.queues
        if json:
            print(msgspec.json.encode({"status": "working", "pid": os.getpid(), "queues": queues}).decode())
        else:
            print(f"Meetdeck works, and serves nothing: {', '.join(queues)}, and the hourly work. Ctrl-C stops it.")
        sys.stdout.flush()

    work(settings, on_ready=announce)


def _announce(running: "ServingReport", *, as_log: bool) -> None:
    """Print the addresses, and commands that call the service and work when pasted; `as_log`: log the address."""
    where = f"Meetdeck serves on {running.base_url} (API page: {running.base_url}/docs)."
    if as_log:
        log.info(where)
    else:
        print(f"\n{where} Ctrl-C stops it.")
    for tenant in running.credentials.tenants if running.credentials is not None else ():
        for portal in tenant.portals[:1]:
            print(f"Customers of {tenant.name} book on {running.base_url}/p/{portal.address or portal.id}")
    if running.credentials is not None:
        print(f"Staff of both work on {running.base_url}/console")
    if running.credentials is not None and running.token is not None:
        tenant = running.credentials.tenants[0]
        headers = (
            f'-H "Authorization: Bearer {running.token}" -H "Ocp-Apim-Subscription-Key: {tenant.subscription_key}"'
        )
        print(
            f"\nA token for {tenant.name}, good for an hour:\n{running.token}\n"
            f"\nIts subscription key:\n{tenant.subscription_key}\n"
            f"\nTry it:\ncurl {headers} {running.base_url}/api/v3/present/templates\n"
            f"\nEvents, webhooks and keys need {', '.join(tenant.clients[1].roles)}, a role that this token does not "
            f"carry. The client {tenant.clients[1].client_id} gets one that does:\n"
            f"curl {running.base_url}/oauth/token -d grant_type=client_credentials -d "
            f"client_id={tenant.clients[1].client_id} -d client_secret={tenant.clients[1].client_secret}\n"
            '\nAll clients and keys: dev-credentials.json in the data folder. README, "Call it", sets up a shell with '
            "both tokens. `make demo` walks through everything."
        )
    elif running.credentials is not None:
        print(
            "\nTokens come from the issuer that MEETDECK_ISSUER names. The demo tenants' ids and subscription keys: "
            "dev-credentials.json in the data folder."
        )
    sys.stdout.flush()


def migrate() -> None:
    """Update the database's schema: all steps or none."""
    from meetdeck.installation import database_addresses
    from meetdeck.migrations import known_revisions
    from meetdeck.migrations import migrate as to_newest

    settings = prepare()
    take_data_folder(settings.data_dir)
    with database_addresses(settings) as (owner, _):
        signals.run(to_newest(owner))
    print(f"The schema is at {known_revisions()[-1]}.")


def sweep(*, dry_run: Flag = False) -> None:
    """Delete unused files from the storage; `serve` does so every hour.

    Parameters
    ----------
    dry_run
        Only tell what would be deleted.
    """
    from meetdeck.serving import sweep_storage

    swept = sweep_storage(prepare(), dry_run=dry_run)
    print(
        f"{'To be deleted' if dry_run else 'Deleted'}: {swept.files} files of {swept.size_bytes / 1024**2:.1f} MiB, "
        f"{swept.contents} expired contents. Kept: {swept.kept} files."
    )
    if swept.unknown_tenants:
        print(f"{swept.unknown_tenants} tenants have files here and are not in the database: left alone.")
    if swept.busy_tenants:
        print(f"{swept.busy_tenants} tenants are being swept by another process: left to it.")


def doctor(*, json: Flag = False) -> None:
    """Check settings, database, storage, renderer, issuers, clock, disk …, and say what to do; status 1 for a fault.

    It may run at any time, also beside `serve`, and changes nothing.

    Parameters
    ----------
    json
        Print all findings as one JSON document.
    """
    from meetdeck.cli.output import print_json, print_table
    from meetdeck.doctor.service import examine

    found = examine()
    if json:
        print_json(found)
    else:
        rows = [(one.name, one.status, one.detail, one.advice) for one in found.checks]
        print_table(("Check", "Status", "What is", "What to do"), rows, empty="")
    if not found.is_sound:
        sys.exit(1)


def demo(*, output: Path = Path("demo-output")) -> None:
    """Walk through the running service: decks, PDFs, pictures, a booking.

    Parameters
    ----------
    output
        Folder for the files that the walk leaves.
    """
    from meetdeck.demo.journey import walk

    walk(read_settings().data_dir, output)


def openapi(version: Version = Version.V3) -> None:
    """Print the OpenAPI document of a version, v2 or v3."""
    from meetdeck.app import describe_api

    print_json(describe_api(version))
