"""Command lines that are none: one line that says what is wrong, and where help is; completion of the others."""

import shutil
import subprocess
from pathlib import Path

import pytest

from meetdeck.cli.command_line import WRONG_USAGE, app, main

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")
ZSH = shutil.which("zsh")
FISH = shutil.which("fish")


def do_nothing(*_: object) -> None:
    """Stand in for what is set up for a whole process."""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("template fill a.pptx", ["DATA is missing.", "`meetdeck template fill --help`"]),
        ("import rooms.csv --tenant", ["--tenant needs a value.", "`meetdeck import --help`"]),
        ("import", ["Name the files to import", "`meetdeck import employees.csv --tenant ID`"]),
        ("import rooms.csv", ["--tenant is missing", "`meetdeck tenant list`"]),
        ("serve now", ["Unexpected argument: now.", "`meetdeck serve --help`"]),
        ("template chek a.pptx", ["chek", "check", "`meetdeck template --help`"]),
        ("tenant show nordlys", ["--help"]),
        ("tenant create", ["NAME is missing"]),
        ("key create --name site", ["--tenant"]),
    ],
)
def test_a_command_that_is_none_is_one_line(
    line: str, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["meetdeck", *line.split()])
    monkeypatch.setattr("signal.signal", do_nothing)  # the test's process keeps its own
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr()
    assert (ended.value.code, printed.out, len(printed.err.splitlines())) == (WRONG_USAGE, "", 1)
    assert all(word in printed.err for word in words)


def test_bash_completes_commands_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    app("completion bash", result_action="return_value")
    script = capsys.readouterr().out
    ask = 'COMP_WORDS=({}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _meetdeck; echo "${{COMPREPLY[@]}}"'
    lines = [ask.format(words) for words in ("meetdeck webhooks l", "meetdeck import --d")]
    told = subprocess.run(["/bin/bash"], input="\n".join([script, *lines]), capture_output=True, text=True, check=True)
    assert (told.stdout.splitlines(), told.stderr) == (["list listen", "--dry-run"], "")


@pytest.mark.skipif(ZSH is None, reason="zsh is not installed")
def test_zsh_completes_commands_from_a_file_of_its_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app("completion zsh", result_action="return_value")
    (tmp_path / "_meetdeck").write_text(capsys.readouterr().out, encoding="utf-8")
    lines = f"""
        fpath=({tmp_path} $fpath); autoload -Uz _meetdeck
        _arguments() {{ state=cmds }}
        _describe() {{ print -l ${{(P)@[-1]}} }}
        _meetdeck
    """
    told = subprocess.run(  # noqa: S603 - the shell of this machine
        [str(ZSH), "-f"], input=lines, capture_output=True, text=True, check=True
    )
    assert "completion:Print a script" in told.stdout
    assert told.stderr == ""


@pytest.mark.skipif(FISH is None, reason="fish is not installed")
def test_fish_completes_commands_and_no_files_in_their_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app("completion fish", result_action="return_value")
    (tmp_path / "list.csv").touch()
    lines = capsys.readouterr().out + "complete -C 'meetdeck webhooks l'; complete -C 'meetdeck import l'"
    told = subprocess.run(  # noqa: S603 - the shell of this machine
        [str(FISH), "--no-config"], input=lines, capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert [line.partition("\t")[0] for line in told.stdout.splitlines()] == ["list", "listen", "list.csv"]
