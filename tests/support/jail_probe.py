"""Tries what a hostile program would try from inside the jail. Imports nothing of ours, which is not visible there.

    jail_probe.py '{"name": ["kind", "argument"], …}'

Prints a JSON object: for each name, true when it worked, else the system's message.
"""

import contextlib
import ctypes
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x20000
MEGABYTE = 2**20


def read(path: str) -> None:
    """Read from a file, without waiting for a FIFO's writer."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with contextlib.suppress(BlockingIOError):  # a writer holds the FIFO open, and has written nothing: it was reached
        os.read(descriptor, 1)
    os.close(descriptor)


def visit(path: str) -> None:
    list(Path(path).iterdir())


def run(path: str) -> None:
    if subprocess.run([path], stdin=subprocess.DEVNULL, check=False).returncode:  # noqa: S603 - that is what is tried
        raise OSError("it did not run")


def connect(port: str) -> None:
    socket.create_connection(("127.0.0.1", int(port)), timeout=2).close()


def send(port: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sending:
        sending.sendto(b"knock", ("127.0.0.1", int(port)))


def call(name: str) -> None:
    """Connect to a socket of this machine; `@` begins the name of one that is not a file."""
    with socket.socket(socket.AF_UNIX) as calling:
        calling.connect(name.replace("@", "\0", 1))


def signal(pid: str) -> None:
    os.kill(int(pid), 0)


def write(path: str) -> None:
    with Path(path).open("ab") as written:
        written.write(b"x")


def write_two_megabytes(path: str) -> None:
    with Path(path).open("wb", buffering=0) as written:
        for _ in range(2):
            if written.write(bytes(MEGABYTE)) != MEGABYTE:
                raise OSError("it is cut short")


def remove(path: str) -> None:
    Path(path).unlink()


def mount(target: str) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.unshare(CLONE_NEWUSER | CLONE_NEWNS)
    if libc.mount(b"tmpfs", target.encode(), b"tmpfs", 0, None) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


KINDS = {
    kind.__name__: kind
    for kind in (read, visit, run, connect, send, call, signal, write, write_two_megabytes, remove, mount)
}


def attempt(kind: str, argument: str) -> str | bool:
    try:
        KINDS[kind](argument)
    except OSError as error:
        return str(error)
    return True


if __name__ == "__main__":
    attempts: dict[str, tuple[str, str]] = json.loads(sys.argv[1])
    print(json.dumps({name: attempt(*one) for name, one in attempts.items()}))  # noqa: T201 - that is its answer
