"""The command line of an operator, in the test's own process."""

import pytest
import structlog

from meetdeck.cli.command_line import main
from meetdeck.platform.process.threads import run_in_thread


class Terminal:
    """The command line of an operator: a command's output, and its exit status."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    async def run(self, *words: str) -> tuple[int, str, str]:
        """Run `meetdeck …`; return its exit status, its output, and its errors."""
        self._monkeypatch.setattr("sys.argv", ["meetdeck", *words])
        status, logging = 0, structlog.get_config()
        self._capsys.readouterr()  # what the tests' own requests logged
        try:
            await run_in_thread(main)
        except SystemExit as ended:
            status = int(ended.code or 0)
        finally:
            structlog.configure(**logging)  # a command logs where this test's output is caught
        printed = self._capsys.readouterr()
        return status, printed.out, printed.err
