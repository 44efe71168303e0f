"""Completion of commands and options in shells: `meetdeck completion`."""

from typing import Literal

from cyclopts import App

from meetdeck.cli.parameters import show_examples

completion_app = App(
    name="completion",
    help_epilogue=show_examples(
        "source <(meetdeck completion bash)",
        "meetdeck completion zsh > ~/.zfunc/_meetdeck",
        "meetdeck completion fish > ~/.config/fish/completions/meetdeck.fish",
    ),
)


@completion_app.default
def completion(shell: Literal["bash", "zsh", "fish", "powershell"], /) -> None:
    """Print a script that completes commands and options in a shell.

    Parameters
    ----------
    shell
        The shell that reads the script.
    """
    from meetdeck.cli.command_line import app

    print(app.generate_completion(shell=shell))
