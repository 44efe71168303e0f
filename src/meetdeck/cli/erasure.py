"""Erasing customers' personal data: `meetdeck erase`, `meetdeck erasures`."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from uuid import UUID

import msgspec

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.output import confirm, print_facts, print_json, print_table, show_moment
from meetdeck.cli.parameters import TENANT_MISSING, Flag, UsageError
from meetdeck.platform.changes import name_operator
from meetdeck.platform.database import Database
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process import clock
from meetdeck.platform.settings import Settings

if TYPE_CHECKING:
    from meetdeck.administration.erasure.schemas import ErasureOutcome, ErasurePlan, Receipt
    from meetdeck.administration.erasure.service.erasures import Erasures

T = TypeVar("T")


def erase(
    *,
    tenant: UUID | None = None,
    customer: str | None = None,
    again: Path | None = None,
    cancel: Flag = False,
    yes: Flag = False,
    json: Flag = False,
) -> None:
    """Permanently erase a customer's personal data, and print a receipt (docs/data-protection.md).

    Meetings are kept without a name: their time, advisor, topic and type. Examples:

    meetdeck erase --tenant 0b6f… --customer C-1001

    meetdeck erase --again receipts.json --yes    # after restoring an older backup

    Parameters
    ----------
    tenant
        The tenant's id.
    customer
        The customer's id, exactly as in `customerId` of meetings.
    again
        Erase the customers in a file of receipts that `meetdeck erasures --json` wrote.
    cancel
        Cancel the customer's future meetings; without it, a customer who has some is not erased.
    yes
        Skip the confirmation.
    json
        Print the receipt and earlier ones of the same customer as JSON.
    """
    if again is not None:
        if tenant is not None or customer is not None:
            raise UsageError(
                "--again reads tenants and customers from the receipts; leave out --tenant and --customer."
            )
        _erase_again(_read_receipts(again), cancel=cancel, yes=yes, json=json)
        return
    if tenant is None:
        raise UsageError(TENANT_MISSING)
    if not customer:
        raise UsageError("--customer is missing: the customer's id, exactly as in `customerId` of meetings.")
    _erase([(tenant, customer)], cancel=cancel, yes=yes, json=json)


def list_erasures(*, tenant: UUID | None = None, json: Flag = False) -> None:
    """List the receipts of a tenant's erasures; `meetdeck erase --again` reads the output of `--json`.

    Parameters
    ----------
    tenant
        The tenant's id.
    json
        Print them as JSON.
    """
    if tenant is None:
        raise UsageError(TENANT_MISSING)
    receipts = _run(lambda erasures: erasures.list_receipts(tenant))
    if json:
        print_json(receipts)
        return
    print_table(
        (
            "Receipt",
            "Erased (UTC)",
            "Meetings",
            "Cancelled",
            "History",
            "Answers",
            "Contents",
            "Wishes",
            "Customer (digest)",
        ),
        [
            (
                one.erasure_id,
                show_moment(one.erased_at),
                one.meetings,
                one.cancelled,
                one.history_entries,
                one.answers,
                one.contents,
                one.wishes,
                one.customer_digest,
            )
            for one in receipts
        ],
        empty="No customer of this tenant has been erased.",
    )


def _erase_again(receipts: Sequence["Receipt"], *, cancel: bool, yes: bool, json: bool) -> None:
    customers = _run(lambda erasures: erasures.find_customers(receipts))
    if customers:
        _erase(customers, cancel=cancel, yes=yes, json=json)
        return
    if json:
        print_json([])
    else:
        print("No personal data is left of the customers in the receipts.")


def _erase(customers: Sequence[tuple[UUID, str]], *, cancel: bool, yes: bool, json: bool) -> None:
    """Ask for confirmation, erase, and print a summary. All customers are checked before the first is erased."""
    from meetdeck.administration.erasure.schemas import UpcomingMeetings

    async def plan_all(erasures: "Erasures") -> list["ErasurePlan"]:
        plans = [await erasures.plan(tenant_id, customer_id, clock.now()) for tenant_id, customer_id in customers]
        to_come = [one for plan in plans for one in plan.to_come]
        if to_come and not cancel:
            raise UpcomingMeetings(to_come)
        return plans

    async def erase_all(erasures: "Erasures") -> list["ErasureOutcome"]:
        return [
            await erasures.erase(tenant_id, customer_id, actor, clock.now(), cancel=cancel)
            for tenant_id, customer_id in customers
        ]

    actor = name_operator("erase")
    plans = _run(plan_all)
    if not all(plan.is_empty for plan in plans):
        confirm(_describe_plans(plans), yes=yes)
    outcomes = _run(erase_all)
    if json:
        print_json(outcomes if len(customers) > 1 else outcomes[0])
    else:
        for outcome in outcomes:
            _print_outcome(outcome)


def _describe_plans(plans: Sequence["ErasurePlan"]) -> str:
    to_come, wishes = sum(len(plan.to_come) for plan in plans), sum(plan.wishes for plan in plans)
    parts = [
        f"{sum(plan.meetings for plan in plans):,} meetings",
        *([f"{to_come:,} of them are cancelled"] if to_come else []),
        f"{sum(plan.contents for plan in plans):,} contents",
        *([f"{wishes:,} wishes"] if wishes else []),
    ]
    firms = ", ".join(sorted({plan.tenant_name for plan in plans}))
    whose = f"{len(plans):,} customers" if len(plans) > 1 else "one customer"
    return f"The personal data of {whose} of {firms} is erased for good: {', '.join(parts)}."


def _print_outcome(outcome: "ErasureOutcome") -> None:
    receipt = outcome.receipt
    if receipt is None:
        known = [f"{one.erasure_id} of {show_moment(one.erased_at)} UTC" for one in outcome.earlier]
        print(
            "No personal data is left of this customer."
            + (f" Erased earlier: receipt {', '.join(known)}." if known else "")
        )
        return
    print_facts(
        [
            ("Receipt", receipt.erasure_id),
            ("Erased", f"{show_moment(receipt.erased_at)} UTC"),
            ("Tenant", receipt.tenant_id),
            ("Customer (digest)", receipt.customer_digest),
            ("Meetings", receipt.meetings),
            ("Cancelled", receipt.cancelled),
            ("Entries of history", receipt.history_entries),
            ("Stored answers", receipt.answers),
            ("Contents", receipt.contents),
            ("Wishes", receipt.wishes),
        ]
    )


def _read_receipts(file: Path) -> list["Receipt"]:
    from meetdeck.administration.erasure.schemas import Receipt

    try:
        return msgspec.json.decode(file.read_bytes(), type=list[Receipt])
    except OSError as error:
        raise SetupError(f"{file} cannot be read: {error.strerror or error}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SetupError(f"{file} is not the output of `meetdeck erasures --json`: {error}.") from None


def _run(work: Callable[["Erasures"], Awaitable[T]]) -> T:
    """Return the result of `work`, called with the installation's erasures. Raises SetupError."""
    from meetdeck.administration.erasure.service.digests import CustomerDigests
    from meetdeck.administration.erasure.service.erasures import Erasures
    from meetdeck.installation import open_storage
    from meetdeck.platform.secrets import find_encryption_keys

    async def run(database: Database, settings: Settings) -> T:
        keys = find_encryption_keys(settings.encryption_key, settings.data_dir)
        return await work(Erasures(database, await open_storage(settings), CustomerDigests(*keys)))

    return run_on_database(run)
