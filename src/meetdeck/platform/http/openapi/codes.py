"""The codes of refusals that a function may raise, found in its compiled code and that of all functions it calls."""

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, get_args, get_origin

from meetdeck.platform.errors import MeetdeckError

_OWN: Final = "meetdeck"
_WORD: Final = re.compile(r"[A-Z]\w+")
Raised = frozenset[type[MeetdeckError]]


def find_raised(function: Callable[..., Any]) -> Raised:
    """Return the classes of errors that a function names, or one that it calls does, at any depth.

    Calls of methods are followed into every class that the caller's annotations or code name: rather a class too many.
    Classes that are only caught count, too, because they may be raised again. A protocol's method raises the errors
    that its docstring names.
    """
    found: set[type[MeetdeckError]] = set()
    seen: set[FunctionType] = set()
    waiting = [*_functions_of(inspect.unwrap(function))]
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        raised, called = _read(current)
        found |= raised
        waiting += [each for each in called if each not in seen]
    return frozenset(found)


@cache
def _read(function: FunctionType) -> tuple[Raised, tuple[FunctionType, ...]]:
    """Return the errors that a function names itself, and the functions that it may call."""
    attributes = {name for code in _list_code(function.__code__) for name in code.co_names}
    if not attributes:  # a protocol's
        attributes = set(_WORD.findall(function.__doc__ or ""))
    things: list[object] = [function.__globals__[name] for name in attributes & function.__globals__.keys()]
    for module in [thing for thing in things if isinstance(thing, ModuleType) and thing.__name__.startswith(_OWN)]:
        things += [getattr(module, name) for name in attributes if hasattr(module, name)]
    errors = frozenset(thing for thing in things if isinstance(thing, type) and issubclass(thing, MeetdeckError))
    classes = {kind for thing in [*things, *inspect.get_annotations(function).values()] for kind in _classes_of(thing)}
    called = [each for thing in things for each in _functions_of(thing)]
    for thing in [thing for thing in things if _is_ours(type(thing)) and not isinstance(thing, type)]:
        called += [each for value in _members_of(thing) for each in _functions_of(value)]
    for kind in {*classes, *_owner_classes(function)}:
        members = _read_class(kind)
        called += [each for name in attributes & members.keys() for each in _functions_of(members[name])]
    return errors, tuple(each for each in called if each.__module__.startswith(_OWN))


@cache
def _read_class(kind: type) -> dict[str, object]:
    """Return the members of a class and its bases, as they are written there."""
    members: dict[str, object] = {}
    for base in reversed(kind.__mro__):
        members |= vars(base)
    return members


def _list_code(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code, and that of the functions inside."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _list_code(constant)


def _functions_of(thing: object) -> Iterator[FunctionType]:
    """Yield the functions that a name stands for: a function, a method, a property, what a class runs when called."""
    wrapped: object = getattr(thing, "__wrapped__", None)  # by a decorator, as a class's or a static method
    if wrapped is not None:
        yield from _functions_of(wrapped)
    elif isinstance(thing, FunctionType):
        yield thing
    elif isinstance(thing, property):
        yield from _functions_of(thing.fget)
    elif inspect.ismethod(thing):
        yield from _functions_of(thing.__func__)
    elif isinstance(thing, type) and thing.__module__.startswith(_OWN):
        for name in ("__init__", "__post_init__"):
            yield from _functions_of(thing.__dict__.get(name))


def _classes_of(annotation: object) -> Iterator[type]:
    """Yield our own classes in an annotation, or that of an object."""
    for part in get_args(annotation):
        yield from _classes_of(part)
    kind = get_origin(annotation) or annotation
    kind = kind if isinstance(kind, type) else type(kind)
    if _is_ours(kind):
        yield kind


def _members_of(thing: object) -> Iterator[object]:
    """Yield the values of an object's members, such as the functions that a table of resources was made of."""
    names = (*getattr(thing, "__dict__", ()), *getattr(thing, "__struct_fields__", ()), *getattr(thing, "_fields", ()))
    return (getattr(thing, name, None) for name in names)


def _with_subclasses(kind: type) -> Iterator[type]:
    yield kind
    for each in kind.__subclasses__():
        yield from _with_subclasses(each)


def _is_ours(kind: type) -> bool:
    return kind.__module__.startswith(_OWN)


@cache
def _owner_classes(function: FunctionType) -> frozenset[type]:
    """Return the class of a method with its subclasses, and the classes of what its instances are made of."""
    owner: object = inspect.getmodule(function)
    for step in function.__qualname__.split(".")[:-1]:
        owner = getattr(owner, step, None)
    if not isinstance(owner, type):
        return frozenset()
    found = {*_with_subclasses(owner)}
    for annotations in (inspect.get_annotations(owner), inspect.get_annotations(owner.__init__)):
        found |= {kind for annotation in annotations.values() for kind in _classes_of(annotation)}
    return frozenset(found)
