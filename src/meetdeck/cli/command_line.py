"""All commands, and how each ends: its exit status, and one line for a problem that the operator can fix."""

import os
import signal
import sys
from types import FrameType

from cyclopts import App, CycloptsError, MissingArgumentError, UnusedCliTokensError

import meetdeck
from meetdeck.cli.audit_log import audit_log
from meetdeck.cli.backups import backup, export, import_tenant, restore
from meetdeck.cli.booking import import_app, slots_app
from meetdeck.cli.cells import cell_app
from meetdeck.cli.clients import client_app, user_app
from meetdeck.cli.completion import completion_app
from meetdeck.cli.docs import docs_app
from meetdeck.cli.erasure import erase, list_erasures
from meetdeck.cli.keys import key_app
from meetdeck.cli.operating import demo, doctor, migrate, openapi, serve, sweep, worker
from meetdeck.cli.parameters import UsageError, show_examples
from meetdeck.cli.rekeying import rekey
from meetdeck.cli.releasing import release
from meetdeck.cli.scim_tokens import scim_token_app
from meetdeck.cli.sessions import session_app
from meetdeck.cli.template import template_app
from meetdeck.cli.tenants import tenant_app
from meetdeck.cli.webhooks import webhook_app
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process.signals import die_by_signals
from meetdeck.platform.settings import load_settings_file

app = App(name="meetdeck", version=meetdeck.__version__, help="Book time with an advisor, walk in with the deck.")
for command in (
    serve,
    worker,
    migrate,
    sweep,
    backup,
    restore,
    release,
    export,
    import_tenant,
    import_app,
    rekey,
    demo,
    openapi,
    slots_app,
    template_app,
    tenant_app,
    cell_app,
    key_app,
    client_app,
    user_app,
    scim_token_app,
    session_app,
    webhook_app,
    docs_app,
    completion_app,
    erase,
):
    app.command(command)
app.command(
    doctor,
    help_epilogue=show_examples(
        "meetdeck doctor", "meetdeck doctor --json | jq '.checks[] | select(.status != \"ok\")'"
    ),
)
app.command(list_erasures, name="erasures")
app.command(
    audit_log,
    help_epilogue=show_examples(
        "meetdeck audit-log --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
        "meetdeck audit-log --tenant 6f9619ff-8b86-4d01-b42d-00cf4fc964ff --csv > changes.csv",
    ),
)

FAILED = 1
WRONG_USAGE = 2
INTERRUPTED = 130


def main() -> None:
    """Run a command; exit with 1 and one line for a problem that the operator can fix, with 2 for wrong usage."""
    signal.signal(signal.SIGTERM, _interrupt)  # so that an interrupted start-up cleans up after itself
    try:
        load_settings_file()
        app(exit_on_error=False, print_error=False)
    except CycloptsError as error:
        print(f"meetdeck: {_explain_usage(error)}", file=sys.stderr)
        sys.exit(WRONG_USAGE)
    except SetupError as error:
        print(f"meetdeck: {_in_one_line(error)}", file=sys.stderr)
        sys.exit(WRONG_USAGE if isinstance(error, UsageError) else FAILED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # the reader of our output has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    finally:
        die_by_signals()


def _explain_usage(error: CycloptsError) -> str:
    """Return the error in a command line, and the command that prints its help."""
    command = " ".join(["meetdeck", *(error.command_chain or ())])
    fault = " ".join(str(error).split())
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        option = error.keyword or next((token.keyword for token in error.argument.tokens if token.keyword), None)
        name = error.argument.name if error.argument.index is None else error.argument.name.lstrip("-").upper()
        fault = f"{option} needs a value." if option else f"{name} is missing."
    elif isinstance(error, UnusedCliTokensError):
        fault = f"Unexpected argument: {' '.join(error.unused_tokens or ())}."
    return f"{fault} See `{command} --help`."


def _in_one_line(error: SetupError) -> str:
    """Return an error's text without line breaks and control characters, which a file may contain."""
    return "".join(each if each.isprintable() else "�" for each in " ".join(str(error).split()))


def _interrupt(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise KeyboardInterrupt
