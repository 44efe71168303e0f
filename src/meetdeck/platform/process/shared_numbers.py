"""The folder in which several processes count together, for whichever of them Prometheus asks."""

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from prometheus_client import REGISTRY, values
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.multiprocess import (
    mark_process_dead,  # pyright: ignore[reportUnknownVariableType] - its types are partial
)

_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"  # prometheus_client's own name
OWN_NUMBER: Final = 0
"""The number of the process that starts the others."""
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a full disk must not end a process that counts


@contextmanager
def counting_together() -> Generator[Path]:
    """Yield a folder for the numbers of several processes, of which this is number 0."""
    with open_shared_numbers() as folder:
        count_in(folder, OWN_NUMBER)
        yield folder


@contextmanager
def open_shared_numbers() -> Generator[Path]:
    """Yield a new folder for the numbers of several processes, in memory where there is such a place."""
    place = _MEMORY if _MEMORY.is_dir() else None
    try:
        folder = tempfile.TemporaryDirectory(prefix="meetdeck-numbers-", dir=place, ignore_cleanup_errors=True)
    except OSError:
        folder = tempfile.TemporaryDirectory(prefix="meetdeck-numbers-", ignore_cleanup_errors=True)
    with folder as path:
        yield Path(path)


def count_in(folder: Path, number: int) -> None:
    """Count all numbers of this process in the folder from now on, as those of `number`."""
    os.environ[_FOLDER] = str(folder)
    values.ValueClass = values.MultiProcessValue(lambda: number)  # pyright: ignore[reportUnknownMemberType]
    registry: Any = REGISTRY
    for collector in [*registry._collector_to_names]:  # noqa: SLF001 - it has no way to count elsewhere later
        if isinstance(collector, MetricWrapperBase):
            _count_anew(collector)


def _count_anew(metric: Any) -> None:  # noqa: ANN401 - prometheus_client's own, and what is private in it
    """Restart a number, and each of its labels, at this process's current count."""
    if metric._is_observable():  # noqa: SLF001 - as above
        metric._metric_init()  # noqa: SLF001 - as above
    for labelled in getattr(metric, "_metrics", {}).values():
        _count_anew(labelled)


def are_shared() -> bool:
    """Return whether the numbers of this process are counted in a folder."""
    return values.ValueClass is not values.MutexValue


def forget_process(folder: Path, number: int) -> None:
    """Drop the current values of an ended process; its counts stay, and the next of its number continues them."""
    mark_process_dead(number, str(folder))
