"""The storage on a folder and on a real S3 API: files of any size, and what becomes of each failure."""

import asyncio
import io
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from meetdeck.platform.errors import SetupError
from meetdeck.platform.storage import FileMissing, Storage, StorageUnavailable, StoredFile
from support.s3_server import BUCKET, S3Server

LARGE = os.urandom(21 * 1024 * 1024)  # some parts


async def read_pages(storage: Storage, folder: str) -> list[StoredFile]:
    return [file async for page in storage.list_pages(folder) for file in page]


async def put_all(storage: Storage, files: Mapping[str, bytes]) -> None:
    turns = asyncio.Semaphore(16)

    async def put(key: str, content: bytes) -> None:
        async with turns:
            await storage.put(key, content)

    await asyncio.gather(*(put(key, content) for key, content in files.items()))


@pytest.fixture(params=["folder", "s3"])
async def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    """Lend a storage of each kind, as it is once Meetdeck has started."""
    if request.param == "folder":
        storage = Storage.open(url=None, folder=tmp_path / "storage")
    else:
        storage = request.getfixturevalue("s3").open_storage()
    await storage.require_usable()
    return storage


@pytest.mark.parametrize("content", [b"", b"small", LARGE], ids=["empty", "small", "large"])
async def test_what_is_put_is_what_is_read(storage: Storage, content: bytes) -> None:
    await storage.put("firm/files/a", content)
    assert await storage.get("firm/files/a") == content


@pytest.mark.parametrize("size", [0, 5, len(LARGE)])
async def test_a_spooled_upload_is_read_from_where_it_stands(storage: Storage, size: int) -> None:
    with tempfile.SpooledTemporaryFile(max_size=1024) as spool:
        spool.write(b"head" + LARGE[:size])
        spool.seek(4)
        await storage.put("firm/files/a", spool)
    assert await storage.get("firm/files/a") == LARGE[:size]


@pytest.mark.parametrize("content", [b"", b"small", LARGE], ids=["empty", "small", "large"])
async def test_a_file_is_read_in_chunks_and_its_size_is_known_before(storage: Storage, content: bytes) -> None:
    await storage.put("firm/files/a", content)
    stream = await storage.open_stream("firm/files/a")
    chunks = [chunk async for chunk in stream.chunks]
    assert (stream.size_bytes, b"".join(chunks)) == (len(content), content)
    assert max(map(len, chunks), default=0) < 3 * 1024 * 1024


async def test_a_file_that_is_not_there_is_noticed_before_the_first_chunk(storage: Storage) -> None:
    with pytest.raises(FileMissing):
        await storage.open_stream("firm/files/none")


async def test_writing_a_key_again_with_the_same_content_is_harmless(storage: Storage) -> None:
    for _ in range(2):
        await storage.put("firm/files/a", b"same")
    assert await storage.get("firm/files/a") == b"same"


async def test_a_file_that_is_not_there_is_told_apart_from_a_storage_that_does_not_answer(storage: Storage) -> None:
    assert await storage.find("firm/files/none") is None
    with pytest.raises(FileMissing):
        await storage.get("firm/files/none")


async def test_more_than_a_page_of_files_is_listed_with_size_and_time(storage: Storage) -> None:
    before = datetime.now(UTC)  # noqa: TID251 - the storage's clock is the machine's
    await put_all(storage, {f"firm/files/{number}": b"x" * (number % 3) for number in range(1_050)})
    await storage.put("firma/files/other", b"a folder's name is not a prefix")
    found = {file.key: file for file in await read_pages(storage, "firm")}
    assert set(found) == {f"firm/files/{number}" for number in range(1_050)}
    assert found["firm/files/5"].size_bytes == 2
    assert all(abs(file.modified_at - before) < timedelta(minutes=1) for file in found.values())


async def test_folders_are_the_first_steps_of_the_keys(storage: Storage) -> None:
    for key in ("a/files/1", "a/renderings/v/2", "b/files/3"):
        await storage.put(key, b"")
    assert sorted(await storage.list_folders()) == ["a", "b"]


async def test_deleted_files_are_gone_and_missing_ones_are_no_error(storage: Storage) -> None:
    keys = [f"firm/files/{number}" for number in range(1_010)]
    await put_all(storage, dict.fromkeys(keys[::10], b"x"))
    await storage.put("firm/files/stays", b"x")
    await storage.delete(keys)
    assert [file.key for file in await read_pages(storage, "firm")] == ["firm/files/stays"]
    await storage.delete(["firm/files/none"])
    await storage.delete([])


class BreaksOff(io.BytesIO):
    """A file of which only the first part can be read."""

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell() > 0:
            raise OSError("the disk is gone")
        return super().read(size)


async def test_an_upload_that_breaks_off_leaves_nothing_visible(storage: Storage) -> None:
    with pytest.raises(StorageUnavailable):
        await storage.put("firm/files/a", BreaksOff(LARGE))
    assert await storage.find("firm/files/a") is None
    assert await read_pages(storage, "firm") == []


_UPLOAD = """
import asyncio, resource, sys
from pathlib import Path
from meetdeck.platform.storage import Storage

def peak_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 * 1024 if sys.platform == "darwin" else 1024)

async def upload(folder: Path) -> None:
    storage = Storage.open(url=None, folder=folder / "storage")
    await storage.require_usable()
    before = peak_mib()
    with (folder / "large").open("rb") as file:
        await storage.put("firm/files/a", file)
    print(peak_mib() - before)

asyncio.run(upload(Path(sys.argv[1])))
"""


def test_an_upload_of_any_size_takes_little_memory(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    command = [sys.executable, "-c", _UPLOAD, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)  # noqa: S603 - our own
    assert int(ended.stdout) < 30


# ---------------------------------------------------------------- a folder


async def test_what_a_killed_upload_left_in_a_folder_is_deleted_later(tmp_path: Path) -> None:
    storage = Storage.open(url=None, folder=tmp_path)
    await storage.put("firm/files/whole", b"x")
    left = tmp_path / "firm/files/half#1"
    left.write_bytes(b"half")
    assert [file.key for file in await read_pages(storage, "firm")] == ["firm/files/whole"]
    modified_at = datetime.fromtimestamp(left.stat().st_mtime, UTC)
    assert await storage.delete_unfinished("firm", modified_at) == 0
    assert await storage.delete_unfinished("firm", modified_at + timedelta(seconds=1)) == 1
    assert [path.name for path in (tmp_path / "firm/files").iterdir()] == ["whole"]


async def test_a_folder_that_vanished_is_noticed(tmp_path: Path) -> None:
    storage = Storage.open(url=None, folder=tmp_path / "storage")
    await storage.require_usable()
    await storage.check()
    (tmp_path / "storage").rename(tmp_path / "elsewhere")
    with pytest.raises(FileMissing):
        await storage.check()


async def test_a_folder_that_cannot_be_written_is_one_line_for_the_operator(tmp_path: Path) -> None:
    storage = Storage.open(url=None, folder=tmp_path / "storage")
    (tmp_path / "storage").rmdir()
    (tmp_path / "storage").write_text("a file where the folder should be")
    with pytest.raises(SetupError, match=f"The storage {tmp_path}/storage cannot be used: ") as caught:
        await storage.require_usable()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("url", ["ftp://files/", "no address", "file:///nowhere/at/all"])
def test_an_address_that_is_none_is_one_line_for_the_operator(url: str, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=f"The storage {url} cannot be used: ") as caught:
        Storage.open(url=url, folder=tmp_path)
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------- S3


async def test_a_bucket_that_is_missing_is_named_at_the_start(s3: S3Server) -> None:
    storage = s3.open_storage("s3://no-such-bucket/meetdeck")
    with pytest.raises(SetupError, match=r"s3://no-such-bucket/meetdeck cannot be used: NoSuchBucket\."):
        await storage.require_usable()


async def test_without_its_bucket_no_file_is_taken_for_missing(s3: S3Server) -> None:
    storage = s3.open_storage("s3://no-such-bucket/meetdeck")
    for attempt in (storage.find("a/b"), storage.delete(["a/b", "a/c"]), read_pages(storage, "a")):
        with pytest.raises(StorageUnavailable) as caught:
            await attempt
        assert not isinstance(caught.value, FileMissing)


async def test_credentials_that_are_refused_are_named_at_the_start(
    s3: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    s3.require_credentials()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAWRONG")
    with pytest.raises(SetupError, match=r"cannot be used: InvalidAccessKeyId\."):
        await s3.open_storage().require_usable()


@pytest.mark.parametrize("name", ["AWS_ENDPOINT", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"])
async def test_plain_http_wants_the_operators_word(s3: S3Server, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, s3.environment["AWS_ENDPOINT"])
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")  # the library's own word is not ours
    with pytest.raises(SetupError, match="set MEETDECK_STORAGE_ALLOW_HTTP=true"):
        await s3.open_storage(allow_http=False).require_usable()


async def test_files_lie_below_the_prefix_of_the_address(s3: S3Server) -> None:
    one, other = s3.open_storage(f"s3://{BUCKET}/one"), s3.open_storage(f"s3://{BUCKET}/other")
    await one.put("firm/files/a", b"one")
    assert await other.find("firm/files/a") is None
    assert await s3.open_storage(f"s3://{BUCKET}").get("one/firm/files/a") == b"one"


async def test_a_server_that_is_gone_is_noticed_quickly_and_used_when_it_is_back(s3: S3Server) -> None:
    storage = s3.open_storage()
    await storage.require_usable()
    await storage.put("a/before", b"kept")
    s3.stop()
    started = time.monotonic()
    for attempt in (storage.get("a/b"), storage.put("a/b", LARGE), storage.check(), storage.list_folders()):
        with pytest.raises(StorageUnavailable):
            await attempt
    assert time.monotonic() - started < 10
    s3.start()
    assert await storage.get("a/before") == b"kept"


@pytest.fixture
async def silent_address() -> AsyncGenerator[str]:
    """Lend the address of a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


async def test_a_server_that_is_silent_is_given_up(
    s3: S3Server, silent_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT", silent_address)
    started = time.monotonic()
    with pytest.raises(StorageUnavailable):
        await s3.open_storage(silence=timedelta(seconds=0.3)).get("a/b")
    assert time.monotonic() - started < 8
