"""A process whose kernel refuses some system calls, as the seccomp filters of containers do.

python seccomp.py unshare,landlock_create_ruleset command [argument …]
"""

import ctypes
import errno
import os
import platform
import struct
import sys

NUMBERS = {
    "x86_64": {"unshare": 272, "mount": 165, "landlock_create_ruleset": 444, "mount_setattr": 442},
    "aarch64": {"unshare": 97, "mount": 40, "landlock_create_ruleset": 444, "mount_setattr": 442},
}
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, FILTER = 22, 38, 2


class Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def refuse(names: list[str]) -> None:
    """Make the kernel answer EPERM to the system calls, for this process and its children."""
    calls = [NUMBERS[platform.machine()][name] for name in names]
    steps = [(LOAD_WORD, 0, 0, 0)]
    steps += [(JUMP_IF_EQUAL, len(calls) - place, 0, call) for place, call in enumerate(calls)]
    steps += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)]
    program = Program(len(steps), b"".join(struct.pack("=HBBI", *step) for step in steps))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.prctl(PR_SET_SECCOMP, FILTER, ctypes.byref(program), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


if __name__ == "__main__":
    refuse(sys.argv[1].split(","))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - the command is the test's
