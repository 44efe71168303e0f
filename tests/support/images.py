"""Images without an engine: a Dockerfile's steps in a Debian made by debootstrap, and running the result.

As root on Debian: each step runs in a mount and process namespace of its own, changed into the image's folder. The
settings by which this machine reaches its packages (a mirror, an authority's certificate) are passed along.
"""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from support.dockerfiles import Stage, Step, substitute

_AUTHORITIES: Final = "/etc/ssl/certs/ca-certificates.crt"
_LENT: Final = "/run/authorities.crt"
"""The path of this machine's authorities in a step; the image has its own at the usual path."""

_PASSED: Final = re.compile(
    r"PIP_(?!FIND_LINKS)\w+|npm_config_\w+|\w+_(?:proxy|PROXY)|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE"
)
_IN_MEMORY: Final = ("/tmp", "/dev/shm")  # noqa: S108 - mounted there
_CLEAN: Final = 'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };\n'
_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Image:
    """A folder with an image's files, and the run-time settings of its instructions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {"PATH": _PATH}
        self.workdir = "/"
        self.user = "0:0"
        self.entrypoint: list[str] = []
        self.command: list[str] = []
        self.healthcheck: list[str] = []
        self.volumes: list[str] = []

    @property
    def megabytes(self) -> int:
        """Return the size of the files."""
        return sum(path.lstat().st_size for path in self.folder.rglob("*") if not path.is_dir()) // 10**6

    def begin_another(self, folder: Path, *, kept: bool) -> "Image":
        """Return an image that begins like this one; `kept`: its files exist already."""
        if not kept:
            shutil.rmtree(folder, ignore_errors=True)
            folder.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["/bin/cp", "-a", "--reflink=auto", self.folder, folder], check=True)  # noqa: S603 - ours
        image = Image(folder)
        image.__dict__.update({name: value for name, value in vars(self).items() if name != "folder"})
        image.environment = dict(self.environment)
        return image


def debootstrap(folder: Path, release: str = "bookworm") -> Image:
    """Return a fresh Debian, made once; later images are copies of it."""
    if not (folder / "made").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        sources = Path("/etc/apt/sources.list.d/debian.sources")
        mirrors = (
            re.findall(r"^URIs: (\S+)", sources.read_text(encoding="utf-8"), re.MULTILINE) if sources.exists() else []
        )
        command = ["/usr/sbin/debootstrap", "--variant=minbase", release, str(folder / "root"), *mirrors[:1]]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - the system's
        for file in [sources, *Path("/etc/apt/apt.conf.d").glob("99*")]:  # how this machine reaches its mirror
            if file.exists():
                shutil.copy(file, folder / "root" / file.relative_to("/"))
        # As in the image of Debian that engines know: packages are not kept once they are installed.
        (folder / "root/etc/apt/apt.conf.d/docker-clean").write_text(_CLEAN, encoding="ascii")
        shutil.rmtree(folder / "root/var/cache/apt/archives")
        (folder / "made").touch()
    return Image(folder / "root")


def build(stages: list[Stage], base: Image, context: Path, folder: Path) -> dict[str, Image]:
    """Run the steps of all stages; return the images by name. Results of the same steps and files are reused."""
    built: dict[str, Image] = {}
    digest = hashlib.sha256()
    for stage in stages:  # each may stand on all before it
        for part in (repr(stage).encode(), *_read_context(stage, context)):
            digest.update(part)
        mark = folder / f"{stage.name}.digest"
        kept = mark.exists() and mark.read_text(encoding="ascii") == digest.hexdigest()
        if not kept:
            mark.unlink(missing_ok=True)
        image = built.get(stage.base, base).begin_another(folder / stage.name, kept=kept)
        given = {name: value for name, value in os.environ.items() if _PASSED.fullmatch(name)}
        for step in stage.steps:
            if not (kept and step.name in {"RUN", "COPY"}):
                _carry_out(step, image, built, context, given)
        mark.write_text(digest.hexdigest(), encoding="ascii")
        built[stage.name] = image
    return built


def _read_context(stage: Stage, context: Path) -> Iterator[bytes]:
    """Yield the files that a stage copies from the context."""
    ignore = _ignoring(context)
    copies = [step for step in stage.steps if step.name == "COPY" and not step.options]
    for here in (context / source for step in copies for source in step.words[:-1]):
        for parent, folders, names in os.walk(here):
            left_out = ignore(parent, [*folders, *names])
            folders[:] = sorted(name for name in folders if name not in left_out)
            yield from (Path(parent, name).read_bytes() for name in sorted(names) if name not in left_out)
        if here.is_file():
            yield here.read_bytes()


def _carry_out(step: Step, image: Image, built: dict[str, Image], context: Path, given: dict[str, str]) -> None:
    values = given | image.environment
    match step.name:
        case "RUN":
            _run(image, step.rest, given)
        case "COPY":
            _copy(step, image, built, context)
        case "ENV":
            pairs = (pair.partition("=") for pair in step.words)
            image.environment |= {name: substitute(value, values) for name, _, value in pairs}
        case "WORKDIR":
            image.workdir = step.rest
            (image.folder / step.rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        case "USER":
            image.user = step.rest
        case "ENTRYPOINT":
            image.entrypoint = step.words
        case "CMD":
            image.command = step.words
        case "HEALTHCHECK":
            image.healthcheck = Step("CMD", {}, step.rest.removeprefix("CMD").strip()).words
        case "VOLUME":
            image.volumes = [*image.volumes, *step.words]
        case _:
            assert step.name in {"ARG", "EXPOSE", "LABEL"}, step.name  # of which nothing comes in the files


def _run(image: Image, command: str, given: dict[str, str]) -> None:
    """Run a command of a shell in the image, as its user."""
    variables = {name: value.replace(_AUTHORITIES, _LENT) for name, value in given.items()} | image.environment
    inside = _enter(image, variables, ["/bin/sh", "-c", f"cd {shlex.quote(image.workdir)} && {command}"])
    root = shlex.quote(str(image.folder))
    script = f"""set -e
mount -t proc proc {root}/proc
mount --rbind /dev {root}/dev
touch {root}{_LENT} && mount --bind {_AUTHORITIES} {root}{_LENT}
cp --remove-destination -L /etc/resolv.conf {root}/etc/resolv.conf
exec {shlex.join(inside)}"""
    subprocess.run(unshare(script), check=True)  # noqa: S603 - ours
    (image.folder / _LENT.lstrip("/")).unlink()


def _enter(image: Image, variables: dict[str, str], command: list[str]) -> list[str]:
    pairs = [f"{name}={value}" for name, value in variables.items()]
    return ["chroot", f"--userspec={image.user}", str(image.folder), "/usr/bin/env", "-i", *pairs, *command]


def unshare(script: str) -> list[str]:
    """Return the command that runs a script in namespaces of its own, whose processes all end with it."""
    return ["/usr/bin/unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", script]


def _copy(step: Step, image: Image, built: dict[str, Image], context: Path) -> None:
    *sources, target = step.words
    origin = built[step.options["from"]].folder if "from" in step.options else None
    to = image.folder / (target if target.startswith("/") else f"{image.workdir}/{target}").lstrip("/")
    for source in sources:
        here = origin / source.lstrip("/") if origin is not None else context / source
        into = to / here.name if target.endswith("/") else to
        into.parent.mkdir(parents=True, exist_ok=True)
        if here.is_file():
            shutil.copy2(here, into)
        else:
            ignore = None if origin is not None else _ignoring(context)
            shutil.copytree(here, into, symlinks=True, dirs_exist_ok=True, ignore=ignore)


def _ignoring(context: Path) -> Callable[[str, list[str]], list[str]]:
    """Return a filter that leaves out the files named at the end of .dockerignore."""
    lines = (context / ".dockerignore").read_text(encoding="utf-8").splitlines()
    named = [line for line in lines if line and not line.startswith(("#", "!", "*"))]

    def ignore(folder: str, names: list[str]) -> list[str]:
        below = Path(folder).relative_to(context)
        return [name for name in names if name == "__pycache__" or str(below / name) in named]

    return ignore


def confine(image: Image, command: list[str], **settings: str) -> list[str]:
    """Return the command that runs a command as a strict engine would: as the image's user, without any capability.

    Files cannot be changed, except in its volumes and `/tmp`, which are new and in memory.
    """
    uid, gid = image.user.split(":")
    root = shlex.quote(str(image.folder))
    volumes = "\n".join(
        f"mount -t tmpfs -o mode=0700,uid={uid},gid={gid} tmpfs {root}{volume}" for volume in image.volumes
    )
    drop = ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups", "--no-new-privs", "--inh-caps=-all"]
    drop += ["--bounding-set=-all", "--"]
    variables = [f"{name}={value}" for name, value in (image.environment | settings).items()]
    inside = shlex.join(["/usr/bin/env", "-i", *variables, *command])
    inside = shlex.join([*drop, "/bin/sh", "-c", f"cd {image.workdir} && exec {inside}"])
    in_memory = "\n".join(f"mount -t tmpfs -o mode=1777 tmpfs {root}{place}" for place in _IN_MEMORY)
    return unshare(f"""set -e
mount --bind {root} {root}
cd {root}
mount -t proc proc {root}/proc
mount --rbind /dev {root}/dev
{in_memory}
{volumes}
mount -o remount,bind,ro {root}
exec chroot {root} {inside}""")
