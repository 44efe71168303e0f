"""Choose the presentations and the trials, and print a table of the outcomes."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import mkdtemp

import msgspec
import pytest
from rich.console import Console
from rich.table import Table

from corpus.building import Outcome
from corpus.sources import DECKS, VALIDATOR, name_decks
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.renderer import find_office

_OUTCOME = "outcome"
_SLOWEST = 8


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--decks", default="", help="a folder with more presentations")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "presentation" not in metafunc.fixturenames:
        return
    more = str(metafunc.config.getoption("--decks"))
    named = list(name_decks([*sorted(DECKS.glob("*")), *([Path(more).resolve()] if more else [])]))
    metafunc.parametrize("presentation", [path for _, path in named], ids=[name for name, _ in named])


@pytest.fixture
def keep_outcome(record_property: Callable[[str, object], None]) -> Callable[[Outcome], None]:
    """Record an outcome for the table."""
    return lambda outcome: record_property(_OUTCOME, msgspec.to_builtins(outcome))


@pytest.fixture(scope="session")
def validator() -> Path | None:
    """Return the Open XML SDK's validator, None where it could not be had."""
    return VALIDATOR if VALIDATOR.exists() else None


@pytest.fixture(scope="session")
def render() -> Iterator[Callable[[bytes], bytes]]:
    """Make a PDF with a warm LibreOffice; one that draws another number of pages than slides raises RenderingFailed."""
    office = find_office()
    if office is None:
        pytest.skip("there is no LibreOffice here")
    folder = Path(mkdtemp(prefix="meetdeck-corpus-"))
    folder.chmod(0o755)
    pool = OfficePool(office, size=1, temp_dir=folder)
    with asyncio.Runner() as runner:
        yield lambda pptx: runner.run(pool.to_pdf(pptx))
        runner.run(pool.close())
    shutil.rmtree(folder)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    outcomes = {
        report.nodeid.partition("[")[2].removesuffix("]"): msgspec.convert(
            dict(report.user_properties)[_OUTCOME], Outcome
        )
        for report in reports
        if _OUTCOME in dict(report.user_properties)
    }
    undrawn = sum(name == "undrawn" for report in reports for name, _ in report.user_properties)
    if outcomes:
        _print(outcomes, undrawn)


def _print(outcomes: dict[str, Outcome], undrawn: int) -> None:
    console = Console(width=150)
    refused = {name: outcome for name, outcome in outcomes.items() if outcome.refusals}
    read = {name: outcome for name, outcome in outcomes.items() if not outcome.refusals}
    console.print(f"\n{len(read)} presentations were read, {len(refused)} refused")
    console.print(f"{undrawn} decks were not drawn: LibreOffice does not draw their source either")
    table = Table("refused", "because")
    for name, outcome in sorted(refused.items()):
        table.add_row(name, ", ".join(outcome.refusals))
    console.print(table)
    table = Table("most memory and time", "slides", "peak MiB", "(idle)", "seconds", "findings")
    heaviest = sorted(outcomes, key=lambda name: -outcomes[name].peak_mib)[:_SLOWEST]
    slowest = sorted(outcomes, key=lambda name: -outcomes[name].seconds)[:_SLOWEST]
    for name in dict.fromkeys([*heaviest, *slowest]):
        outcome = outcomes[name]
        figures = (f"{outcome.peak_mib:.0f}", f"{outcome.base_mib:.0f}", f"{outcome.seconds:.3f}")
        table.add_row(name, str(outcome.slides), *figures, ", ".join(outcome.findings))
    console.print(table)
