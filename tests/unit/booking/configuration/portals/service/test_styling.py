"""A portal's styling: what is taken, what is refused and at which line, and that its layer holds all of it."""

import time

import pytest
import tinycss2
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs
from tinycss2.ast import AtRule

from meetdeck.booking.configuration.portals.service.styling import find_faults_of_styling, wrap_styling

LOGO = "https://static.nordlys.example/logo.svg"


def faults_of(css: str, logo_url: str = LOGO) -> list[str]:
    faults = find_faults_of_styling(css, logo_url)
    assert all(fault.pointer == "/styling" for fault in faults)
    return [fault.detail for fault in faults]


@pytest.mark.parametrize(
    "css",
    [
        "",
        " \n",
        "body { color: red !important }",
        ":root { --ds-color-accent-base-default: #7A1F3D; --any: { a: b } }",
        "h1 > a:hover::before, [data-x='{'] { content: '\\201C }' }",
        "main { position: fixed; inset: 0; &:focus-within { outline: 2px solid } > p { margin: 0 } }",
        "@media print { @supports (display: grid) { a:hover { color: red } } }",
        "@container page (width > 400px) { p { color: red } }",
        "@keyframes turn { from { rotate: 0deg } 50% { rotate: 90deg } }",
        "@layer a, b; @layer a { p { color: red } }",
        "@page { margin: 1cm }",
        "@font-face { font-family: N; src: local('N'), url(https://static.nordlys.example/n.woff2) format('woff2') }",
        "a { background: URL( 'HTTPS://Static.Nordlys.Example:443/a b.png' ) }",
        "a { background: image-set('https://static.nordlys.example/a.png' type('image/png') 1x) }",
        "/* a comment, with { and url(https://elsewhere.example/) */ p { color: red; }",
    ],
)
def test_css_is_taken_as_it_is(css: str) -> None:
    assert faults_of(css) == []
    assert css in wrap_styling(css, LOGO) or not css.strip()


@pytest.mark.parametrize(
    "address",
    [
        "https://elsewhere.example/",
        "https://static.nordlys.example.elsewhere.example/",
        "https://static.nordlys.example@elsewhere.example/",
        "https://static.nordlys.example:8443/",
        "https://static.nordlys.example\\\\@elsewhere.example/",
        "https://static.nordlys.example\\9.elsewhere.example/",
        "http://static.nordlys.example/",
        "//static.nordlys.example/",
        "/logo.svg",
        "logo.svg",
        "#filter",
        "data:image/png;base64,AAAA",
        "javascript:alert%281%29",
        "",
    ],
)
def test_addresses_elsewhere_are_refused_however_they_are_written(address: str) -> None:
    for css in (
        f"a {{ background: url({address}) }}",
        f"a {{ background: url('{address}') }}",
        f'a {{ --x: \\75RL("{address}") }}',
        f"a {{ background: image-set('{address}' 1x) }}",
        f"a {{ background: -webkit-image-set(url({address}) 1x) }}",
        f"a {{ background: src('{address}') }}",
        f"a {{ background: image(ltr '{address}') }}",
        f"@font-face {{ src: url({address}) }}",
        f"@supports (background: url({address})) {{ }}",
        f"@media x {{ a {{ &:hover {{ cursor: url({address}), auto }} }} }}",
        f"a[url({address})] {{ }}",
    ):
        assert "https://static.nordlys.example/" in " ".join(faults_of(f"p {{ }}\n{css}")), css
        assert faults_of(f"p {{ }}\n{css}")[0].startswith("Line 2: ")
        assert wrap_styling(css, LOGO) == ""


@pytest.mark.parametrize(
    "logo", ["", "https://", "http://[::1]/a.png", "https://a@b.example/", "https://a.example\\@b/"]
)
def test_without_a_logo_that_names_a_host_there_are_no_addresses(logo: str) -> None:
    (fault,) = faults_of("a { background: url(https://a.example/) }", logo)
    assert "logoUrl names no host" in fault


@pytest.mark.parametrize(
    "argument", ["var(--x)", "attr(data-x)", "env(x)", "--f('a')", "if(else: 'a')", "('a')", "['a']"]
)
def test_what_puts_addresses_together_is_refused(argument: str) -> None:
    for function in ("image-set", "src", "image", "-webkit-image-set"):
        assert faults_of(f"a {{ background: {function}({argument}) }}") != []


@pytest.mark.parametrize(
    ("css", "line", "said"),
    [
        ("\n@import 'https://static.nordlys.example/a.css';", 2, "@import is not allowed"),
        ("@\\69mport url(x);", 1, "@import is not allowed"),
        ("a { }\r\n\r\n@charset 'utf-8';", 3, "@charset is not allowed"),
        ("@namespace svg url(https://static.nordlys.example/);", 1, "@namespace is not allowed"),
        ("a { @import 'x'; }", 1, "@import is not allowed"),
        ("a { content: '</StYlE>' }", 1, "</style"),
        ("a { }\n<!-- b { } -->", 2, "belongs to HTML"),
        ("a { }\n}\nb { }", 2, "This } closes nothing"),
        ("a { }\nb { c: d", 2, "This { is not closed"),
        ("a { }\nb { c: calc(1px }", 2, "This } closes nothing"),
        ("a { }\nb { c: d }\n@media (print { }", 3, "This ( is not closed"),
        ("a[b", 1, "This [ is not closed"),
        ("a { }\n/* b", 2, "This comment is not closed"),
        ("a { b: 'c\n' }", 1, "not closed on its line"),
        ("a { b: 'c\\", 1, "A text is not closed"),
        ("a { b: url(c d) }", 1, "requires quotation marks"),
        ("a { b: url(https://static.nordlys.example/", 1, "An address is not closed"),
        ("a { }\np { color red }", 2, "write name: value;"),
        ("a { }\np { color: red } b", 2, "write selector { name: value; }"),
        ("{ color: red }", 1, "A selector is missing"),
        ("a { }\ncolor: red; b { }", 2, "belongs to no rule"),
        ("a { width: " + "1" * 5_000 + "px }", 1, "number is too long"),
    ],
)
def test_a_fault_names_its_line(css: str, line: int, said: str) -> None:
    found = faults_of(css)
    assert found[0].startswith(f"Line {line}: "), found
    assert said in " ".join(found), found
    assert wrap_styling(css, LOGO) == ""


def test_of_many_faults_the_first_twenty_are_named_in_order() -> None:
    found = faults_of("a { b: url(c) }\n" * 30)
    assert [fault.split(":")[0] for fault in found] == [f"Line {number}" for number in range(1, 21)]


def test_what_is_not_shown_is_logged_and_no_styling_is_not() -> None:
    with capture_logs() as logs:
        assert wrap_styling("a { }\n@import 'b';", LOGO) == ""
        assert wrap_styling("", LOGO) == ""
    assert [(entry["event"], entry["line"]) for entry in logs] == [("styling left out", 2)]


def test_half_a_character_can_be_shown() -> None:
    (fault,) = faults_of("@\\D800 x;")
    assert fault.encode()


@pytest.mark.parametrize(
    "part", ["(", "[", "{", "a{", "@media{", "image-set(", "url(", "/*", "\\", "a{b;}", "1e9", "'"]
)
def test_thirty_thousand_signs_of_anything_are_read_in_time(part: str) -> None:
    css = part * (30_000 // len(part))
    started = time.process_time()
    faults_of(css)
    assert time.process_time() - started < 1.5


_PARTS = st.sampled_from(
    [
        *"{}()[];:'\"\\\n@#<>!,u+?-",
        "/*",
        "*/",
        "a",
        "b:c;",
        "url(",
        "image-set(",
        "src(",
        "@media ",
        "@layer x",
        "<!--",
        "-->",
        "https://static.nordlys.example/",
        "https://elsewhere.example/",
        "@import ",
        "</style",
        "\\75rl(",
        "{}",
        "1",
    ]
)


@given(st.lists(_PARTS, max_size=25).map("".join))
def test_whatever_is_taken_stays_in_its_layer(css: str) -> None:
    wrapped = wrap_styling(css, LOGO)
    assert bool(wrapped) == (not faults_of(css) and bool(css.strip()))
    rules = tinycss2.parse_stylesheet(f"before{{}}{wrapped}after{{}}", skip_whitespace=True)
    assert [rule.type for rule in rules] == ["qualified-rule", *(["at-rule"] if wrapped else []), "qualified-rule"]
    if wrapped:
        assert isinstance(rules[1], AtRule)
        assert rules[1].lower_at_keyword == "layer"
