"""A rotation of the encryption key: the new key writes, and both read (docs/operations/encryption-key.md)."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from uuid import UUID

import pytest

from meetdeck.administration.backups.keys import require_room_for_keys, write_keys
from meetdeck.booking.scheduling.meetings.service.manage_links import ManageLinks
from meetdeck.platform.changes import Fingerprints
from meetdeck.platform.errors import SetupError
from meetdeck.platform.secrets import (
    Encryption,
    SealBroken,
    Sealer,
    SignedLinks,
    find_encryption_keys,
    read_encryption_keys,
)
from support.factories import make_settings

OLD, NEW = (sha256(name).digest() for name in (b"an old key", b"a new key"))
BOTH = f"{NEW.hex()}, {OLD.hex()}"
TENANT, PORTAL, MEETING = UUID(int=1), UUID(int=2), UUID(int=3)
NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_the_first_key_encrypts_and_each_decrypts() -> None:
    rotated = Encryption(NEW, OLD)
    of_old = Encryption(OLD).encrypt(TENANT, "010203-1234")
    assert rotated.decrypt(TENANT, of_old) == "010203-1234"
    assert Encryption(NEW).decrypt(TENANT, rotated.encrypt(TENANT, "010203-1234")) == "010203-1234"
    renewed = rotated.renew(TENANT, of_old)
    assert renewed is not None
    assert Encryption(NEW).decrypt(TENANT, renewed) == "010203-1234"
    assert rotated.renew(TENANT, renewed) is None
    with pytest.raises(ValueError, match="not encrypted"):
        Encryption(NEW).renew(TENANT, of_old)


def test_links_of_the_earlier_key_are_good_and_new_ones_are_of_the_new_key() -> None:
    of_old = SignedLinks(OLD).sign(TENANT, "slide", NOW + HOUR)
    rotated = SignedLinks(NEW, OLD)
    assert rotated.is_good(TENANT, "slide", int(of_old["expires"]), of_old["signature"], NOW)
    assert rotated.sign(TENANT, "slide", NOW + HOUR) == SignedLinks(NEW).sign(TENANT, "slide", NOW + HOUR)
    assert not SignedLinks(NEW).is_good(TENANT, "slide", int(of_old["expires"]), of_old["signature"], NOW)
    managing = ManageLinks(NEW, OLD)
    assert managing.find(PORTAL, ManageLinks(OLD).make(PORTAL, MEETING)) == MEETING
    assert managing.make(PORTAL, MEETING) == ManageLinks(NEW).make(PORTAL, MEETING)


def test_a_page_that_was_open_while_the_key_was_rotated_goes_on() -> None:
    sealed = Sealer(OLD).seal("hold", b"10:00", NOW, HOUR)
    rotated = Sealer(NEW, OLD)
    assert rotated.open("hold", sealed, NOW) == b"10:00"
    assert Sealer(NEW).open("hold", rotated.seal("hold", b"10:00", NOW, HOUR), NOW) == b"10:00"
    with pytest.raises(SealBroken):
        Sealer(NEW).open("hold", sealed, NOW)


def test_a_repeat_is_known_by_the_fingerprint_of_either_key() -> None:
    before = Fingerprints(OLD).make(TENANT, "one", "POST /", {"a": 1})
    after = Fingerprints(NEW, OLD).make(TENANT, "one", "POST /", {"a": 1})
    assert before.fingerprints[0] in after.fingerprints
    assert after.fingerprints[0] == Fingerprints(NEW).make(TENANT, "one", "POST /", {"a": 1}).fingerprints[0]


def test_a_setting_has_several_keys_each_once(tmp_path: Path) -> None:
    settings = make_settings(tmp_path, encryption_key=BOTH)
    assert find_encryption_keys(settings.encryption_key, tmp_path) == (NEW, OLD)
    assert read_encryption_keys(f"{NEW.hex()},{OLD.hex().upper()},{NEW.hex()},") == (NEW, OLD)
    for wrong in (f"{NEW.hex()},{'00' * 32}", f"{NEW.hex()},ab", f"{NEW.hex()};{OLD.hex()}", ","):
        with pytest.raises(ValueError, match=r"hexadecimal digits|not random") as caught:
            read_encryption_keys(wrong)
        assert NEW.hex() not in str(caught.value)


def test_a_backup_is_restored_with_its_keys_behind_a_newer_one(tmp_path: Path) -> None:
    for setting, made_with in ((NEW.hex(), NEW.hex()), (BOTH, OLD.hex()), (BOTH, f"{OLD.hex()},{NEW.hex()}")):
        settings = make_settings(tmp_path, encryption_key=setting)
        require_room_for_keys(settings, {"encryption-key": made_with})
        write_keys(settings, {"encryption-key": made_with})
    for setting, made_with, why in (
        (NEW.hex(), OLD.hex(), "is not the key"),
        (NEW.hex(), BOTH, "lacks 1 of the 2 keys"),
        (NEW.hex(), "spoiled", "key in this backup is invalid"),
    ):
        with pytest.raises(SetupError, match=why):
            require_room_for_keys(make_settings(tmp_path, encryption_key=setting), {"encryption-key": made_with})
    assert not (tmp_path / "encryption-key").exists()


def test_without_a_setting_the_backups_keys_are_written_and_read(tmp_path: Path) -> None:
    write_keys(make_settings(tmp_path), {"encryption-key": BOTH})
    assert find_encryption_keys(None, tmp_path) == (NEW, OLD)
