"""Removes runs without text from the written cells of tables."""


def drop_empty_runs(written: bytes, prefix: bytes) -> bytes:
    """Return written cells without their empty runs; `prefix` is DrawingML's with its colon.

    A paragraph left without text keeps its format in its end mark, see `compile.text.cell_paragraphs`.
    """
    end = b"<%st></%st></%sr>" % (prefix, prefix, prefix)
    if end not in written:
        return written
    starts = b"<%sr>" % prefix, b"<%sr " % prefix
    *pieces, last = written.split(end)
    kept = [piece[: max(map(piece.rfind, starts))] for piece in pieces]
    return b"".join([*kept, last])
