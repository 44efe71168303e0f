"""How often and under which load failures are tried, and the table of what came of them."""

from collections.abc import Callable

import pytest

from support.failover.outcomes import HEADER, Outcome

_OUTCOMES = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rounds", type=int, default=1, help="how often each failure is tried")
    parser.addoption("--rate", type=float, default=50, help="bookings a second")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_OUTCOMES] = []


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> int:
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
        print(outcome.describe(), flush=True)  # noqa: T201 - a run takes minutes
        request.config.stash[_OUTCOMES].append(outcome.describe())

    return tell


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if rows := config.stash[_OUTCOMES]:
        terminalreporter.write_line("\n".join([HEADER, *rows]))
