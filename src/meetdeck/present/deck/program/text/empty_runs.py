"""Removes runs without text from the written cells of tables."""


def drop_empty_runs(written: bytes, prefix: bytes) -> bytes:
    """Return written cells without their empty runs; `prefix` is DrawingML's with its colon.

    A paragraph left without text keeps its format in its end mark, see `compile.text.cell_paragraphs`.
    """
    end = b"<%st></%st></%sr>" % (prefix, prefix, prefix)
    if end not in written:
        return written
    start, start_with_attributes = b"<%sr>" % prefix, b"<%sr " % prefix
    *pieces, last = written.split(end)
    kept: list[bytes] = []
    for piece in pieces:
        at = piece.rfind(start)
        # Nearly no run has attributes: only what is behind the last one without is searched for one.
        kept.append(piece[: max(at, piece.rfind(start_with_attributes, max(at, 0)))])
    return b"".join([*kept, last])
