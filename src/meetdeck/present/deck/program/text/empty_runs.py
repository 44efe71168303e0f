"""Removes runs without text from the written cells of tables."""


def drop_empty_runs(written: bytes, prefix: bytes) -> bytes:
    """Return written cells without their empty runs; `prefix` is DrawingML's with its colon.

    A paragraph left without text keeps its format in its end mark, see `compile.text.cell_paragraphs`.
    """
    end = b"<%st></%st></%sr>" % (prefix, prefix, prefix)
    at = written.find(end)
    if at < 0:
        return written
    start, start_with_attributes = b"<%sr>" % prefix, b"<%sr " % prefix
    kept: list[memoryview] = []
    whole, behind = memoryview(written), 0
    while at >= 0:
        plain = written.rfind(start, behind, at)
        # Nearly no run has attributes: only what is behind the last one without is searched for one.
        kept.append(whole[behind : max(plain, written.rfind(start_with_attributes, max(plain, behind), at))])
        behind = at + len(end)
        at = written.find(end, behind)
    return b"".join([*kept, whole[behind:]])
