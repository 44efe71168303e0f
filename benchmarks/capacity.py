"""Processor time of a booking, a search, a deck and a PDF, all processes together: `python benchmarks/capacity.py`.

A server with two workers, the background work and a database of its own; the time is that of its workers, LibreOffice
and PostgreSQL, without the caller. It can be added up to the cores that a day's work needs
(docs/operations/capacity.md).
"""

import argparse
import os
import re
import sys
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, cast

import httpx

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from meetdeck.platform.process.clock import now
from support.installation import Installation, install

TEMPLATE: Final = "Annual review"
SETTLING_SECONDS: Final = 5.0
"""Time for messages and events that follow a booking."""


def vary(data: Any, number: int) -> Any:
    """Return the data with the number behind each name, so that no deck equals another."""
    if isinstance(data, dict):
        return {name: vary(value, number) for name, value in cast("dict[str, Any]", data).items()}
    if isinstance(data, list):
        return [vary(value, number) for value in cast("list[Any]", data)]
    return f"{data} {number}" if isinstance(data, str) and data.istitle() else data


class Bench:
    """Calls of one client, and what they cost."""

    def __init__(self, installation: Installation, address: str) -> None:
        self._installation = installation
        headers = dict(re.findall(r'-H "([\w-]+): ([^"]+)"', installation.printed))
        self._http = httpx.Client(base_url=f"{address}/api/v3/", headers=headers, timeout=300)
        self._employees: list[str] = [one["id"] for one in self._get("booking/employees").json()]
        self._data = self._get(f"present/templates/{TEMPLATE}").json()["example"]

    def measure(self, name: str, times: int, call: Callable[[int], object]) -> None:
        """Print the processor time of a call, by program."""
        call(times)  # what is made once
        before = self._count()
        for number in range(times):
            call(number)
        time.sleep(SETTLING_SECONDS)
        after = self._count()
        spent = {program: (seconds - before.get(program, 0)) / times * 1000 for program, seconds in after.items()}
        parts = ", ".join(f"{program} {milliseconds:.1f}" for program, milliseconds in sorted(spent.items()))
        print(f"{name:<8} {sum(spent.values()):7.1f} ms of processor time ({parts})")

    def search(self, number: int) -> None:
        """Search one advisor's times of a week, on another day each time."""
        begin = now() + timedelta(days=1 + number % 60)
        who = self._employees[number % len(self._employees)]
        query = {"startDate": begin.isoformat(), "lookForwardTime": "7.00:00:00", "explicitEmployeeIds": who}
        self._get("booking/time-slots/available", {**query, "requireEmployeeParticipation": "false"})

    def book(self, number: int) -> None:
        """Book an advisor by telephone."""
        round_, advisor = divmod(number, len(self._employees))
        day, hour = divmod(round_, 8)
        begin = now().replace(minute=0, second=0, microsecond=0) + timedelta(days=90 + day, hours=hour)
        self._post("booking/meetings", self._describe(begin, self._employees[advisor], number))

    def build(self, number: int) -> None:
        """Build a deck from data that differ each time."""
        self._post("present/slides/generate", {"template": TEMPLATE, "data": vary(self._data, number)})

    def print(self, number: int) -> None:
        """Build a deck and make a PDF of it, which no earlier one equals."""
        data = {"template": TEMPLATE, "data": vary(self._data, -number - 1)}
        location = self._post("present/slides/generate", data).json()["slideLocation"]
        self._post("present/slides/pdf", {"slideLocation": location})

    def _describe(self, begin: datetime, employee: str, number: int) -> dict[str, Any]:
        return {
            "startDate": begin.isoformat(),
            "endDate": (begin + timedelta(hours=1)).isoformat(),
            "employeeId": employee,
            "customerId": f"C-{number}",
            "type": "Telephone",
        }

    def _get(self, path: str, query: Mapping[str, str] | None = None) -> httpx.Response:
        return self._http.get(path, params=query).raise_for_status()

    def _post(self, path: str, body: Mapping[str, Any]) -> httpx.Response:
        answer = self._http.post(path, json=body)
        if not answer.is_success:
            raise RuntimeError(answer.text)
        return answer

    def _count(self) -> dict[str, float]:
        """Return the processor seconds so far: of Meetdeck, of PostgreSQL, of LibreOffice."""
        seconds: dict[str, float] = {}
        for process, program in self._installation.descendants().items():
            used = process.cpu_times()
            kind = "PostgreSQL" if "postgres" in program else "LibreOffice" if "office" in program else "Meetdeck"
            seconds[kind] = seconds.get(kind, 0) + used.user + used.system
        return seconds


def main() -> None:
    """Measure, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=200)
    times = parser.parse_args().times
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    with install() as installation:
        installation.settings["MEETDECK_WORKER_PROCESS"] = "true"
        address = installation.start("--workers", "2", "--demo-data")
        try:
            bench = Bench(installation, address)
            bench.measure("search", times, bench.search)
            bench.measure("booking", times, bench.book)
            bench.measure("deck", times, bench.build)
            bench.measure("PDF", max(times // 10, 1), bench.print)
        finally:
            installation.stop()


if __name__ == "__main__":
    main()
