"""Trees of resources: roots, what is below one, and the way to one."""

from typing import Any

from meetdeck.pages.console.settings.trees import Tree


def make(key: str, *above: str, members: int = 0) -> dict[str, Any]:
    return {"id": key, "name": key.upper(), "above": [*above], "employeeIds": ["x"] * members}


def names(nodes: list[Any]) -> list[str]:
    return [one.name for one in nodes]


def test_what_stands_below_nothing_is_on_top_and_below_two_is_below_both() -> None:
    tree = Tree([make("a", members=2), make("b"), make("c", "a", "b"), make("d", "c")], "above")
    assert [(one.name, one.members, one.below) for one in tree.list_below("")] == [("A", 2, 1), ("B", 0, 1)]
    assert names(tree.list_below("a")) == names(tree.list_below("b")) == ["C"]
    assert names(tree.find_way("d")) == ["A", "C"]
    assert tree.find_way("a") == []
    assert tree.find("nobody") is None


def test_what_stands_below_one_that_is_gone_is_on_top() -> None:
    assert names(Tree([make("a", "gone")], "above").list_below("")) == ["A"]


def test_a_circle_ends_the_way() -> None:
    tree = Tree([make("a", "b"), make("b", "a")], "above")
    assert len(tree.find_way("a")) <= 32
