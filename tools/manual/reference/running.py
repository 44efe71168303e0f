"""The reference pages of events, metrics, settings and commands, as Markdown made from what declares them."""

from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Any, Final, Literal, Union, cast, get_args, get_origin

from cyclopts import App
from prometheus_client import REGISTRY
from prometheus_client.metrics import MetricWrapperBase
from pydantic.fields import FieldInfo
from tools.manual.reference.document import Json

import meetdeck.serving
import meetdeck.worker  # with the one above, every metric is registered
from meetdeck.cli.command_line import app
from meetdeck.events.schemas import WHEN_SENT
from meetdeck.platform.http.openapi.texts import read_own_docstrings
from meetdeck.platform.settings import ProviderSettings, Settings

_REGISTERED: Final = (meetdeck.serving, meetdeck.worker)
_LIMITS: Final = {"ge": "at least {}", "gt": "above {}", "le": "at most {}", "lt": "below {}"}
_RANGE: Final = frozenset({"ge", "le"})


def write_events(document: Json, places: Mapping[str, str]) -> str:
    """Return the page of all types of events; `places` has the page and anchor of each type of data."""
    lines = ["# Event types", ""]
    lines.append("Every type of event in the [feed and of webhooks](../events.md), with the resource in its `data`.")
    for name, told in WHEN_SENT.items():
        body = document["webhooks"][name]["post"]["requestBody"]["content"]["application/json"]["schema"]
        data: Json = body["allOf"][1]["properties"]["data"] if "allOf" in body else {}
        choices: list[Json] = data.get("anyOf", [data])
        kinds = [_link(each, places) for each in choices if each.get("type") != "null"]
        lines += ["", f"## `{name}`", "", told, "", f"`data`: {' or '.join(kinds)}." if any(kinds) else ""]
    return "\n".join([*lines, ""])


def _link(schema: Json, places: Mapping[str, str]) -> str:
    name = schema.get("$ref", "").rpartition("/")[2]
    return f"[{name}]({places[name]})" if name in places else f"`{name or schema.get('type', 'any value')}`"


def write_metrics() -> str:
    """Return the page of all metrics."""
    lines = ["# Metrics by name", ""]
    lines.append(
        "Every number at `/metrics`. [Metrics](../operations/metrics.md) says which are good, and which alert."
    )
    lines += ["", "| number | kind | labels | meaning |", "|---|---|---|---|"]
    rows = sorted(_list_metrics())
    return "\n".join(
        [*lines, *(f"| `{name}` | {kind} | {labels} | {meaning} |" for name, kind, labels, meaning in rows), ""]
    )


def _list_metrics() -> Iterator[tuple[str, str, str, str]]:
    for collector in list(REGISTRY._collector_to_names):  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - it has no list
        if isinstance(collector, MetricWrapperBase):
            (metric,) = collector.describe()
            names = cast("tuple[str, ...]", vars(collector)["_labelnames"])
            labels = ", ".join(f"`{name}`" for name in names)
            name = f"{metric.name}_total" if metric.type == "counter" else metric.name
            yield name, metric.type, labels, _escape(metric.documentation)


def write_settings() -> str:
    """Return the page of all settings."""
    lines = ["# Settings by name", ""]
    lines.append(
        "Every environment variable that Meetdeck reads. [Settings](../operations/settings.md) explains them by task."
    )
    lines += ["", "| variable | meaning | values | default |", "|---|---|---|---|"]
    return "\n".join([*lines, *sorted(_list_settings()), ""])


def _list_settings() -> Iterator[str]:
    meanings = read_own_docstrings(Settings)
    of_providers = read_own_docstrings(ProviderSettings)
    for name, field in Settings.model_fields.items():
        if field.annotation is ProviderSettings:
            for own, inner in ProviderSettings.model_fields.items():
                meaning = of_providers.get(own, "")
                yield _write_setting(f"{name}_{own}", inner, f"{meanings.get(name, '')} {meaning}".strip())
        else:
            yield _write_setting(name, field, meanings.get(name, ""))


def _write_setting(name: str, field: FieldInfo, meaning: str) -> str:
    also = f", `{field.validation_alias}`" if isinstance(field.validation_alias, str) else ""
    variable = f'<a id="{name}"></a>`MEETDECK_{name.upper()}`{also}'
    default = _write_default(field.get_default(call_default_factory=True, validated_data={}))
    return f"| {variable} | {_escape(meaning)} | {_name_values(field)} | {default} |"


def _write_default(value: object) -> str:
    if value in (None, "", ()):
        return "none"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, frozenset):
        return "all of them"
    return f"`{value}`"


def _name_values(field: FieldInfo) -> str:
    choices = [_name_kind(kind) for kind in _list_kinds(field.annotation)]
    limits = {key: getattr(limit, key) for limit in _list_limits(field) for key in _LIMITS if hasattr(limit, key)}
    is_range = {*limits} >= _RANGE and isinstance(limits["ge"], int)
    told = (
        [f"{limits['ge']:,} to {limits['le']:,}"]
        if is_range
        else [_LIMITS[key].format(value) for key, value in limits.items()]
    )
    return ", ".join([" or ".join(dict.fromkeys(choices)), *told])


def _list_kinds(annotation: Any) -> Iterator[Any]:  # noqa: ANN401 - an annotation
    """Yield the choices of an annotation, without None."""
    if get_origin(annotation) in {Union, UnionType, Literal}:
        for inner in get_args(annotation):
            yield from _list_kinds(inner)
    elif annotation is not type(None):
        yield annotation


def _list_limits(field: FieldInfo) -> Iterator[Any]:
    yield from field.metadata
    for inner in get_args(field.annotation):
        for told in getattr(inner, "__metadata__", ()):
            yield from getattr(told, "metadata", ())


def _name_kind(kind: Any) -> str:  # noqa: ANN401 - an annotation
    kind = getattr(kind, "__origin__", kind) if hasattr(kind, "__metadata__") else kind
    if isinstance(kind, str):
        return f"`{kind}`"
    if issubclass(get_origin(kind) or kind, tuple | frozenset):
        return "list, separated by commas"
    name = kind.__name__
    names = {"int": "number", "float": "number", "bool": "`true` or `false`", "timedelta": "duration", "Path": "path"}
    names |= {"str": "text", "SecretStr": "text (secret)"}
    return names.get(name, "text")


def write_commands() -> str:
    """Return the page of all commands."""
    lines = ["# Commands by name", ""]
    lines.append(
        "Every command with its options, as `--help` prints them. [Commands](../operations/commands.md) has the tasks."
    )
    for words, command in _list_commands(app, ["meetdeck"]):
        lines += ["", f"## `{' '.join(words)}`", "", *_describe_command(command)]
    return "\n".join([*lines, ""])


def _list_commands(group: App, before: list[str]) -> Iterator[tuple[list[str], App]]:
    for name in sorted(group):
        command = group[name]
        if name.startswith("-") or name != command.name[0]:  # an option, or a second name of a command
            continue
        has_commands = any(not each.startswith("-") for each in command)
        if not has_commands or command.default_command is not None:
            yield [*before, name], command
        if has_commands:
            yield from _list_commands(command, [*before, name])


def _describe_command(command: App) -> list[str]:
    help_text = command.help.partition("Parameters\n")[0].strip()
    rows = [
        f"| `{_name_argument(argument)}` | {_name_option(argument)} | {_escape(argument.parameter.help or '')} |"
        for argument in command.assemble_argument_collection(parse_docstring=True)
        if argument.show
    ]
    table = ["| option | default | meaning |", "|---|---|---|", *rows] if rows else []
    return [*(line.strip() for line in help_text.splitlines()), "", *table]


def _name_argument(argument: Any) -> str:  # noqa: ANN401 - cyclopts' argument
    name: str = argument.names[0]
    return name if argument.index is None else name.lstrip("-").upper()


def _name_option(argument: Any) -> str:  # noqa: ANN401 - cyclopts' argument
    if argument.required:
        return "required"
    default = argument.field_info.default
    shown = default not in (None, False, "") and isinstance(default, str | int)
    return f"`{default}`" if shown else ""


def _escape(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
