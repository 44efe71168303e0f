"""Forged archives: any rows, manifest and headers, with digests that fit."""

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

Json = Any


class Part(NamedTuple):
    """A member of an archive: its name, content and the key of a stored file."""

    name: str
    content: bytes
    key: str = ""
    info: Callable[[tarfile.TarInfo], None] | None = None
    """Changes its header before it is written."""


def read_parts(path: Path) -> tuple[list[Part], Json]:
    """Return the members of an archive in their order, and its manifest."""
    parts: list[Part] = []
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member)
            assert file is not None
            key = member.pax_headers.get("comment", "").partition(" ")[2]
            parts.append(Part(member.name, file.read(), key))
    manifest = json.loads(parts.pop().content)
    return parts, manifest


def write_archive(
    path: Path, parts: Iterable[Part], manifest: Json, *, counts: bool = True, after: bytes = b""
) -> Path:
    """Write an archive whose digests fit its members; with `counts`, the manifest's numbers fit, too."""
    listed = hashlib.sha256()
    lines: dict[tuple[str, str], list[bytes]] = {}
    members = files = file_bytes = 0
    with gzip.open(path, "wb", compresslevel=1) as packed:
        with tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as archive:
            for part in parts:
                sha256 = hashlib.sha256(part.content).hexdigest()
                listed.update(f"{sha256} {len(part.content)} {part.name}\n".encode())
                members += 1
                if part.name.startswith("rows/"):
                    _, tenant, table = part.name.removesuffix(".jsonl").split("/", 2)
                    lines.setdefault((tenant, table.split("-")[0]), []).append(part.content)
                files += bool(part.key)
                file_bytes += len(part.content) if part.key else 0
                _add(archive, part, sha256)
            if counts:
                manifest = manifest | {
                    "members": members,
                    "sha256": listed.hexdigest(),
                    "tables": [
                        {
                            "tenantId": tenant,
                            "table": table,
                            "rows": sum(content.count(b"\n") for content in contents),
                            "sha256": hashlib.sha256(b"".join(contents)).hexdigest(),
                        }
                        for (tenant, table), contents in lines.items()
                    ],
                    "files": manifest["files"] | {"files": files, "bytes": file_bytes},
                }
            content = manifest if isinstance(manifest, bytes) else json.dumps(manifest).encode()
            _add(archive, Part("manifest.json", content), hashlib.sha256(content).hexdigest())
        packed.write(after)
    return path


def _add(archive: tarfile.TarFile, part: Part, sha256: str) -> None:
    info = tarfile.TarInfo(part.name)
    info.size = len(part.content)
    info.pax_headers = {"comment": f"{sha256} {part.key}"}
    if part.info is not None:
        part.info(info)
    archive.addfile(info, io.BytesIO(part.content) if info.isreg() else None)


def change_rows(parts: Iterable[Part], table: str, change: Callable[[Json], object]) -> list[Part]:
    """Return the members with each row of a table changed in place; what `change` returns is ignored."""
    changed: list[Part] = []
    for part in parts:
        if part.name.startswith("rows/") and part.name.endswith(f"/{table}.jsonl"):
            rows = [json.loads(line) for line in part.content.splitlines()]
            for row in rows:
                change(row)
            changed.append(part._replace(content=b"".join(json.dumps(row).encode() + b"\n" for row in rows)))
        else:
            changed.append(part)
    return changed
