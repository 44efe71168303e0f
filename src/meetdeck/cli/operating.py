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
    """Run the server: the API, the portals and the console.

    Parameters
    ----------
    host
        The address to listen on; default: MEETDECK_HOST, else 127.0.0.1.
    port
        The port to listen on; default: MEETDECK_PORT, else 8080.
    workers
        The number of serving processes; default: MEETDECK_WORKERS, else 1. SIGHUP replaces them one by one.
    only
        The parts to run, separated by commas: present, booking, pages, worker (events, messages, maintenance); default:
        MEETDECK_ONLY, else all.
    migrate
        Upgrade the database schema first.
    demo_data
        Load two demo firms (test environment only), and print how to call them.
    demo_meetings
        Load the demo firms with meetings in the past six weeks and the next three.
    """
    with no_garbage_collection():
        from meetdeck.serving import fork_workers
        from meetdeck.serving import serve as run
        from meetdeck.supervisor import SeveralProcesses
        from meetdeck.worker import WORK

    settings = read_settings(host=host, port=port, workers=workers, only=only)
    if (demo_data or demo_meetings) and settings.environment != "test":
        raise SetupError(
            "Demo data is for the test environment: start without --demo-data and --demo-meetings in production."
        )
    configure_logging(settings.log_format)
    announce = partial(_announce, as_log=writes_json(settings.log_format))
    forks = fork_workers(WORK, settings) if settings.processes > 1 else None
    with counting_together() if forks is not None else nullcontext() as numbers:
        run(
            settings,
            SeveralProcesses(forks, numbers) if forks is not None and numbers is not None else None,
            run_migrations=migrate,
            demo_data=demo_data,
            demo_meetings=demo_meetings,
            on_ready=announce,
        )


def worker(*, json: Flag = False) -> None:
    """Run background jobs: webhook deliveries, messages, hourly maintenance. `serve` starts a worker by default.

    You can run several, also beside `serve`. On SIGTERM, running jobs get five seconds to finish; other workers take
    over the rest. A worker listens on no port; `serve --only worker` does the same work and answers /health and
    /metrics.

    Parameters
    ----------
    json
        Print one line of JSON when it is ready.
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
            print(f"The worker runs {', '.join(queues)} and hourly maintenance. Press Ctrl-C to stop it.")
        sys.stdout.flush()

    work(settings, on_ready=announce)


def _announce(running: "ServingReport", *, as_log: bool) -> None:
    """Print the addresses, and commands that call the service and work when pasted; `as_log`: log the address."""
    where = f"Meetdeck serves on {running.base_url} (manual: {running.base_url}/docs)."
    if as_log:
        log.info(where)
    else:
        print(f"\n{where} Press Ctrl-C to stop it.")
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
            f"\nA token for {tenant.name}, which expires in an hour:\n{running.token}\n"
            f"\nIts subscription key:\n{tenant.subscription_key}\n"
            f"\nTry it:\ncurl {headers} {running.base_url}/api/v3/present/templates\n"
            f"\nEvents, webhooks and keys need {', '.join(tenant.clients[1].roles)}, a role that this token does not "
            f"have. The client {tenant.clients[1].client_id} gets a token with it:\n"
            f"curl {running.base_url}/oauth/token -d grant_type=client_credentials -d "
            f"client_id={tenant.clients[1].client_id} -d client_secret={tenant.clients[1].client_secret}\n"
            '\nAll clients and keys: dev-credentials.json in the data folder. README, "Call it", sets up a shell with '
            "both tokens. `make demo` gives a tour."
        )
    elif running.credentials is not None:
        print(
            "\nTokens come from the issuer that MEETDECK_ISSUER names. The demo tenants' ids and subscription keys: "
            "dev-credentials.json in the data folder."
        )
    sys.stdout.flush()


def migrate() -> None:
    """Upgrade the database schema: all steps or none."""
    from meetdeck.installation import database_addresses, migrate_all
    from meetdeck.migrations import known_revisions

    settings = prepare()
    take_data_folder(settings.data_dir)
    with database_addresses(settings) as (owner, application):
        signals.run(migrate_all(settings, owner, application))
    print(f"The schema is at {known_revisions()[-1]}.")


def sweep(*, dry_run: Flag = False) -> None:
    """Delete unused files from the storage; `serve` does so every hour.

    Parameters
    ----------
    dry_run
        Only show what would be deleted.
    """
    from meetdeck.serving import sweep_storage

    swept = sweep_storage(prepare(), dry_run=dry_run)
    print(
        f"{'Would delete' if dry_run else 'Deleted'}: {swept.files} files of {swept.size_bytes / 1024**2:.1f} MiB, "
        f"{swept.contents} expired contents. Kept: {swept.kept} files."
    )
    if swept.unknown_tenants:
        print(f"{swept.unknown_tenants} tenants have files here but are not in the database; they were left alone.")
    if swept.busy_tenants:
        print(f"{swept.busy_tenants} tenants are being swept by another process and were skipped.")


def doctor(*, json: Flag = False) -> None:
    """Check settings, database, storage, renderer, issuers, clock and disk; suggest fixes. Exit status 1 for a fault.

    You can run it at any time, also while the server runs; it changes nothing.

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
        print_table(("Check", "Status", "Finding", "What to do"), rows, empty="")
    if not found.is_sound:
        sys.exit(1)


def demo(*, output: Path = Path("demo-output")) -> None:
    """Take a tour of the running service: decks, PDFs, pictures, a booking.

    Parameters
    ----------
    output
        The folder for the files that it creates.
    """
    from meetdeck.demo.journey import walk

    walk(read_settings().data_dir, output)


def openapi(version: Version = Version.V3) -> None:
    """Print the OpenAPI document of a version, v2 or v3."""
    from meetdeck.app import describe_api

    print_json(describe_api(version))
