"""Mail servers and mailboxes as settings write them (docs/operations/mail.md#mail)."""

import pytest

from meetdeck.platform.outgoing import MailServer, read_imap_url, read_sender, read_smtp_url


@pytest.mark.parametrize(
    ("url", "port", "is_encrypted", "must_encrypt"),
    [
        ("smtp://mail.example.com", 25, False, False),
        ("smtp://localhost:1025", 1025, False, False),
        ("smtp://user:secret@localhost", 25, False, False),
        ("smtp://user:secret@127.0.0.1", 25, False, False),
        ("smtp://user:secret@mail.example.com", 25, False, True),
        ("smtp+starttls://mail.example.com", 587, False, True),
        ("smtps://user:secret@mail.example.com", 465, True, True),
    ],
)
def test_a_password_goes_encrypted_to_other_machines(
    url: str, port: int, *, is_encrypted: bool, must_encrypt: bool
) -> None:
    server = read_smtp_url(url)
    assert (server.port, server.is_encrypted, server.must_encrypt) == (port, is_encrypted, must_encrypt)


def test_signs_of_a_password_are_written_in_percents() -> None:
    assert read_imap_url("imaps://a%40b.example:p%2Fq@mail.example.com/INBOX/Replies") == MailServer(
        "imaps", "mail.example.com", 993, "a@b.example", "p/q", "INBOX/Replies"
    )
    assert read_imap_url("imaps://a:b@mail.example.com").folder == "INBOX"


@pytest.mark.parametrize(
    "url",
    [
        *("", "mail.example.com", "http://mail.example.com", "smtp://", "smtp://mail:port", "smtp://mail:0"),
        *("smtp://mail/folder", "smtp://mail?x=y", "imaps://user:secret@mail"),
    ],
)
def test_what_is_no_mail_server_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ValueError, match="it ") as caught:
        read_smtp_url(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["imaps://mail.example.com", "imaps://user@mail", "imap://user:secret@mail.example.com"]
)
def test_a_mailbox_has_a_password_and_is_encrypted(url: str) -> None:
    with pytest.raises(ValueError, match=r"user and a password|must begin with imaps") as caught:
        read_imap_url(url)
    assert "secret" not in str(caught.value)


def test_a_sender_has_an_address_and_perhaps_a_name() -> None:
    assert read_sender("Nordlys <meetings@nordlys.example>") == ("Nordlys", "meetings@nordlys.example")
    assert read_sender("meetings@nordlys.example") == ("", "meetings@nordlys.example")
    for wrong in (
        "",
        "meetings",
        "a@b.example, c@d.example",
        "Nordlys <a@b.example>\nBcc: x@y.example",
        "a b@c.example",
    ):
        with pytest.raises(ValueError, match="must look like"):
            read_sender(wrong)
