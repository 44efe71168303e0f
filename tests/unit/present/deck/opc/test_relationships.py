"""Relationships read from bytes are those that a parser finds, however they are written."""

import io
import zipfile

import pytest

from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.findings import Finding
from meetdeck.present.deck.opc.package import Package, read_package
from meetdeck.present.deck.opc.xml import parse

_NAMESPACE = "http://schemas.openxmlformats.org/package/2006/relationships"
_HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n"
_USUAL = '<Relationship Id="rId1" Type="http://x.org/slide" Target="../a-b_c.xml"/>'
_TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'


def _read(relationships: str) -> tuple[Package, list[Finding]]:
    findings: list[Finding] = []
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("a-b_c.xml", "<a/>")
        archive.writestr("_rels/.rels", relationships)
    return read_package(file.getvalue(), findings), findings


def _list(inside: str) -> str:
    return f'{_HEAD}<Relationships xmlns="{_NAMESPACE}">{inside}</Relationships>'


@pytest.mark.parametrize(
    "written",
    [
        _list(""),
        _list(_USUAL),
        _list(_USUAL).removeprefix(_HEAD),
        _list(_USUAL.replace("/>", " />") + _USUAL.replace("rId1", "rId2")),
        _list(_USUAL.replace('"', "'")),
        _list(_USUAL.replace("a-b_c", "a&#45;b_c")),
        _list(_USUAL.replace("a-b_c", "a-b_c&amp;{{x}}")),
        _list(_USUAL.replace("/>", "></Relationship>")),
        _list(f"<!-- {_USUAL.replace('rId1', 'rId7')} -->{_USUAL}"),
        _list(_USUAL.replace("Target", 'TargetMode="External" Target')),
        _list(f"\n  {_USUAL}\n"),
        _list(_USUAL).replace("<R", "<x:R").replace("</R", "</x:R").replace("xmlns=", "xmlns:x="),
        _list(_USUAL).replace(_NAMESPACE, "http://x.org/other"),
    ],
)
def test_relationships_are_those_of_the_tree(written: str) -> None:
    tree = parse(written.encode())
    expected = [
        (one.get("Id"), one.get("Type"), one.get("Target"), one.get("TargetMode") == "External")
        for one in tree.iter(f"{{{_NAMESPACE}}}Relationship")
    ]
    package, _ = _read(written)
    assert [(one.id, one.type, one.target, one.external) for one in package.relationships("")] == expected


def test_broken_relationships_are_reported() -> None:
    package, findings = _read(_list(_USUAL.replace("/>", ' Id="rId2"/>')))
    assert package.relationships("") == ()
    assert [finding.code for finding in findings] == ["broken-xml"]


def test_a_name_of_two_lines_hides_no_double_entry() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in ("[Content_Types].xml", "a\nb.xml", "x.xml", "X.xml"):
            archive.writestr(name, "<a/>")
    with pytest.raises(TemplateError) as refusal:
        read_package(file.getvalue(), [])
    assert [finding.code for finding in refusal.value.findings] == ["duplicate-entry"]
