from urllib.parse import parse_qs, unquote, urlsplit

from meetdeck.platform.embedded_postgres import Login

LOGIN = Login("/tmp/a b/ø", 5432, "meetdeck_app", "s/e:c@r?et")  # noqa: S108 - only a name


def test_a_dsn_keeps_every_character_of_the_folder_and_the_password() -> None:
    parts = urlsplit(LOGIN.dsn)
    assert parse_qs(parts.query) == {"host": ["/tmp/a b/ø"], "port": ["5432"]}  # noqa: S108
    assert (parts.username, unquote(parts.password or ""), parts.path) == ("meetdeck_app", "s/e:c@r?et", "/meetdeck")


def test_a_password_is_not_shown() -> None:
    assert "s/e:c@r?et" not in repr(LOGIN)
    assert LOGIN.arguments["password"] == "s/e:c@r?et"
