"""What Meetdeck uses of tinycss2, which ships no types."""

from collections.abc import Sequence

from tinycss2.ast import AtRule, Comment, Declaration, ParseError, QualifiedRule, Node, WhitespaceToken

def parse_component_value_list(css: str, skip_comments: bool = False) -> list[Node]: ...
def parse_rule_list(
    input: Sequence[Node], skip_comments: bool = False, skip_whitespace: bool = False
) -> list[AtRule | QualifiedRule | Comment | WhitespaceToken | ParseError]: ...
def parse_blocks_contents(
    input: Sequence[Node], skip_comments: bool = False, skip_whitespace: bool = False
) -> list[AtRule | Declaration | QualifiedRule | Comment | WhitespaceToken | ParseError]: ...
def parse_stylesheet(
    input: str, skip_comments: bool = False, skip_whitespace: bool = False
) -> list[AtRule | QualifiedRule | Comment | WhitespaceToken | ParseError]: ...
def serialize(nodes: Sequence[Node]) -> str: ...
