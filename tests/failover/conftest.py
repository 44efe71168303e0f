"""Choose the number of failures and the load, and print a table of the outcomes."""

from collections.abc import Callable

import pytest

from support.failover.arrangement import WAYS
from support.failover.outcomes import Outcome
from support.failover.summary import describe_machine, summarize

_OUTCOMES = pytest.StashKey[list[Outcome]]()
_BEGAN = pytest.StashKey[str]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rounds", type=int, default=1, help="how often each failure is tried each way")
    parser.addoption("--rate", type=float, default=50, help="bookings a second")
    parser.addoption("--ways", default=",".join(WAYS), help="the ways to the database, with commas in between")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_OUTCOMES], config.stash[_BEGAN] = [], describe_machine()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "arrangement" in metafunc.fixturenames:
        ways = str(metafunc.config.getoption("--ways")).split(",")
        metafunc.parametrize("arrangement", ways, indirect=True, scope="module")


@pytest.fixture
def times(request: pytest.FixtureRequest) -> int:
    """Lend the number of times that each failure is tried."""
    return int(str(request.config.getoption("--rounds")))


@pytest.fixture(scope="module")
def a_second(request: pytest.FixtureRequest) -> float:
    """Lend the number of bookings that are asked for in a second."""
    return float(str(request.config.getoption("--rate")))


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Callable[[Outcome], None]:
    """Print an outcome, and keep it for the table."""

    def tell(outcome: Outcome) -> None:
        print(f"{outcome.describe()} ({describe_machine()})", flush=True)  # noqa: T201 - a run takes minutes
        request.config.stash[_OUTCOMES].append(outcome)

    return tell


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if outcomes := config.stash[_OUTCOMES]:
        asked = f"{config.getoption('--rate')} callers, each of whom books once a second"
        machine = f"{asked}; before: {config.stash[_BEGAN]}; after: {describe_machine()}"
        terminalreporter.write_line(f"\n{machine}\n\n{summarize(outcomes)}")
