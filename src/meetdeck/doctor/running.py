"""Running checks concurrently, each with a time limit; a check that fails or hangs is a finding."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread
from typing import TypeVar

from meetdeck.doctor.outcome import CheckResult, Finding, fault, name_finding
from meetdeck.platform.errors import MeetdeckError, SetupError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Check:
    """A check: its name, its work, and what to do if that raises or takes longer than `seconds`."""

    name: str
    examine: Callable[[], Awaitable[Finding]]
    advice: str
    seconds: float = 10


async def run_checks(checks: Sequence[Check]) -> list[CheckResult]:
    """Return the result of each check, in their order."""
    return list(await asyncio.gather(*map(_run, checks)))


async def _run(check: Check) -> CheckResult:
    try:
        async with asyncio.timeout(check.seconds):
            finding = await check.examine()
    except TimeoutError:
        finding = fault(f"There was no answer within {check.seconds:g} seconds.", check.advice)
    except MeetdeckError as error:
        finding = fault(error.detail, check.advice)
    except SetupError as error:
        finding = fault(str(error), check.advice)
    except Exception as error:  # noqa: BLE001 - whatever it is: the others are told all the same
        finding = fault(f"This could not be checked: {str(error) or type(error).__name__}.", check.advice)
    return name_finding(check.name, finding)


async def run_blocking(function: Callable[[], T]) -> T:
    """Return the result of a function that may never return; its thread does not delay the process's exit."""
    promise: Future[T] = Future()
    promise.set_running_or_notify_cancel()  # it is too late to cancel it

    def run() -> None:
        try:
            promise.set_result(function())
        except BaseException as error:  # noqa: BLE001 - handed over
            promise.set_exception(error)

    Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(promise)
