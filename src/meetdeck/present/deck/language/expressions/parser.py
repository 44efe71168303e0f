"""Reading expressions: a recursive descent, one method for each level of precedence.

    choice      = either ["if" either "else" choice]
    either      = both {"or" both}
    both        = inversion {"and" inversion}
    inversion   = {"not"} comparison
    comparison  = amount [sign amount]
    amount      = sum {"|" filter {further terms}}
    sum         = product {("+" | "-") product}
    product     = factor {("*" | "/" | "%") factor}
    factor      = {"-"} operand {"|" filter about lists}
    operand     = number | text | name | "(" choice ")"

A filter about lists takes what stands directly before it, any other the whole amount: `a | count + b | count` adds two
counts, `a + b | number:2` writes a sum.
"""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Final

from meetdeck.present.deck.language.expressions.making import FilterFaultError, make_filter
from meetdeck.present.deck.language.expressions.nodes import (
    AndNode,
    Arithmetic,
    Choice,
    Comparison,
    ExpressionNode,
    FilterNode,
    Literal,
    NegationNode,
    OrNode,
    Path,
    Today,
    Truth,
)
from meetdeck.present.deck.language.expressions.tokens import ExpressionError, Token, read_tokens
from meetdeck.present.deck.language.filters import LIST_FILTERS, FilterCall
from meetdeck.present.deck.language.paths import parse_path

COMPARISONS: Final = frozenset({"=", "!=", "<", "<=", ">", ">="})
# More than anybody writes, and few enough for Python's stack.
_DEEPEST: Final = 20
_MOST_TOKENS: Final = 150
_CONSTANTS: Final = {"true": True, "false": False, "null": None}
_FILTER_NAME: Final = re.compile(r"\w+")

MakePath = Callable[[str], "tuple[str, ...] | None"]


def parse_expression(straight: str, text: str) -> ExpressionNode:
    """Return the node of an expression; `straight` is the text with straight quotes and plain hyphens.

    Raises `ExpressionError`.
    """
    return _Parser(read_tokens(straight, text), straight).parse()


class _Parser:
    def __init__(self, tokens: list[Token], straight: str) -> None:
        self._tokens = tokens
        self._straight = straight
        self._at = 0
        self._depth = 0

    def parse(self) -> ExpressionNode:
        if len(self._tokens) > _MOST_TOKENS:
            raise ExpressionError("the expression is too long", self._tokens[_MOST_TOKENS].start)
        node = self._choice()
        if self._token.kind != "end":
            raise self._unexpected()
        return node

    @property
    def _token(self) -> Token:
        return self._tokens[self._at]

    def _takes(self, *signs: str) -> str:
        """Return the sign at this position, and step over it; empty for any other."""
        token = self._token
        if token.kind == "sign" and token.text in signs:
            self._at += 1
            return token.text
        return ""

    def _unexpected(self) -> ExpressionError:
        token, before = self._token, self._tokens[self._at - 1] if self._at else None
        start = token.start
        if before is None and token.text in {"if", "not"}:
            condition = self._straight[token.end :].strip() or "x > 100"
            return ExpressionError(f"a condition must be in a block, like {{{{#{condition}}}}}\u2026{{{{/}}}}", start)
        if token.kind == "end":
            return ExpressionError(f"a value is missing behind {before.text!r}" if before else "it is empty", start)
        if token.text == "|" and before and before.text == "|":
            return ExpressionError("for either of two write or", start, (before.start, token.end, "or"))
        if token.text == "," and before and before.is_number:
            return ExpressionError("numbers have a decimal point here", start, (start, token.end, "."))
        if before and before.kind != "sign" and token.kind != "sign":
            return ExpressionError(f"an operator is missing before {token.text!r}", start)
        return ExpressionError(f"{token.text!r} does not fit here", start)

    def _choice(self) -> ExpressionNode:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ExpressionError("the expression is nested too deep", self._token.start)
        then = self._either()
        if self._takes("if"):
            test = self._either()
            if not self._takes("else"):
                end = self._token.start
                raise ExpressionError("if needs else and another value after it", end, (end, end, ' else ""'))
            then = self._chosen(then, test, self._choice())
        self._depth -= 1
        return then

    def _chosen(self, then: ExpressionNode, test: ExpressionNode, other: ExpressionNode) -> ExpressionNode:
        """Return a choice; filters at its end apply to whatever is chosen, unless they are in parentheses."""
        calls: list[FilterCall] = []
        while isinstance(other, FilterNode) and self._tokens[self._at - 1].text != ")":
            calls.append(other.call)
            other = other.inner
        node: ExpressionNode = Choice(then, test, other)
        for call in reversed(calls):
            node = FilterNode(node, call)
        return node

    def _either(self) -> ExpressionNode:
        node = self._both()
        while self._takes("or"):
            node = OrNode(node, self._both())
        return node

    def _both(self) -> ExpressionNode:
        node = self._inversion()
        while self._takes("and"):
            node = AndNode(node, self._inversion())
        return node

    def _inversion(self) -> ExpressionNode:
        count = 0
        while self._takes("not"):
            count += 1
        node = self._comparison()
        return Truth(node, expected=count % 2 == 0) if count else node

    def _comparison(self) -> ExpressionNode:
        left = self._amount()
        sign = self._takes(*COMPARISONS)
        if not sign:
            return left
        middle = self._token
        node = Comparison(sign, left, self._amount())
        if self._token.kind == "sign" and self._token.text in COMPARISONS:
            start = self._token.start
            again = f"and {self._straight[middle.start : start].strip()} "
            fix = (start, start, again)
            raise ExpressionError("only two values are compared at a time; write and between two", start, fix)
        return node

    def _amount(self) -> ExpressionNode:
        node = self._sum(self._product(self._factor()))
        while self._takes("|"):
            node = self._sum(self._product(self._filter(node)))
        return node

    def _sum(self, node: ExpressionNode) -> ExpressionNode:
        while sign := self._takes("+", "-"):
            node = Arithmetic(sign, node, self._product(self._factor()))
        return node

    def _product(self, node: ExpressionNode) -> ExpressionNode:
        while sign := self._takes("*", "/", "%"):
            node = Arithmetic(sign, node, self._factor())
        return node

    def _factor(self) -> ExpressionNode:
        count = 0
        while self._takes("-"):
            count += 1
        node = self._operand()
        while self._token.text == "|" and self._tokens[self._at + 1].text in LIST_FILTERS:
            self._at += 1
            node = self._filter(node)
        return NegationNode(node) if count % 2 else node

    def _operand(self) -> ExpressionNode:
        token = self._token
        if token.kind == "text":
            self._at += 1
            return Literal(token.text)
        if token.kind == "name":
            return self._name()
        if self._takes("("):
            node = self._choice()
            if not self._takes(")"):
                if self._token.kind == "end":
                    end = self._token.start
                    raise ExpressionError("a parenthesis is not closed", token.start, (end, end, ")"))
                raise self._unexpected()
            return node
        raise self._unexpected()

    def _name(self) -> ExpressionNode:
        """Return a name, which may have blanks, or the number or constant that it is."""
        first = self._token
        while self._token.kind == "name":
            self._at += 1
        last = self._tokens[self._at - 1]
        if first is last and first.is_number:
            return Literal(Decimal(first.text))
        text = self._straight[first.start : last.end]
        if text in _CONSTANTS:
            return Literal(_CONSTANTS[text])
        if "&&" in text:
            at = first.start + text.index("&&")
            raise ExpressionError("for both of two write and", at, (at, at + 2, "and"))
        if self._token.text == "(":
            raise ExpressionError(
                f"there are no calls; write a filter after the value, like items | {text}", self._token.start
            )
        if text == "$today":
            return Today()
        return self._path(text, first)

    def _path(self, text: str, first: Token) -> Path:
        segments = parse_path(text, item_members=True)
        if segments is None:
            raise ExpressionError(f"{text!r} is not a name", first.start)
        return Path(".".join(segments) or ".", segments)

    def _filter(self, base: ExpressionNode) -> ExpressionNode:
        token = self._token
        if token.kind != "name" or not _FILTER_NAME.fullmatch(token.text):
            raise self._unexpected()
        self._at += 1
        argument, quoted, has_colon = "", True, bool(self._takes(":"))
        value = self._token
        if has_colon or value.kind in {"name", "text"}:
            argument, quoted = self._argument(token)
        try:
            node = make_filter(base, FilterCall(token.text, argument), quoted=quoted, parse=parse_expression)
        except FilterFaultError as fault:
            fix = (token.start, token.end, fault.nearest) if fault.nearest else None
            raise _filter_error(token, str(fault), fix) from fault
        if argument and not has_colon:
            raise _filter_error(token, "its argument follows a colon", (token.end, value.start, ":"))
        return node

    def _argument(self, of: Token) -> tuple[str, bool]:
        """Return the argument of a filter, and whether it is in quotation marks."""
        token = self._token
        if token.kind == "text":
            self._at += 1
            if self._token.text in {":", ","}:
                raise _filter_error(of, "it takes one argument")
            return token.text, True
        sign = self._takes("+", "-")
        value = self._token
        if value.kind != "name":
            raise _filter_error(of, "an argument is missing after the colon")
        self._at += 1
        if self._token.kind == "name" or self._token.text in {":", ","}:
            while self._token.kind == "name" or self._token.text in {":", ","}:
                self._at += 1
            end = self._tokens[self._at - 1].end
            fix = (token.start, end, f'"{self._straight[token.start : end]}"')
            raise _filter_error(of, "an argument of several words needs quotation marks", fix)
        return sign + value.text, False


def _filter_error(token: Token, fault: str, fix: tuple[int, int, str] | None = None) -> ExpressionError:
    """Return the error of a filter, named by its token."""
    problem = ExpressionError(f"{token.text}: {fault}", token.start, fix)
    problem.in_filter = True
    return problem
