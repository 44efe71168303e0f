"""Reading a hostile zip: its whole directory is checked before a byte is unpacked (APPNOTE 4.3)."""

import re
import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct

from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.findings import Finding, error
from meetdeck.present.deck.limits import Limits
from meetdeck.present.deck.opc.packed import DEFLATED, STORED, ZipEntry

_END: Final = struct.Struct("<4s4H2LH")
# Without what nobody asks for: dates, disks, attributes.
_CENTRAL: Final = struct.Struct("<4s2xBxHH4x3L3H8xL")
_LOCAL: Final = struct.Struct("<4s22x2H")
_LONGEST_COMMENT: Final = 0xFFFF
_LONGEST_NAME: Final = 512
_ENCRYPTED_FLAG: Final = 0x0001
_UNUSUAL_FLAGS: Final = 0x0060  # patched data, strong encryption
_UNREADABLE_FLAGS: Final = _ENCRYPTED_FLAG | _UNUSUAL_FLAGS
_METHODS: Final = frozenset({STORED, DEFLATED})
_LATEST_VERSION: Final = 63
_UTF8_FLAG: Final = 0x0800
_ZIP64_MARK_16: Final = 0xFFFF
_ZIP64_MARK_32: Final = 0xFFFFFFFF
# Names of letters, digits and a few marks, whose segments begin with none of the marks that may be unsafe.
_USUAL_NAMES: Final = re.compile(r"(?:[\w\[-][\w\[\] .-]*[/\n])*[\w\[-][\w\[\] .-]*", re.ASCII)
_OLE2_MAGIC: Final = bytes.fromhex("d0cf11e0a1b11ae1")


class Directory(NamedTuple):
    """The position of a zip's directory: `entries` in the bytes from `start` to `end`."""

    entries: int
    start: int
    end: int


class Entry(Struct, frozen=True, gc=False):
    """An entry as the directory declares it; `slice_entries` checks it against the file."""

    name: str
    raw_name: bytes
    version: int
    flags: int
    method: int
    crc: int
    packed_size: int
    size: int
    offset: int

    @property
    def is_encrypted(self) -> bool:
        """Return whether a password is needed."""
        return bool(self.flags & _ENCRYPTED_FLAG)


def read_archive(data: bytes, limits: Limits) -> dict[str, ZipEntry]:
    """Return the entries by name, still compressed, directories left out.

    Raises `TemplateError` with every finding: not a zip, encrypted, zip64, over a limit, unsafe or double names.
    """
    _check_kind(data, limits)
    directory = find_directory(data)
    if (count := directory.entries) > limits.entries:
        raise _refusal(
            "too-many-entries", f"The file holds {count:,} entries; at most {limits.entries:,} are accepted."
        )
    return slice_entries(data, directory, read_entries(data, directory), limits)


def _refusal(code: str, message: str) -> TemplateError:
    return TemplateError([error(code, message)])


def _check_kind(data: bytes, limits: Limits) -> None:
    if len(data) > limits.file_bytes:
        raise _refusal("too-large", f"The file has {len(data):,} bytes; at most {limits.file_bytes:,} are accepted.")
    if data.startswith(_OLE2_MAGIC):
        raise _refusal(
            "password-protected",
            "The file is protected by a password or is an old .ppt file. Remove the password (File, Info, Protect "
            "Presentation) and save it as .pptx.",
        )
    if not data.startswith(b"PK"):
        what_it_is = "not a PowerPoint file: a .pptx is a zip archive, and this is not" if data else "empty"
        raise _refusal("not-a-zip", f"The file is {what_it_is}. Save it as .pptx in PowerPoint, and send that.")


def find_directory(data: bytes) -> Directory:
    """Return the position of the directory. Raises `TemplateError`: not a zip, zip64, split."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - _END.size - _LONGEST_COMMENT))
    if end < 0 or end + _END.size > len(data):
        raise _refusal("not-a-zip", "The file is cut short: the zip directory at its end is missing.")
    _, disk, first_disk, here, count, size, offset, _ = _END.unpack_from(data, end)
    if _ZIP64_MARK_16 in (here, count) or _ZIP64_MARK_32 in (size, offset):
        raise _refusal("zip64", "The file is a zip64 archive, which PowerPoint does not need. Save it again as .pptx.")
    if disk or first_disk or here != count:
        raise _refusal("not-a-zip", "The file is one part of a split zip archive. Upload it in one piece.")
    if offset + size > end:
        raise _refusal("not-a-zip", "The zip directory is damaged: it is not where the file says.")
    return Directory(count, offset, end)


def read_entries(data: bytes, directory: Directory) -> list[Entry]:
    """Return the entries as declared in the directory, without folders.

    Raises `TemplateError` when it is damaged.
    """
    entries: list[Entry] = []
    offset = directory.start
    for _ in range(directory.entries):
        entry, offset = _read_entry(data, offset, directory.end)
        if not entry.name.endswith("/"):
            entries.append(entry)
    return entries


def _read_entry(data: bytes, offset: int, end: int) -> tuple[Entry, int]:
    start = offset + _CENTRAL.size
    if start > end:
        raise _refusal("not-a-zip", "The zip directory is cut short.")
    signature, version, flags, method, crc, packed, size, name_length, more, comment, place = _CENTRAL.unpack_from(
        data, offset
    )
    if signature != b"PK\x01\x02":
        raise _refusal("not-a-zip", "The zip directory is damaged.")
    behind = start + name_length
    raw_name = data[start:behind]
    # Without the flag the name is code page 437; OPC part names are ASCII either way.
    name = raw_name.decode("utf-8" if flags & _UTF8_FLAG or raw_name.isascii() else "cp437", errors="replace")
    return Entry(name, raw_name, version, flags, method, crc, packed, size, place), behind + more + comment


def _check_names(entries: list[Entry]) -> list[Finding]:
    names = [entry.name for entry in entries]
    if _are_usual(names):
        return []
    findings: list[Finding] = []
    seen: set[str] = set()
    for name in names:
        # Part names are compared without case (OPC 6.2.2.3).
        if name.lower() in seen:
            findings.append(error("duplicate-entry", f"The file holds {name[:80]!r} twice; save it again."))
        seen.add(name.lower())
        segments = name.split("/")
        unsafe = name.startswith("/") or "\\" in name or ":" in name or "\0" in name or {".", "..", ""} & set(segments)
        if unsafe or len(name) > _LONGEST_NAME:
            findings.append(
                error("unsafe-entry-name", f"The entry name {name[:80]!r} is not allowed in an Office file.")
            )
    return findings


def _are_usual(names: list[str]) -> bool:
    """Return whether all names are safe and different; nearly all files have no others, and this is faster."""
    text = "\n".join(names)
    return (
        _USUAL_NAMES.fullmatch(text) is not None
        and text.count("\n") == len(names) - 1
        and len(set(text.lower().split("\n"))) == len(names)
        and max(map(len, names)) <= _LONGEST_NAME
    )


def _check_sizes(entries: list[Entry], limits: Limits) -> list[Finding]:
    findings: list[Finding] = []
    total = 0
    for entry in entries:
        flags, size = entry.flags, entry.size
        total += size
        is_usual = not flags & _UNREADABLE_FLAGS and entry.version <= _LATEST_VERSION and entry.method in _METHODS
        is_large = size > limits.ratio_counts_from_bytes or max(entry.packed_size, size, entry.offset) == _ZIP64_MARK_32
        if not is_usual or is_large:
            findings += _check_entry(entry, limits)
    if total > limits.unpacked_bytes:
        message = f"The file unpacks to {total:,} bytes; at most {limits.unpacked_bytes:,} are accepted."
        findings.append(error("too-large", message))
    return findings


def _check_entry(entry: Entry, limits: Limits) -> Iterator[Finding]:
    if entry.is_encrypted:
        yield error("password-protected", f"The entry {entry.name!r} is encrypted; remove the password.")
    if entry.method not in _METHODS or entry.flags & _UNUSUAL_FLAGS or entry.version > _LATEST_VERSION:
        yield error("compression", f"The entry {entry.name!r} is compressed in a way Office does not use.")
    if _ZIP64_MARK_32 in (entry.packed_size, entry.size, entry.offset):
        yield error("zip64", f"The entry {entry.name!r} is zip64; save the file again as .pptx.")
    elif entry.size > limits.ratio_counts_from_bytes and entry.size > limits.ratio * max(entry.packed_size, 1):
        message = (
            f"The entry {entry.name!r} unpacks to {entry.size:,} bytes, suspiciously many. Open the file in PowerPoint "
            "and save it again."
        )
        yield error("zip-bomb", message)


def slice_entries(data: bytes, directory: Directory, entries: list[Entry], limits: Limits) -> dict[str, ZipEntry]:
    """Return the entries by name, still compressed, in their order in the file.

    Raises `TemplateError` with every finding: encrypted, zip64, over a limit, unsafe or double names, overlapping.
    """
    findings = [*_check_names(entries), *_check_sizes(entries, limits)]
    if findings:
        raise TemplateError(findings)
    archive: dict[str, ZipEntry] = {}
    # Without copies: the whole file stays in memory once.
    view = memoryview(data)
    previous_end = 0
    for entry in sorted(entries, key=lambda entry: entry.offset):
        start = _content_start(data, entry)
        end = start + entry.packed_size
        # Overlapping entries let a small file promise endless content.
        if entry.offset < previous_end or end > directory.start:
            raise _refusal("not-a-zip", f"The entry {entry.name!r} is not where the zip directory says.")
        archive[entry.name] = ZipEntry(view[start:end], entry.method, entry.crc, entry.size)
        previous_end = end
    return archive


def _content_start(data: bytes, entry: Entry) -> int:
    if entry.offset + _LOCAL.size > len(data):
        raise _refusal("not-a-zip", f"The entry {entry.name!r} lies outside of the file.")
    signature, name_length, more = _LOCAL.unpack_from(data, entry.offset)
    start = entry.offset + _LOCAL.size
    if signature != b"PK\x03\x04" or data[start : start + name_length] != entry.raw_name:
        raise _refusal("not-a-zip", f"The entry {entry.name!r} does not match the zip directory.")
    return start + name_length + more
