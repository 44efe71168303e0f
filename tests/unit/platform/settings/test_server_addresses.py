import pytest
from pydantic import SecretStr

from meetdeck.platform.errors import SetupError
from meetdeck.platform.settings.server_addresses import read_database_url, read_gotenberg_url


def test_a_database_address_is_read() -> None:
    address = read_database_url(SecretStr("postgresql://app:p%40ss%2Fword@db.example:5433/firm"), "MEETDECK_X")
    assert address.arguments == {
        "host": "db.example",
        "port": 5433,
        "user": "app",
        "password": "p@ss/word",
        "database": "firm",
    }


def test_a_database_address_has_defaults() -> None:
    address = read_database_url(SecretStr("postgres://app@db.example"), "MEETDECK_X")
    assert (address.port, address.database, address.password) == (5432, "meetdeck", "")


@pytest.mark.parametrize(
    "url",
    [
        "mysql://app:hunter2@db/meetdeck",
        "postgresql://:hunter2@db/meetdeck",
        "postgresql://app:hunter2@/meetdeck",
        "postgresql://app:hunter2@db:port/meetdeck",
        "postgresql://app:hunter2@db:99999/meetdeck",
        "postgresql://app:hunter2@[db/meetdeck",
        "postgresql://app:hunter2@db:0/meetdeck",
        "postgresql://app:hunter2@db1,,db2/meetdeck",
        "postgresql://app:hunter2@db1,db2:0/meetdeck",
        "postgresql://app:hunter2@db/meetdeck#a",
        "hunter2",
    ],
)
def test_a_wrong_database_address_is_refused_without_showing_the_password(url: str) -> None:
    with pytest.raises(SetupError) as caught:
        read_database_url(SecretStr(url), "MEETDECK_DATABASE_URL")
    assert "MEETDECK_DATABASE_URL must look like postgresql://" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_database_address_may_have_several_servers_of_which_one_will_do() -> None:
    url = "postgresql://app:a%2Cb@db1:5433,db2,[::1]:5434/firm?target_session_attrs=read-write&sslmode=require"
    address = read_database_url(SecretStr(url), "MEETDECK_X")
    assert address.servers == [("db1", 5433), ("db2", 5432), ("::1", 5434)]
    assert address.arguments == {
        "host": "db1",
        "port": 5433,
        "user": "app",
        "password": "a,b",
        "database": "firm",
        "ssl": "require",
        "target_session_attrs": "read-write",
    }
    assert str(address) == "firm on db1 or db2 or ::1"


def test_a_database_address_says_how_it_is_encrypted() -> None:
    address = read_database_url(SecretStr("postgresql://app@db/firm?sslmode=verify-full"), "MEETDECK_X")
    assert (address.database, address.arguments.get("ssl")) == ("firm", "verify-full")


@pytest.mark.parametrize(
    "parameter", ["target_session_attrs=master", "sslmode=maybe", "sslmode", "ssl=true", "sslmode=require&host=hunter2"]
)
def test_no_parameter_of_a_database_address_is_passed_over(parameter: str) -> None:
    with pytest.raises(SetupError) as caught:
        read_database_url(SecretStr(f"postgresql://app:hunter2@db/firm?{parameter}"), "MEETDECK_DATABASE_URL")
    assert "MEETDECK_DATABASE_URL" in str(caught.value)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["http://gotenberg:3000", "https://user:pass@gotenberg.example/office/", "http://[::1]:3000"]
)
def test_the_address_of_gotenberg_is_taken_as_it_is(url: str) -> None:
    assert read_gotenberg_url(SecretStr(url)) == url


@pytest.mark.parametrize(
    "url",
    [
        "gotenberg:3000",
        "ftp://gotenberg",
        "http://",
        "http://user:s3cret@host:port",
        "http://a?b",
    ],
)
def test_what_is_no_address_of_gotenberg_is_refused_without_showing_a_password(url: str) -> None:
    with pytest.raises(SetupError, match="MEETDECK_GOTENBERG_URL must look like http://gotenberg:3000") as caught:
        read_gotenberg_url(SecretStr(url))
    assert "s3cret" not in str(caught.value)
