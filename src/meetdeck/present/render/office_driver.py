"""Drives one LibreOffice. Runs under a Python that has `uno`, not under Meetdeck's own; imports nothing of Meetdeck.

    python -I office_driver.py '{"soffice": …, "folder": …, "pipe": …, "uid": …, "gid": …, "memory_bytes": …}'

stdin carries jobs, stdout answers, in frames (big-endian): a job is its length (8 bytes) and the PPTX; an answer is
its kind (1 byte), the resident memory of LibreOffice in bytes (8), its length (8) and the payload. Kinds: `R` ready
(JSON of what confines the process), `P` PDF, `E` what was wrong with the document (text).

End of stdin is the order to stop: whether the parent closes it or dies, LibreOffice is killed and reaped.
"""

import ctypes
import json
import os
import queue
import resource
import signal
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
EXIT_RESTART = 81  # LibreOffice has set up a fresh profile and wants to be started again
START_SECONDS = 60
PPTX_FILTER = "Impress MS PowerPoint 2007 XML"  # named, so that no other format hiding in the file is ever detected
NEVER_RUN_MACROS = 0
NEVER_UPDATE_LINKS = 0

# No macros, nothing fetched for a document that nobody vouches for, nothing written beside the work at hand.
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


def main():
    """Confine, start LibreOffice, then answer jobs until stdin ends."""
    spec = json.loads(sys.argv[1])
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing but frames may reach the parent
    confinement = confine(spec)
    office = Office(spec["soffice"], Path(spec["folder"]), spec["pipe"])
    jobs = queue.Queue(maxsize=1)
    threading.Thread(target=read_jobs, args=(sys.stdin.buffer, jobs, office), daemon=True).start()
    office.start()
    send(answers, b"R", office, json.dumps(confinement).encode())
    while True:
        kind, payload = office.convert(jobs.get())
        send(answers, kind, office, payload)


def read_jobs(stdin, jobs, office):
    """Queue what the parent sends; when stdin ends, stop everything."""
    while len(head := stdin.read(8)) == 8:  # noqa: PLR2004
        jobs.put(stdin.read(struct.unpack(">Q", head)[0]))
    office.kill()
    os.killpg(0, signal.SIGKILL)


def send(answers, kind, office, payload):
    answers.write(struct.pack(">cQQ", kind, office.resident_bytes(), len(payload)))
    answers.write(payload)
    answers.flush()


# ---------------------------------------------------------------- confinement


def confine(spec):
    """Give up what rendering does not need: the network, root, cores, endless memory. Returns what was given up."""
    libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
    isolated = libc is not None and leave_network(libc)
    if spec["uid"] is not None:
        os.setgroups([])
        os.setgid(spec["gid"])
        os.setuid(spec["uid"])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if libc is not None:
        resource.setrlimit(resource.RLIMIT_AS, (spec["memory_bytes"], spec["memory_bytes"]))
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    return {"network": "none" if isolated else "shared", "uid": os.getuid()}


def leave_network(libc):
    """Move into an empty network namespace, where the kernel allows it: as root, or inside a user namespace."""
    uid, gid = os.getuid(), os.getgid()
    if libc.unshare(CLONE_NEWNET) == 0:
        return True
    if uid == 0 or libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
        return False
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
    return True


def die_with_parent():
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


# ---------------------------------------------------------------- LibreOffice


class Office:
    """One LibreOffice process and the connection to it."""

    def __init__(self, soffice, folder, pipe):
        self.soffice = soffice
        self.folder = folder
        self.pipe = pipe
        self.process = None
        self.desktop = None

    def start(self):
        """Launch and connect; raises RuntimeError when LibreOffice does not come up."""
        import uno

        self.uno = uno
        settings = self.folder / "profile" / "user" / "registrymodifications.xcu"
        settings.parent.mkdir(parents=True)
        settings.write_text(PROFILE)
        deadline = time.monotonic() + START_SECONDS
        self.launch()
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        from com.sun.star.connection import NoConnectException

        while self.desktop is None:
            if self.process.poll() == EXIT_RESTART:
                self.launch()
            elif self.process.poll() is not None:
                raise RuntimeError(f"LibreOffice ended with status {self.process.returncode} while starting")
            if time.monotonic() > deadline:
                raise RuntimeError(f"LibreOffice did not answer within {START_SECONDS} s")
            try:
                context = resolver.resolve(f"uno:pipe,name={self.pipe};urp;StarOffice.ComponentContext")
            except NoConnectException:
                time.sleep(0.02)
            else:
                desktop = "com.sun.star.frame.Desktop"
                self.desktop = context.ServiceManager.createInstanceWithContext(desktop, context)

    def launch(self):
        profile = self.uno.systemPathToFileUrl(str(self.folder / "profile"))
        self.process = subprocess.Popen(
            [
                self.soffice,
                "--headless",
                "--norestore",
                "--nologo",
                "--nodefault",
                "--nofirststartwizard",
                "--nolockcheck",
                f"-env:UserInstallation={profile}",
                f"--accept=pipe,name={self.pipe};urp",
            ],
            stdin=subprocess.DEVNULL,
            stdout=2,
            preexec_fn=die_with_parent,
        )

    def convert(self, pptx):
        """Render one deck; returns the kind and payload of the answer. A crash of LibreOffice ends the driver."""
        from com.sun.star.lang import DisposedException
        from com.sun.star.uno import Exception as UnoException

        source, target = self.folder / "presentation.pptx", self.folder / "presentation.pdf"
        source.write_bytes(pptx)
        try:
            self.export(source, target)
            return b"P", target.read_bytes()
        except DisposedException:
            raise
        except (UnoException, OSError) as error:
            return b"E", str(error).encode()
        finally:
            source.unlink()
            target.unlink(missing_ok=True)

    def export(self, source, target):
        loading = self.properties(
            Hidden=True,
            ReadOnly=True,
            MacroExecutionMode=NEVER_RUN_MACROS,
            UpdateDocMode=NEVER_UPDATE_LINKS,
            FilterName=PPTX_FILTER,
        )
        document = self.desktop.loadComponentFromURL(self.url(source), "_blank", 0, loading)
        if document is None:
            raise OSError("LibreOffice cannot open it")
        try:
            options = self.properties(ReduceImageResolution=False, Quality=90, ExportNotes=False)
            data = self.uno.Any("[]com.sun.star.beans.PropertyValue", options)
            saving = self.properties(FilterName="impress_pdf_Export", FilterData=data)
            document.storeToURL(self.url(target), saving)
        finally:
            document.close(True)

    def properties(self, **values):
        from com.sun.star.beans import PropertyValue

        return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())

    def url(self, path):
        return self.uno.systemPathToFileUrl(str(path))

    def resident_bytes(self):
        """Memory in use, for the parent to decide when to start afresh; 0 where it cannot be told."""
        try:
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        except OSError:
            return 0
        return pages * resource.getpagesize()

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()


if __name__ == "__main__":
    main()
