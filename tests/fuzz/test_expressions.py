"""Any expression: it comes to what plain Python says, and with any data the deck is sound or the data is refused."""

from collections.abc import Mapping, Sequence
from decimal import Decimal, localcontext
from html import escape
from typing import Any, NamedTuple

from hypothesis import assume, event, given
from hypothesis import strategies as st

from fuzz.engine import build_all
from meetdeck.present.deck.language.constructs import TagFinding
from meetdeck.present.deck.language.expressions.nodes import UnfitError
from meetdeck.present.deck.language.expressions.parser import parse_expression
from meetdeck.present.deck.language.parsing import parse_tag
from meetdeck.present.deck.program.names import Calculation, ScopeNames
from support.package_checker.samples import SLIDE_1, edit_parts, one_of_everything

_DATA: Mapping[str, Any] = {
    "a": 3,
    "b": Decimal("0.1"),
    "net worth": -7.25,
    "e-mail": "12.5",
    "no": 0,
    "yes": True,
    "word": "Ida",
    "items": [{"value": 4}, {"value": Decimal("2.5")}, {"value": -1}],
}


class _NoResultError(Exception):
    """The reference has no result."""


class _Case(NamedTuple):
    """An expression as it is written, and its result as a function of nothing."""

    text: str
    value: Any


def _number(value: object) -> Decimal:
    if isinstance(value, bool) or value is None:
        raise _NoResultError
    try:
        return Decimal(str(value))
    except ArithmeticError:
        raise _NoResultError from None


def _calculate(sign: str, left: object, right: object) -> Decimal:
    one, two = _number(left), _number(right)
    with localcontext(prec=28):
        match sign:
            case "+":
                return one + two
            case "-":
                return one - two
            case "*":
                return one * two
            case _ if two == 0:
                raise _NoResultError
            case "/":
                return one / two
            case _:
                return one % two


_names = st.sampled_from(sorted(_DATA.keys() - {"items", "yes", "word"})).map(lambda name: _Case(name, _DATA[name]))
_literals = st.decimals(0, 1000, places=2).map(lambda number: _Case(f"{number:f}", number))
_sums = st.sampled_from([_Case("(items | count)", 3), _Case('(items | sum:"value")', Decimal("5.5"))])
_leaves = _names | _literals | _sums


def _arithmetic(inner: st.SearchStrategy[_Case]) -> st.SearchStrategy[_Case]:
    def combine(left: _Case, sign: str, right: _Case, spelling: str) -> _Case:
        try:
            value = (
                _NoResultError
                if _NoResultError in (left.value, right.value)
                else _calculate(sign, left.value, right.value)
            )
        except _NoResultError:
            value = _NoResultError
        return _Case(f"({left.text} {spelling if sign == '-' else sign} {right.text})", value)

    return st.builds(combine, inner, st.sampled_from("+-*/%"), inner, st.sampled_from(["-", "\u2013", "\u2212"]))


_amounts = st.recursive(_leaves, _arithmetic, max_leaves=8)


@st.composite
def _conditions(draw: st.DrawFn, depth: int = 2) -> _Case:
    if depth == 0 or draw(st.booleans()):
        sign = draw(st.sampled_from(["<", "<=", ">", ">=", "=", "!=", "==", "<>", "\u2265", "\u2264", "\u2260"]))
        left, right = draw(_amounts), draw(_amounts)
        assume(_NoResultError not in (left.value, right.value))
        one, two = _number(left.value), _number(right.value)
        plain = {"=": "==", "<>": "!=", "\u2265": ">=", "\u2264": "<=", "\u2260": "!="}.get(sign, sign)
        results = {"<": one < two, "<=": one <= two, ">": one > two, ">=": one >= two, "==": one == two}
        return _Case(f"{left.text} {sign} {right.text}", results.get(plain, one != two))
    left, right = draw(_conditions(depth - 1)), draw(_conditions(depth - 1))
    match draw(st.sampled_from(["and", "or", "not"])):
        case "and":
            return _Case(f"({left.text}) and ({right.text})", left.value and right.value)
        case "or":
            return _Case(f"({left.text}) or ({right.text})", left.value or right.value)
        case _:
            return _Case(f"not ({left.text})", not left.value)


def _evaluate(text: str) -> object:
    assume(len(text) < 400)
    names = ScopeNames(_DATA, (), "en", Calculation(), _DATA.get)
    straight = text.replace("\u2013", "-").replace("\u2212", "-")
    return parse_expression(straight, text).evaluate(names)


@given(_amounts)
def test_amounts_come_to_what_decimals_do(case: _Case) -> None:
    assume(case.text.count("(") < 15)
    if case.value is _NoResultError:
        try:
            _evaluate(case.text)
        except UnfitError:
            event("refused")
            return
        raise AssertionError(case.text)
    found = _evaluate(case.text)
    # Both round each step to 28 digits; a result that is next to nothing may be nothing here.
    expected = _number(case.value)
    assert abs(_number(found) - expected) <= abs(expected) * Decimal("1e-20") + Decimal("1e-55")


@given(_conditions(), _amounts, _amounts)
def test_conditions_choose_as_they_would_in_python(test: _Case, then: _Case, other: _Case) -> None:
    assume(test.text.count("(") < 15)
    assume(_NoResultError not in (then.value, other.value))
    assert bool(_evaluate(test.text)) is test.value
    chosen = _evaluate(f"{then.text} if {test.text} else {other.text}")
    expected = _number(then.value if test.value else other.value)
    assert abs(_number(chosen) - expected) <= abs(expected) * Decimal("1e-20") + Decimal("1e-55")


_tokens = st.sampled_from(
    [
        *(
            "a",
            "net worth",
            "e-mail",
            "items",
            "name",
            ".",
            "@number",
            "$today",
            "1",
            "0.5",
            "-",
            "\u2013",
            "+",
            "*",
            "/",
        ),
        *(
            "%",
            "(",
            ")",
            "<",
            ">=",
            "=",
            "!=",
            "\u2265",
            "and",
            "or",
            "not",
            "if",
            "else",
            '"x"',
            "'y'",
            "\u201cz\u201d",
        ),
        *("| count", '| sum:"value"', "| average", '| sort:"-value"', '| where:"value > 1"', "| first:2", "| last"),
        *(
            "| relative",
            '| add:"1 month"',
            "| number:1",
            '| plural:"a, b"',
            "| short",
            "| join",
            "|",
            ":",
            ",",
            '"',
            "!",
        ),
        *("\u201cz\u201d", ",", '"', "!", "{{/}}", "#", "^", "if:", "each:", "null", "true", "\u200b", "\u00a0"),
    ]
)


@given(st.lists(_tokens, max_size=10), st.sampled_from(["", "#", "^", "if:", "unless:", "each:", "chart:", "image:"]))
def test_any_tokens_are_a_tag_or_a_finding_with_words(tokens: Sequence[str], start: str) -> None:
    construct = parse_tag(start + " ".join(tokens))
    if isinstance(construct, TagFinding):
        assert construct.message
        assert construct.severity == "Error"


_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**70), 10**70)
    | st.floats()
    | st.sampled_from(["x", "2026-03-12", "1e99"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["value", "a"]), inner, max_size=2),
    max_leaves=8,
)


@given(
    st.lists(_tokens, min_size=1, max_size=7),
    st.dictionaries(st.sampled_from(["a", "net worth", "items", "$today", "$locale"]), _values, max_size=4),
)
def test_any_expression_with_any_data(tokens: Sequence[str], data: Mapping[str, object]) -> None:
    body = " ".join(tokens).replace("{{/}}", "")
    text = escape(f"{{{{{body}}}}} {{{{#{body}}}}}x{{{{/}}}} Dear {{{{cust", quote=False)
    build_all(edit_parts(one_of_everything(), {SLIDE_1: lambda xml: xml.replace("Dear {{cust", text)}), data)
