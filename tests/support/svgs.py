"""SVGs for tests: harmless ones, and the contents of hostile ones."""

SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def make_svg(
    inside: str = '<rect width="200" height="100" fill="#0a0"/>', size: str = 'viewBox="0 0 200 100"'
) -> bytes:
    """Return an SVG with this content."""
    return f"<svg {SVG} {size}>{inside}</svg>".encode()


HOSTILE = {
    "script": "<script>alert(1)</script>",
    "onclick": '<rect width="1" height="1" onclick="alert(1)"/>',
    "foreignObject": '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
    "animate": '<rect width="1" height="1"><animate attributeName="href" to="file:///etc/passwd"/></rect>',
    "image": '<image href="file:///etc/passwd" width="9" height="9"/>',
    "feImage in a filter": '<filter id="f"><feImage href="http://evil.example/x"/></filter>',
    "use of another file": '<use href="http://evil.example/x.svg#a"/>',
    "xlink": '<use xlink:href="file:///etc/passwd#a"/>',
    "fill": '<rect width="1" height="1" fill="url(http://evil.example/x#a)"/>',
    "style": '<rect width="1" height="1" style="fill:URL( \'//evil.example/x\' )"/>',
    "escaped": '<rect width="1" height="1" style="fill:\\75rl(//evil.example/x)"/>',
    "gradient": '<linearGradient id="g" href="http://evil.example/g#x"/>',
    "import": "<style>@import url(http://evil.example/x.css);</style>",
    "font": "<style>@font-face{font-family:x;src:url(http://evil.example/x.woff)}</style>",
    "rule": "<style>rect{fill:url(http://evil.example/x)}</style><rect width='1' height='1'/>",
    "link": '<a href="javascript:alert(1)"><rect width="1" height="1"/></a>',
    "tref": '<text><tref xlink:href="http://evil.example/x"/></text>',
    "pattern": '<pattern id="p"><image href="file:///etc/passwd"/></pattern>',
    "html": '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
    "set": '<set attributeName="onload" to="alert(1)"/>',
    "cursor": '<cursor href="http://evil.example/c"/>',
    "switch": '<switch><image href="http://evil.example/c"/></switch>',
}
