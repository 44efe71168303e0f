"""Completion of commands and options in shells: `meetdeck completion`."""

from typing import Final, Literal

from cyclopts import App

from meetdeck.cli.parameters import show_examples

_ZSH_END: Final = """
if [[ $funcstack[1] == _meetdeck ]]; then
  _cyclopts_meetdeck "$@"
else
  compdef _cyclopts_meetdeck meetdeck
fi
"""
"""The call that the generated script lacks: zsh reads the file as the body of `_meetdeck` when that is first needed."""
_FISH_GROUP: Final = "complete -c meetdeck -n '__fish_meetdeck_using_command {name}' -f"
"""No files are offered where only a command can follow."""

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

    script = app.generate_completion(shell=shell)
    if shell == "zsh":
        script = script.rstrip() + "\n" + _ZSH_END
    elif shell == "fish":
        groups = [name for name in app if not name.startswith("-") and _needs_command(app[name])]
        script = "\n".join([script.rstrip(), *(_FISH_GROUP.format(name=name) for name in groups), ""])
    print(script, end="")


def _needs_command(command: App) -> bool:
    """Return whether a command consists of others and does nothing by itself."""
    return command.default_command is None and any(not name.startswith("-") for name in command)
