"""The calls that the manual shows for each operation, as programs that compilers check."""

from collections.abc import Iterator
from textwrap import indent

from tools.manual.reference.calls import Call, choose_example, write_python, write_typescript
from tools.manual.reference.document import list_operations

from meetdeck.app import describe_api
from meetdeck.platform.values import Version


def write_python_calls() -> str:
    """Return all calls in Python, each in a function of its own."""
    functions = [
        f"def {name}(client: Meetdeck) -> None:\n{indent(call.code, '    ')}\n" for name, call, _ in _list_calls()
    ]
    return "\n\n".join(["from meetdeck_client import Meetdeck", *functions])


def write_typescript_calls() -> str:
    """Return all calls in TypeScript, each in a function of its own."""
    functions = [
        f"export async function {name}(client: Meetdeck, file: Blob) {{\n{call.code}\n{_give_back(call)}}}\n"
        for name, _, call in _list_calls()
    ]
    return "\n".join(['import type { Meetdeck } from "@meetdeck/client";', *functions])


def _list_calls() -> Iterator[tuple[str, Call, Call]]:
    document = describe_api(Version.V3)
    for operation in list_operations(document):
        example = choose_example(document, operation)
        yield operation.name, write_python(document, operation, example), write_typescript(operation, example)


def _give_back(call: Call) -> str:
    return "return answer;\n" if "const answer" in call.code else ""
