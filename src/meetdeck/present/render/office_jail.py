"""Runs a Python program in a jail: it sees a work folder and the paths named to it, and reaches nothing else.

    python -I office_jail.py '{"folder": …, "readable": […], "uid": …, "limits": {…}, "walls": […], "optional": …}' \
        PROGRAM [argument …]

Runs under the Python that has `uno` (3.9 or later), and imports nothing of Meetdeck. The program is read before the
jail is closed, and runs in this very interpreter. Two walls, of which each keeps files out of reach by itself:

- `namespaces`: a root of its own, made of read-only mounts of what is `readable`; processes, network and System V
  objects of its own. Root may have them, others inside a user namespace.
- `landlock`: the kernel refuses files that are not `readable` (from Linux 5.13), TCP (6.7), signals to others (6.12).

What the system gives of both is put up. Where that is nothing this ends with a message, unless a jail is `optional`.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import resource
import signal
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER = 0x00020000, 0x08000000, 0x10000000
CLONE_NEWPID, CLONE_NEWNET = 0x20000000, 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8  # `mount_setattr` has the same four
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 0x20, 0x1000, 0x4000, 0x40000
MNT_DETACH = 2
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
OLD_ROOT = "/.old"
ROOT_OPTIONS = "mode=755,size=1m"

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38
CAPABILITY_VERSION_3 = 0x20080522
LAST_CAPABILITY = 63

# System calls that have one number on every architecture, and that glibc lacks or has had only recently.
MOUNT_SETATTR = 442
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
RULESET_VERSION, RULE_PATH_BENEATH = 1, 1

# Landlock's rights; after the first thirteen, the version of its interface that added each.
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, MAKE_CHAR, MAKE_SOCK, MAKE_BLOCK = (
    1 << bit for bit in (0, 1, 2, 3, 6, 9, 11)
)
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
FIRST_RIGHTS = (1 << 13) - 1
LATER_RIGHTS = ((2, REFER), (3, TRUNCATE), (5, IOCTL_DEV))
RIGHTS_ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
BIND_AND_CONNECT_TCP, TCP_VERSION = 0b11, 4
ABSTRACT_SOCKETS_AND_SIGNALS, SCOPES_VERSION = 0b11, 6

DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
TEMPORARY = "/tmp"  # noqa: S108 - LibreOffice puts its sockets there, whatever TMPDIR says
TEMPORARY_OPTIONS = "mode=1777,size=16m"

libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Set up the jail, then run the program."""
    spec, program = json.loads(sys.argv[1]), Path(sys.argv[2])
    code = compile(program.read_bytes(), program.name, "exec", dont_inherit=True)
    shown = VisiblePaths([*spec["readable"], *modules_of_this_python()])
    os.umask(0o022)  # places of the new root are walked through as another account, whatever our parent's umask
    standing = put_up_walls(spec, shown) if sys.platform == "linux" else step_down(spec["uid"])
    set_limits(spec["limits"], own_uid=spec["uid"] is not None)
    if not standing & {"mounts", "landlock"} and not spec["optional"]:
        sys.exit("this system gives neither namespaces nor Landlock")
    if "processes" in standing:
        go_on_in_child()
    sys.argv = [program.name, *sys.argv[3:]]
    exec(code, {"__name__": "__main__"})  # noqa: S102 - the program that we were given


def put_up_walls(spec: dict[str, Any], shown: VisiblePaths) -> set[str]:
    """Put up the walls of `spec["walls"]` that the system has; return their names. Root becomes `spec["uid"]`."""
    standing = set[str]()
    if "namespaces" in spec["walls"] and enter_namespaces(spec["uid"]):
        standing.add("processes")
        if change_root(spec["folder"], shown):
            standing.add("mounts")
    step_down(spec["uid"])
    drop_capabilities()
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if "landlock" in spec["walls"] and restrict_files(spec["folder"], shown, own_temporary="mounts" in standing):
        standing.add("landlock")
    die_with_parent()
    return standing


class VisiblePaths:
    """The readable parts of the file system: places, none inside another, and links that lead to them."""

    def __init__(self, paths: Iterable[str]) -> None:
        real = {path: os.path.realpath(path) for path in paths if os.access(path, os.F_OK)}
        places = sorted(set(real.values()) - {"/"})
        self.places = [place for place in places if not any(place.startswith(f"{other}/") for other in places)]
        self.links = {path: target for path, target in real.items() if path != target}


def modules_of_this_python() -> list[str]:
    """Return the folders of this Python's own modules, of those installed for it, and of `uno`."""
    prefixes = {sys.prefix, sys.base_prefix}
    installed = [path for path in sys.path if any(path.startswith(f"{prefix}/") for prefix in prefixes)]
    uno = importlib.util.find_spec("uno")
    beside = [str(Path(uno.origin).parent)] if uno is not None and uno.origin is not None else []
    return [*installed, f"{sys.base_prefix}/lib", f"{sys.base_prefix}/lib64", *beside]


# ---------------------------------------------------------------- namespaces


def enter_namespaces(uid: int | None) -> bool:
    """Move into new namespaces, as root or inside a user namespace; return False if the system has none."""
    ours = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC
    if os.getuid() == 0:
        if libc.unshare(ours) == 0:
            return True
        step_down(uid)  # a root without privileges, as in a container, would stay root outside of the namespace
    uid, gid = os.getuid(), os.getgid()
    if uid == 0 or libc.unshare(CLONE_NEWUSER | ours) != 0:
        return False
    with suppress(OSError):  # without a map the process works just as well, under the name of nobody
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1", encoding="ascii")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1", encoding="ascii")
    with suppress(OSError):  # the limit of this namespace alone: none are made inside it
        Path("/proc/sys/user/max_user_namespaces").write_text("0", encoding="ascii")
    return True


def change_root(folder: str, shown: VisiblePaths) -> bool:
    """Make a root of only `shown`, the devices, a /tmp and the writable `folder`; return False if it is not allowed."""
    try:
        mount(None, "/", MS_REC | MS_PRIVATE)  # whatever happens to mounts here, nobody else sees it
        mount("tmpfs", folder, MS_NOSUID | MS_NODEV, ROOT_OPTIONS)
        Path(folder + OLD_ROOT).mkdir()
        check(libc.pivot_root(folder.encode(), (folder + OLD_ROOT).encode()))
    except (OSError, AttributeError):  # the second: a C library without pivot_root
        libc.umount2(folder.encode(), MNT_DETACH)
        return False
    os.chdir("/")
    Path(TEMPORARY).mkdir()
    mount("tmpfs", TEMPORARY, MS_NOSUID | MS_NODEV | MS_NOEXEC, TEMPORARY_OPTIONS)
    for place in shown.places:
        with suppress(PermissionError):  # a place that not even root may look into (a user's FUSE)
            show(place, MS_RDONLY | MS_NOSUID | MS_NODEV)
    for device in DEVICES:
        with suppress(FileNotFoundError):
            show(device, MS_NOSUID | MS_NOEXEC)
    show(folder, MS_NOSUID | MS_NODEV | MS_NOEXEC)
    for link, target in shown.links.items():
        if not os.path.lexists(link):
            Path(link).parent.mkdir(parents=True, exist_ok=True)
            Path(link).symlink_to(target)
    check(libc.umount2(OLD_ROOT.encode(), MNT_DETACH))
    Path(OLD_ROOT).rmdir()
    mount(None, "/", MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)
    return True


def show(path: str, flags: int) -> None:
    """Mount a path of the old root at the same path, with `flags` and those that it already has."""
    source, target = Path(OLD_ROOT + path), Path(path)
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    mount(str(source), path, MS_BIND | MS_REC)
    attributes = struct.pack("=QQQQ", flags, 0, 0, 0)
    if libc.syscall(MOUNT_SETATTR, AT_FDCWD, path.encode(), AT_RECURSIVE, attributes, len(attributes)) != 0:
        had = os.statvfs(path).f_flag & (MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)  # before Linux 5.12
        mount(None, path, MS_REMOUNT | MS_BIND | had | flags)


def mount(source: str | None, target: str, flags: int, options: str | None = None) -> None:
    """Mount; a `source` with options is also the kind of file system. Raises OSError."""
    kind = source if options is not None else None
    check(libc.mount(*(text and text.encode() for text in (source, target, kind)), flags, options and options.encode()))


# ---------------------------------------------------------------- Landlock


def restrict_files(folder: str, shown: VisiblePaths, *, own_temporary: bool) -> bool:
    """Restrict this process and its children to `shown` and `folder`; return False without Landlock."""
    version = libc.syscall(LANDLOCK_CREATE_RULESET, None, 0, RULESET_VERSION)
    if version < 1:
        return False
    rights = FIRST_RIGHTS | sum(right for since, right in LATER_RIGHTS if version >= since)
    network = BIND_AND_CONNECT_TCP if version >= TCP_VERSION else 0
    scopes = ABSTRACT_SOCKETS_AND_SIGNALS if version >= SCOPES_VERSION else 0
    attributes = struct.pack("=QQQ", rights, network, scopes)
    rules = check(libc.syscall(LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0))
    writable = rights & ~(EXECUTE | MAKE_CHAR | MAKE_BLOCK)
    for place in shown.places:
        allow(rules, place, READ_FILE | READ_DIR | EXECUTE)
    for device in DEVICES:
        allow(rules, device, READ_FILE | WRITE_FILE)
    allow(rules, TEMPORARY, writable if own_temporary else MAKE_SOCK)
    allow(rules, folder, writable)
    check(libc.syscall(LANDLOCK_RESTRICT_SELF, rules, 0))
    os.close(rules)
    return True


def allow(rules: int, path: str, rights: int) -> None:
    """Allow `rights` on a file, or on everything below a folder; a missing or unreadable path needs no rule."""
    with suppress(OSError):
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rule = struct.pack("=Qi", rights if Path(path).is_dir() else rights & RIGHTS_ON_FILES, place)
            check(libc.syscall(LANDLOCK_ADD_RULE, rules, RULE_PATH_BENEATH, rule, 0))
        finally:
            os.close(place)


# ---------------------------------------------------------------- who we are


def step_down(uid: int | None) -> set[str]:
    """Become `uid` and the group of that number, for good, unless it is None or our own; this is not a wall."""
    if uid is not None and os.getuid() != uid:
        drop_bounding_capabilities()
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # else /proc/self belongs to root, and no user namespace gets its map
    return set()


def drop_capabilities() -> None:
    """Drop the capabilities of root, or of the first process in a user namespace."""
    drop_bounding_capabilities()
    libc.capset(struct.pack("=Ii", CAPABILITY_VERSION_3, 0), bytes(24))


def drop_bounding_capabilities() -> None:
    """Drop the capabilities that a started program could gain, as far as allowed."""
    for capability in range(LAST_CAPABILITY + 1):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def set_limits(limits: dict[str, int], *, own_uid: bool) -> None:
    """Limit memory, files and, if the user number is ours alone, processes; no core files, no access for others."""
    os.umask(0o077)
    values = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: limits["file_bytes"]}
    if sys.platform == "linux":
        values |= {resource.RLIMIT_AS: limits["memory_bytes"], resource.RLIMIT_NOFILE: limits["open_files"]}
        if own_uid:
            values[resource.RLIMIT_NPROC] = limits["processes"]
    for kind, value in values.items():
        resource.setrlimit(kind, (value, value))


def die_with_parent() -> None:
    """Make the kernel kill this process when its parent ends, even if this one is stopped and reads no stdin."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def go_on_in_child() -> None:
    """Return in a child, the first process of its namespace, and wait for it here.

    When it ends, all others in the namespace end, too.
    """
    if child := os.fork():
        os.close(0)  # what comes and goes through them is the child's
        os.close(1)
        _, status = os.waitpid(child, 0)
        os._exit(1 if status else 0)
    die_with_parent()


def check(result: int) -> int:
    """Return the result of a system call. Raises OSError."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


if __name__ == "__main__":
    main()
