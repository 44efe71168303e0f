import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from meetdeck.platform.errors import SetupError, Unauthenticated
from meetdeck.platform.identity import KeySource, TokenIssuer, TokenRules, hash_secret, load_signing_key
from meetdeck.platform.identity.authentication import TokenVerifier
from meetdeck.platform.identity.issuer import Client
from meetdeck.platform.secrets import create_secret_file, write_secret_file

NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
TENANT = UUID(int=1)
RULES = TokenRules("http://meetdeck.test", "meetdeck", tenant_claim="tid", user_claim="oid", roles_claim="roles")


async def find_client(client_id: str) -> Client | None:
    return Client(TENANT, hash_secret("right"), ("Meetdeck.Elevated",)) if client_id == "app" else None


@pytest.fixture
def issuer(tmp_path: Path) -> TokenIssuer:
    return TokenIssuer(load_signing_key(tmp_path / "key.json"), RULES, find_client)


async def test_what_it_issues_our_verifier_accepts_for_an_hour(issuer: TokenIssuer) -> None:
    token = await issuer.issue("app", "right", NOW)
    verifier = TokenVerifier(RULES, KeySource(RULES.issuer, issuer.fetch))
    principal = await verifier.verify(token, NOW + timedelta(minutes=59))
    assert (principal.tenant_id, principal.roles) == (TENANT, {"Meetdeck.Elevated"})
    with pytest.raises(Unauthenticated, match="expired"):
        await verifier.verify(token, NOW + timedelta(minutes=61))


@pytest.mark.parametrize(("client_id", "secret"), [("app", "wrong"), ("app", ""), ("nobody", "right"), ("nobody", "")])
async def test_id_and_secret_must_belong_together(client_id: str, secret: str, issuer: TokenIssuer) -> None:
    with pytest.raises(Unauthenticated, match="do not belong together"):
        await issuer.issue(client_id, secret, NOW)


def test_only_the_public_half_of_the_key_is_published(issuer: TokenIssuer) -> None:
    (key,) = issuer.publish_keys()["keys"]
    assert "d" not in key
    assert {"kty", "crv", "x", "y", "kid"} <= set(key)


async def test_it_has_two_documents_and_no_more(issuer: TokenIssuer) -> None:
    assert await issuer.fetch("http://meetdeck.test/oauth/jwks")
    with pytest.raises(OSError, match="not a document of the built-in issuer"):
        await issuer.fetch("http://elsewhere.test/oauth/jwks")


def test_the_key_is_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "key.json"
    assert load_signing_key(path).kid == load_signing_key(path).kid
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_key_file_that_is_none_is_one_line_for_the_operator(tmp_path: Path) -> None:
    path = tmp_path / "key.json"
    path.write_text("{}")
    with pytest.raises(SetupError, match=r"key\.json cannot be read or written"):
        load_signing_key(path)


def test_a_secret_file_is_replaced_whole_and_stays_private(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("old, and readable by all")
    write_secret_file(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_secret_file_is_made_where_there_are_no_hard_links_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    create_secret_file(tmp_path / "secret", "new")
    assert [each.read_text() for each in tmp_path.iterdir()] == ["new"]
