"""The nodes that Meetdeck looks at; all others are a `Node` of another `type`."""

class Node:
    source_line: int
    type: str

class ParseError(Node):
    kind: str

class Comment(Node): ...
class WhitespaceToken(Node): ...

class LiteralToken(Node):
    value: str

class AtKeywordToken(Node):
    lower_value: str

class StringToken(Node):
    value: str

class URLToken(Node):
    value: str

class _Block(Node):
    content: list[Node]

class ParenthesesBlock(_Block): ...
class SquareBracketsBlock(_Block): ...
class CurlyBracketsBlock(_Block): ...

class FunctionBlock(Node):
    lower_name: str
    arguments: list[Node]

class Declaration(Node): ...

class QualifiedRule(Node):
    prelude: list[Node]
    content: list[Node]

class AtRule(Node):
    lower_at_keyword: str
    content: list[Node] | None
