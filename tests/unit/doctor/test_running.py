"""Checks beside each other: whatever one of them does, the others are told, and all in time."""

import threading

from meetdeck.doctor.outcome import Finding, Status, gather, ok, warning
from meetdeck.doctor.running import Check, run_blocking, run_checks
from meetdeck.platform.errors import SetupError, Unavailable

ADVICE = "Mend it."


async def test_one_that_fails_or_hangs_is_a_fault_with_advice_and_the_others_are_told() -> None:
    async def find() -> Finding:
        return ok("All is well.")

    async def hang() -> Finding:
        return await run_blocking(forever)

    async def miss() -> Finding:
        raise SetupError("The disk is away.")

    async def refuse() -> Finding:
        raise Unavailable("It is away.")

    async def break_down() -> Finding:
        raise ZeroDivisionError

    never = threading.Event()

    def forever() -> Finding:
        never.wait()
        return ok("")

    works = (find, hang, miss, refuse, break_down, find)
    told = await run_checks([Check(work.__name__, work, ADVICE, seconds=0.2) for work in works])
    assert [(one.name, one.status, one.detail) for one in told] == [
        ("find", Status.OK, "All is well."),
        ("hang", Status.FAULT, "There was no answer within 0.2 seconds."),
        ("miss", Status.FAULT, "The disk is away."),
        ("refuse", Status.FAULT, "It is away."),
        ("break_down", Status.FAULT, "This could not be checked: ZeroDivisionError."),
        ("find", Status.OK, "All is well."),
    ]
    assert {one.advice for one in told if one.status is Status.FAULT} == {ADVICE}
    assert not gather(told).is_sound
    never.set()


async def test_what_only_wants_a_look_is_sound() -> None:
    async def look() -> Finding:
        return warning("It is old.", "Look at it.")

    found = gather(await run_checks([Check("age", look, ADVICE)]))
    assert (found.is_sound, found.status) == (True, Status.WARNING)
