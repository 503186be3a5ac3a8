"""A package of Debian's archive, fetched by apt without changing anything on this machine, as any user.

apt gets a configuration, a source list and a state of its own; of the machine's configuration it keeps how to reach
the network (proxies) and which Debian mirror to use. apt checks the archive's signature against Debian's keyring, so
a mirror that is none, or not Debian's, is refused there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from pgrag.embedded.folders import make_folder, write_file

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
PATIENCE_SECONDS = 120


class Unavailable(Exception):
    """The package cannot be had; the message is the reason."""


def fetch(package: str, suites: Sequence[str], into: Path) -> Path:
    """The root of the unpacked package below `into`, from the first of these suites that has it. Raises Unavailable."""
    for program in ("apt-get", "apt-config", "dpkg-deb"):
        if shutil.which(program) is None:
            raise Unavailable(f"there is no {program} on this machine")
    if not KEYRING.exists():
        raise Unavailable(f"there is no {KEYRING} (Debian's package debian-archive-keyring)")
    mirror = _mirror()
    reasons = []
    for suite in suites:
        work, environment = _prepare(mirror, suite, into)
        _run(["apt-get", "update", "-qq"], work, environment)  # a mirror out of reach is so for every suite
        try:
            _run(["apt-get", "download", "-qq", package], work, environment)
        except Unavailable as error:
            reasons.append(f"{suite}: {error}")
            continue
        _run(["dpkg-deb", "-x", next(work.glob(f"{package}_*.deb")), work / "root"], work, environment)
        return work / "root"
    raise Unavailable("; ".join(reasons))


def _prepare(mirror: str, suite: str, into: Path) -> tuple[Path, dict[str, str]]:
    """A folder with apt's state for one suite, and the environment that makes apt use it."""
    work = into / suite
    for folder in ("lists/partial", "cache/archives/partial"):
        make_folder(work / folder, 0o755)  # as root, apt downloads as a user of its own
    (work / "sources.list").write_text(f"deb [signed-by={KEYRING}] {mirror} {suite} main\n")
    write_file(work / "apt.conf", _configuration(work), 0o600)  # may hold a proxy's password
    return work, {**os.environ, "APT_CONFIG": str(work / "apt.conf"), "LC_ALL": "C"}


def _configuration(work: Path) -> str:
    """The machine's `Acquire` settings without its hooks, then ours, which win."""
    dumped = _run(["apt-config", "dump"], work, {**os.environ, "LC_ALL": "C"})
    network = [
        line
        for line in dumped.splitlines()
        if line.startswith("Acquire::") and not line.startswith(("Acquire::IndexTargets", "Acquire::Languages"))
    ]
    ours = {
        "Dir::Etc::main": "/dev/null",
        "Dir::Etc::parts": "/dev/null",
        "Dir::Etc::SourceList": work / "sources.list",
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": work / "lists",
        "Dir::State::Status": "/dev/null",
        "Dir::Cache": work / "cache",
        "APT::Update::Error-Mode": "any",
        "Acquire::Languages": "none",
        "Acquire::AllowInsecureRepositories": "false",
        "Acquire::http::Timeout": "15",
        "Acquire::https::Timeout": "15",
        "Acquire::Retries": "1",
    }
    return "\n".join([*network, *(f'{name} "{value}";' for name, value in ours.items())]) + "\n"


def _mirror() -> str:
    """The Debian mirror that this machine's own apt uses. Raises Unavailable."""
    layout = "$(ORIGIN)|$(LABEL)|$(REPO_URI)"
    command = ["apt-get", "indextargets", "--format", layout]
    listed = _run([*command, "Created-By: Packages"], Path("/"), dict(os.environ)).splitlines()
    known = [line.split("|")[2] for line in listed if line.startswith("Debian|Debian|")]
    if known:
        return known[0]
    # Before the machine's first `apt-get update` no origin is known: Debian mirrors end in /debian.
    everything = _run([*command, "-oAPT::Get::IndexTargets::ReleaseInfo=false"], Path("/"), dict(os.environ))
    guessed = [line.rpartition("|")[2] for line in everything.splitlines() if line.rstrip("/").endswith("/debian")]
    if guessed:
        return guessed[0]
    raise Unavailable("no Debian mirror is configured in apt's sources")


def _run(argv: Sequence[str | Path], folder: Path, environment: dict[str, str]) -> str:
    try:
        done = subprocess.run(
            [str(word) for word in argv],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{argv[0]} took more than {PATIENCE_SECONDS} s") from None
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if line.startswith(("E:", "dpkg"))]
        raise Unavailable(f"{argv[0]} failed: {errors[0] if errors else f'exit code {done.returncode}'}")
    return done.stdout
