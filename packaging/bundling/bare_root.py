"""A bare Debian without Python, Qt or a network, in which a package is installed and tried; needs root and Linux."""

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import setting_up

SUITE = os.environ.get("AFFINECAL_SUITE", "bookworm")
USER = 1000
HOME = "/home/user"
TRIALS = "/home/user/trials"
SOCKETS = "/tmp/.X11-unix"
SECONDS_TO_END = 30.0

TOOLS = {"debootstrap": "debootstrap", "unshare": "util-linux", "chroot": "coreutils", "dpkg-deb": "dpkg"}


class BareRoot:
    """The root of such a system.

    Parameters
    ----------
    base
        What debootstrap makes, once, and what is kept.
    place
        Where a copy of it is used and spoilt.
    """

    def __init__(self, base: Path, place: Path) -> None:
        self.base, self.place = base, place

    def make(self) -> None:
        """Make it anew; stop with a sentence where this machine cannot."""
        missing = [package for tool, package in TOOLS.items() if shutil.which(tool) is None]
        if missing:
            setting_up.stop(f"programs are missing; on Debian and Ubuntu: apt-get install {' '.join(missing)}")
        if os.geteuid() != 0:
            setting_up.stop("this makes a system of its own, for which it has to be run by root.")
        if not self.base.exists():
            print(f"{setting_up.SPEAKER}: debootstrap is at work; the first time this takes some minutes", flush=True)
            unfinished = self.base.with_name(
                self.base.name + "-unfinished"
            )  # what was stopped half-way is not taken for it
            shutil.rmtree(unfinished, ignore_errors=True)
            subprocess.run(
                ["debootstrap", "--variant=minbase", SUITE, str(unfinished)], check=True, stdout=subprocess.DEVNULL
            )
            unfinished.rename(self.base)
        shutil.rmtree(self.place, ignore_errors=True)
        subprocess.run(["cp", "-ax", str(self.base), str(self.place)], check=True)
        shutil.copyfile("/etc/resolv.conf", self.place / "etc" / "resolv.conf")
        (self.place / HOME[1:]).mkdir(parents=True, exist_ok=True)
        os.chown(self.place / HOME[1:], USER, USER)

    def install(self, package: Path) -> None:
        """Install a package with what it depends on, the one thing for which there is a network."""
        shutil.copyfile(package, self.place / "tmp" / package.name)
        self.as_root("apt-get", "update", "-qq", network=True)
        words = ("apt-get", "install", "-y", "-qq", "--no-install-recommends", f"/tmp/{package.name}")
        self.as_root(*words, network=True)

    def remove(self, name: str) -> None:
        """Remove a package as thoroughly as Debian does."""
        self.as_root("dpkg", "--purge", name)

    def as_root(self, *words: str, network: bool = False) -> str:
        """Run a program in it as its administrator; return what it printed."""
        command = self._command(words, {"DEBIAN_FRONTEND": "noninteractive"}, network=network, user=0)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            setting_up.stop(f"'{shlex.join(words)}' failed in {self.place}: {done.stderr.strip()}")
        return done.stdout

    def start(self, words: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[str]:
        """Start a program as a user, in the folder of the trials, without a network."""
        command = self._command(words, environment, network=False, user=USER)
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    @staticmethod
    def end(program: subprocess.Popen[str]) -> tuple[str, str]:
        """Ask a program to end that :meth:`start` has started; return what it printed on its two streams."""
        # What set it apart has no ear for signals of its own; the program is its only child. That is the first process of
        # its namespace, to which the system brings no signal that it has no handler for yet: so it is asked again.
        children = [int(one) for one in Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()]
        for wish in (*[signal.SIGTERM] * round(SECONDS_TO_END), signal.SIGKILL):
            for child in children:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, wish)
            with contextlib.suppress(subprocess.TimeoutExpired):
                return program.communicate(timeout=1.0)
        return program.communicate()

    def files(self) -> set[str]:
        """Return the names of everything in it, but what belongs to the user or is of the moment."""
        own = ("proc/", "dev/", "sys/", "tmp/", "run/", "var/", "home/")
        names = {path.relative_to(self.place).as_posix() for path in self.place.rglob("*")}
        return {name for name in names if not name.startswith(own)}

    def _command(self, words: Sequence[str], environment: Mapping[str, str], *, network: bool, user: int) -> list[str]:
        given = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": HOME if user else "/root", "LANG": "C.UTF-8"} | dict(
            environment
        )
        root = shlex.quote(str(self.place))
        inside = f"cd {TRIALS if user else '/'} && exec {shlex.join(words)}"
        steps = [
            f"mount --rbind /dev {root}/dev",
            f"mount -t proc proc {root}/proc",
            f"mkdir -p {root}{SOCKETS}",
            f"if [ -d {SOCKETS} ]; then mount --bind {SOCKETS} {root}{SOCKETS}; fi",
            f"exec chroot --userspec={user}:{user} {root} env -i"
            f" {shlex.join(f'{name}={value}' for name, value in given.items())}"
            f" sh -c {shlex.quote(inside)}",
        ]
        apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child"] + ([] if network else ["--net"])
        return [*apart, "sh", "-ec", "\n".join(steps)]
