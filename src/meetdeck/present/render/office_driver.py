"""Drives one LibreOffice, inside the jail that `office_jail.py` made around both.

    office_driver.py '{"soffice": …, "folder": …, "pipe": …}'

Runs under a Python (3.9 or later) that has `uno`; imports nothing of Meetdeck. stdin carries jobs, stdout answers, in
frames (big-endian). A job is its length (8 bytes) and the PPTX. An answer is its kind (1 byte), its length (8) and the
payload. Kinds: `R` ready (JSON: whether it can reach the network), `P` PDF, `E` what was wrong with the document. After
`P` and `E` comes `C`, without a payload, once the document is closed: the caller need not wait for that.

The end of stdin is the order to stop: whether the parent closes it or dies, LibreOffice is killed and reaped.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import queue
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any, BinaryIO

PR_SET_PDEATHSIG = 1
EXIT_RESTART = 81  # LibreOffice has set up a fresh profile and wants to be started again
POLL_SECONDS = 0.02
DISCARD_PORT = 9  # nothing listens there: it is refused, unless there is no network to ask
LENGTH = struct.Struct(">Q")
ANSWER = struct.Struct(">cQ")
PPTX_FILTER = "Impress MS PowerPoint 2007 XML"  # named, so that no other format hiding in the file is ever detected

# No macros, nothing fetched for an untrusted document, nothing written beside the current job.
PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop>
<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>
<prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Recovery/AutoSave">
<prop oor:name="Enabled" oor:op="fuse"><value>false</value></prop></item>
<item oor:path="/org.openoffice.Office.Recovery/RecoveryInfo">
<prop oor:name="Enabled" oor:op="fuse"><value>false</value></prop></item>
</oor:items>
"""

libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Start LibreOffice, then answer jobs until stdin ends."""
    spec = json.loads(sys.argv[1])
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing but frames may reach the parent
    office = LibreOffice(spec["soffice"], Path(spec["folder"]), spec["pipe"])
    jobs: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=read_jobs, args=(sys.stdin.buffer, jobs, office), daemon=True).start()
    office.start()
    threading.Thread(target=watch, args=(office,), daemon=True).start()
    answer(answers, b"R", json.dumps({"network": has_network()}).encode())
    while True:
        answer(answers, *office.convert(jobs.get()))
        office.close()
        answer(answers, b"C", b"")


def read_jobs(stdin: BinaryIO, jobs: queue.Queue[bytes], office: LibreOffice) -> None:
    """Queue the parent's jobs; when stdin ends, stop everything."""
    while len(head := stdin.read(LENGTH.size)) == LENGTH.size:
        jobs.put(stdin.read(LENGTH.unpack(head)[0]))
    office.kill()
    end()


def watch(office: LibreOffice) -> None:
    """End with LibreOffice, so that the parent notices its end at once."""
    status = office.wait()
    sys.stderr.write(f"LibreOffice ended with status {status}\n")
    sys.stderr.flush()
    end()


def end() -> None:
    """End the process group and this process, which its own signals cannot end when it is the first of a namespace."""
    os.killpg(0, signal.SIGKILL)
    os._exit(1)


def answer(answers: BinaryIO, kind: bytes, payload: bytes) -> None:
    """Send one frame."""
    answers.write(ANSWER.pack(kind, len(payload)))
    answers.write(payload)
    answers.flush()


def has_network() -> bool:
    """Return whether the loopback interface, which every network has, answers."""
    with socket.socket() as asking:
        try:
            asking.connect(("127.0.0.1", DISCARD_PORT))
        except ConnectionRefusedError:
            return True
        except OSError:  # no such network, or forbidden
            return False
    return True


def die_with_parent() -> None:
    """Make the kernel kill this process when its parent ends, even if the parent was stopped or killed."""
    if sys.platform == "linux":
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


# ---------------------------------------------------------------- LibreOffice


class LibreOffice:
    """A LibreOffice process and the connection to it."""

    def __init__(self, soffice: str, folder: Path, pipe: str) -> None:
        self.uno: Any = importlib.import_module("uno")  # has no types, and is not there when these are checked
        self.soffice = soffice
        self.folder = folder
        self.pipe = pipe
        self.starts = 0
        self.process: subprocess.Popen[bytes] | None = None
        self.desktop: Any = None
        self.document: Any = None

    def start(self) -> None:
        """Launch and connect, until the parent loses patience; raises RuntimeError when LibreOffice ends."""
        settings = self.profile() / "user" / "registrymodifications.xcu"
        settings.parent.mkdir(parents=True)
        settings.write_text(PROFILE, encoding="utf-8")
        local = self.uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        not_yet = self.uno.getClass("com.sun.star.connection.NoConnectException")
        self.launch()
        while self.desktop is None:
            status = self.process.poll() if self.process else None
            if status == EXIT_RESTART:
                self.launch()
            elif status is not None:
                raise RuntimeError(f"LibreOffice ended with status {status} while starting")
            try:
                context = resolver.resolve(f"uno:pipe,name={self.pipe}.{self.starts};urp;StarOffice.ComponentContext")
                self.desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
            except not_yet:
                time.sleep(POLL_SECONDS)

    def launch(self) -> None:
        """Start soffice.bin itself (the wrapper script would be a separate process), each time with a new profile.

        The profile's name is that of a socket in /tmp, which Landlock lets nobody remove: the next start needs another.
        The shared cache of extensions is in it, too: the installation's can be closed to all but root, who created it,
        and without one LibreOffice ends.
        """
        last = self.profile()
        self.starts += 1
        last.rename(self.profile())
        self.process = subprocess.Popen(  # noqa: S603 - the command is ours
            [
                self.soffice,
                "--headless",
                "--norestore",
                "--nologo",
                "--nodefault",
                "--nofirststartwizard",
                "--nolockcheck",
                f"-env:UserInstallation={self.profile().as_uri()}",
                f"-env:UNO_SHARED_PACKAGES_CACHE={self.profile().as_uri()}/shared",
                f"--accept=pipe,name={self.pipe}.{self.starts};urp",
            ],
            stdin=subprocess.DEVNULL,
            stdout=2,
            env={**os.environ, "LD_LIBRARY_PATH": str(Path(self.soffice).parent)},  # without /proc it cannot find it
            preexec_fn=die_with_parent,  # noqa: PLW1509 - the one other thread holds no lock, it waits for stdin
            restore_signals=False,  # a file past its limit is an error to LibreOffice, not its end
        )

    def convert(self, pptx: bytes) -> tuple[bytes, bytes]:
        """Render one deck; return the kind and payload of the answer. A crash of LibreOffice ends the driver."""
        source, target = self.files()
        crashed = self.uno.getClass("com.sun.star.lang.DisposedException")
        refused = self.uno.getClass("com.sun.star.uno.Exception")
        source.write_bytes(pptx)
        try:
            self.export(source.name, target.name)
            return b"P", target.read_bytes()
        except crashed:
            raise
        except (refused, OSError) as error:
            self.desktop.getCurrentComponent()  # raises when LibreOffice is gone: then nobody has refused the deck
            return b"E", str(error).encode()

    def close(self) -> None:
        """Close the document, and delete its files. A crash of LibreOffice ends the driver."""
        document, self.document = self.document, None
        if document is not None:
            document.close(True)  # noqa: FBT003 - UNO takes its arguments by position only
        for file in self.files():
            if file.exists():
                file.unlink()

    def files(self) -> tuple[Path, Path]:
        """Return the places of the presentation and of its PDF."""
        return self.folder / "presentation.pptx", self.folder / "presentation.pdf"

    def export(self, source: str, target: str) -> None:
        """Load one file of the folder and write the other; the document stays open."""
        loading = self.properties(
            Hidden=True,
            ReadOnly=True,
            MacroExecutionMode=0,  # NEVER_EXECUTE
            UpdateDocMode=0,  # NO_UPDATE
            FilterName=PPTX_FILTER,
        )
        self.document = self.desktop.loadComponentFromURL(self.url(source), "_blank", 0, loading)
        if self.document is None:
            raise OSError("it cannot be opened")
        # Reducing pictures doubles the time; comments are for colleagues, not for customers; tags, for screen readers,
        # take some 3 to 6 % more time.
        options = self.properties(ReduceImageResolution=False, Quality=90, ExportNotes=False, UseTaggedPDF=True)
        data = self.uno.Any("[]com.sun.star.beans.PropertyValue", options)
        self.document.storeToURL(self.url(target), self.properties(FilterName="impress_pdf_Export", FilterData=data))

    def properties(self, **values: object) -> tuple[object, ...]:
        """Return UNO properties."""
        make = self.uno.getClass("com.sun.star.beans.PropertyValue")
        return tuple(make(Name=name, Value=value) for name, value in values.items())

    def profile(self) -> Path:
        """Return LibreOffice's folder for its settings."""
        return self.folder / f"profile.{self.starts}"

    def url(self, name: str) -> str:
        """Return the address of an entry of the folder."""
        return (self.folder / name).as_uri()

    def wait(self) -> int | None:
        """Wait for the end of LibreOffice; return its exit status."""
        return self.process.wait() if self.process else None

    def kill(self) -> None:
        """End LibreOffice and reap it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()


if __name__ == "__main__":
    try:
        main()
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        end()  # a plain exit would wait for the thread that reads stdin, and leave LibreOffice
