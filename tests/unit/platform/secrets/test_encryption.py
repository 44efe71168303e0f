import stat
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.platform.errors import SetupError
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.secrets.encryption import KEY_BYTES, load_encryption_keys

NORDLYS, FJORD = UUID(int=1), UUID(int=2)
ENCRYPTION = Encryption(bytes(range(KEY_BYTES)))


@given(st.text())
def test_what_was_encrypted_is_read_back(text: str) -> None:
    assert ENCRYPTION.decrypt(NORDLYS, ENCRYPTION.encrypt(NORDLYS, text)) == text


def test_the_same_text_never_looks_the_same() -> None:
    assert ENCRYPTION.encrypt(NORDLYS, "010203-1234") != ENCRYPTION.encrypt(NORDLYS, "010203-1234")


def test_another_tenant_cannot_read_it() -> None:
    with pytest.raises(ValueError, match="not encrypted for this tenant"):
        ENCRYPTION.decrypt(FJORD, ENCRYPTION.encrypt(NORDLYS, "010203-1234"))


def test_another_key_cannot_read_it() -> None:
    with pytest.raises(ValueError, match="with this key"):
        Encryption(bytes(KEY_BYTES)).decrypt(NORDLYS, ENCRYPTION.encrypt(NORDLYS, "010203-1234"))


@pytest.mark.parametrize("place", [0, 11, 12, -1])
def test_a_changed_byte_is_noticed(place: int) -> None:
    sealed = bytearray(ENCRYPTION.encrypt(NORDLYS, "010203-1234"))
    sealed[place] ^= 1
    with pytest.raises(ValueError, match="not encrypted"):
        ENCRYPTION.decrypt(NORDLYS, bytes(sealed))


@pytest.mark.parametrize("sealed", [b"", b"short", bytes(12), bytes(27)])
def test_what_was_never_encrypted_is_refused(sealed: bytes) -> None:
    with pytest.raises(ValueError, match="not encrypted"):
        ENCRYPTION.decrypt(NORDLYS, sealed)


def test_a_key_of_another_length_is_refused() -> None:
    with pytest.raises(SetupError, match="64 hexadecimal digits"):
        Encryption(b"too short")


def test_the_test_environments_key_is_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "encryption-key"
    (key,) = load_encryption_keys(path)
    assert len(key) == KEY_BYTES
    assert load_encryption_keys(path) == (key,)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_processes_that_start_at_once_have_one_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_none(_: Path) -> bool:
        return False

    path = tmp_path / "encryption-key"
    monkeypatch.setattr(Path, "exists", find_none)  # as each sees it before another has written it
    assert load_encryption_keys(path) == load_encryption_keys(path)
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("content", ["", "abcd", "not hexadecimal", "00" * 32])
def test_a_key_file_that_is_none_is_one_line_for_the_operator(content: str, tmp_path: Path) -> None:
    path = tmp_path / "encryption-key"
    path.write_text(content)
    with pytest.raises(SetupError, match="encryption-key cannot be read or written"):
        load_encryption_keys(path)


def test_an_encrypted_value_never_looks_like_json() -> None:
    encryption = Encryption(bytes(32))
    assert all(encryption.encrypt(UUID(int=1), "secret")[0] >= 0x80 for _ in range(100))
