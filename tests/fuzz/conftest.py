"""Set the number of examples: `--examples=5000` for each test."""

import pytest
from hypothesis import HealthCheck, settings

_SLOWEST_MS = 10_000  # a hang, on a machine that does other things too


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--examples", default=500, type=int, help="how many examples each test tries")


def pytest_configure(config: pytest.Config) -> None:
    settings.register_profile(
        "fuzz",
        max_examples=int(str(config.getoption("--examples"))),
        deadline=_SLOWEST_MS,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
        print_blob=True,
    )
    settings.load_profile("fuzz")
