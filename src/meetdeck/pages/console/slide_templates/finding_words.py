"""A template's findings in a page's language, by their codes and details."""

from collections.abc import Mapping
from typing import Any, Final

from meetdeck.pages.texts import Texts, mark

SENTENCES: Final[Mapping[str, str]] = {
    "bad-code": mark("The program code cannot be read."),
    "bad-color": mark("This is not a color that the directive takes."),
    "bad-expression": mark("This condition or calculation cannot be read."),
    "bad-filter": mark("This filter does not exist, or does not accept its argument."),
    "bad-option": mark("This option does not exist, or has a value that it does not take."),
    "broken-relationships": mark("The file's list of links between its parts is damaged. Save it again in PowerPoint."),
    "broken-xml": mark("A part of the file is damaged. Save it again in PowerPoint."),
    "cannot-continue": mark("This block cannot continue on another slide."),
    "chart-differences": mark("An arrow between two columns of the chart cannot be drawn."),
    "chart-error-bars": mark("The chart's error bars keep the values of the template."),
    "chart-labels": mark("Labels of the chart keep the text of the template."),
    "chart-not-drawn": mark("This kind of chart is filled, but not drawn in the preview."),
    "chart-totals": mark("The chart has no stacked columns or bars that totals could be shown for."),
    "chart-workbook": mark("The chart has no workbook that can be filled, so its data cannot be edited in PowerPoint."),
    "compression": mark(
        "A part of the file is compressed in a way that Office does not use. Save it again in PowerPoint."
    ),
    "covers": mark("The shape covers another one."),
    "crossed-blocks": mark("Two blocks cross each other: end the inner one first."),
    "crossed-chapters": mark("Two chapters cross each other: end the inner one first."),
    "damaged-entry": mark("A part of the file is damaged. Save it again in PowerPoint."),
    "doubtful-date-pattern": mark("This date pattern may not be what is meant."),
    "duplicate-entry": mark("The file holds a part twice. Save it again in PowerPoint."),
    "duplicate-slide-name": mark("Two slides have the same name; give each its own."),
    "empty-tag": mark("A tag is empty: write a name between {{ and }}."),
    "external-relationship": mark(
        "The file links to something outside of it; the link is kept in decks and never fetched."
    ),
    "font-not-available": mark("The font is not installed here; previews and PDFs use another."),
    "ignored-data": mark("Some data is not used by these slides."),
    "layout-brought-along": mark("A slide of another template brings its layout along."),
    "looks-like-expression": mark("This looks like a condition or calculation, but is treated as text."),
    "macros": mark("The file has macros, which are left out of decks."),
    "malformed-tag": mark("This tag cannot be read."),
    "merged-columns": mark("Columns that are repeated cannot be merged with others."),
    "merged-rows": mark("Rows that are repeated cannot be merged with others."),
    "misplaced-columns": mark("Columns can be repeated only in the first row of a table."),
    "misplaced-directive": mark("The directive cannot be used here."),
    "missing-glyph": mark("The font lacks some of these characters."),
    "missing-part": mark("The file lacks a part that it names. Save it again in PowerPoint."),
    "missing-slide": mark("The file lacks a slide that it names. Save it again in PowerPoint."),
    "missing-target": mark("The directive finds nothing here that it could work on."),
    "missing-value": mark("A tag has no value."),
    "near-miss-tag": mark("This is probably meant as a tag, but is treated as text."),
    "nested-too-deep": mark("Blocks are nested too deeply."),
    "no-alternative-text": mark("The shape has no alternative text for people who cannot see it."),
    "no-title": mark("The slide has no title."),
    "not-a-presentation": mark("The file holds no PowerPoint presentation. Save it as .pptx in PowerPoint."),
    "not-a-zip": mark("The file is not a .pptx file. Save it as .pptx in PowerPoint, and send that."),
    "out-of-range": mark("A value is outside of its range, and is shown as the nearest one."),
    "overflow": mark("The text may not fit into its shape."),
    "overlapping-columns": mark("Two blocks of columns overlap."),
    "oversized-picture": mark("The picture is far larger than it is shown."),
    "page-in-directive": mark("A page number cannot be used in a directive."),
    "page-on-layout": mark("A page number is on a layout, where it is not replaced."),
    "password-protected": mark(
        "The file is protected by a password or is an old .ppt file. Remove the password, and save it as .pptx."
    ),
    "shared-shape-circle": mark("Too many shared shapes refer to one another."),
    "shared-shape-missing": mark("The shape from the other template does not exist."),
    "shared-slide-circle": mark("Too many shared slides refer to one another."),
    "shared-slide-missing": mark("The slide from the other template does not exist."),
    "slide-size-differs": mark("The slide of another template has another size."),
    "split-block": mark("A block begins in one place and ends in another: begin and end it in the same text."),
    "strict-ooxml": mark("The file is saved as Strict Open XML; it is read as an ordinary one."),
    "svg-made-safe": mark("Parts of an SVG picture that could do harm were left out."),
    "tag-on-layout": mark("A tag is on a layout, where it is not replaced."),
    "tags-slide-not-hidden": mark("The slide that describes the tags is not hidden, so decks show it."),
    "text-shrunk": mark("PowerPoint has shrunk the text of this shape."),
    "too-large": mark("The file is too large."),
    "too-many-entries": mark("The file has too many parts."),
    "too-many-tags": mark("The file has too many tags."),
    "torn-name": mark("A name is split by a line break."),
    "unclosed-block": mark("A block is not ended."),
    "unclosed-chapter": mark("A chapter is not ended."),
    "unclosed-tag": mark("A tag is not ended with }}."),
    "uneven-columns": mark("The rows of the table have different numbers of columns."),
    "unknown-directive": mark("This directive does not exist."),
    "unknown-relationship": mark("The file has a link that cannot be understood."),
    "unknown-slide": mark("There is no slide of this name."),
    "unopened-block": mark("The end of a block has no beginning."),
    "unopened-chapter": mark("The end of a chapter has no beginning."),
    "unsafe-address": mark("The address is not allowed in a link."),
    "unsafe-entry-name": mark("A part of the file has a name that is not allowed. Save it again in PowerPoint."),
    "unused-tag": mark("The tag is described and used nowhere."),
    "zip-bomb": mark("A part of the file unpacks to suspiciously many bytes. Save it again in PowerPoint."),
}
"""The sentence for each code of findings."""


def describe_finding(texts: Texts, details: Mapping[str, Any]) -> str:
    """Return a finding in words, from its details in the API: the code, and the tag and suggestion if there are any."""
    code = str(details.get("code", ""))
    sentence = SENTENCES.get(code)
    if sentence is None:
        return texts.translate("There is something to look at here ({code}).", code=code)
    told = texts.translate(sentence)
    if tag := details.get("tag"):
        told = texts.translate("{sentence} In “{tag}”.", sentence=told, tag=tag)
    if suggestion := details.get("suggestion"):
        meant = texts.translate("Did you mean {suggestion}?", suggestion=suggestion)
        told = f"{told} {meant}"
    return told
