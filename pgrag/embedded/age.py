"""Apache AGE for the embedded server: Debian's package, kept outside PostgreSQL's own folders.

PostgreSQL 18 finds an extension through `extension_control_path` and `dynamic_library_path`, so that the wheel stays
as it is. Debian builds against a newer glibc: where this machine's is older than 2.38, the two C functions that
differ (`__isoc23_strtol`, `__isoc23_strtoul`) are pointed at those they replaced.

Where AGE cannot be had (no apt, no network, another C library) the server runs without it, and this is said once.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import platform
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from pgrag.embedded import account as accounts
from pgrag.embedded import debian
from pgrag.embedded.binaries import MAJOR
from pgrag.embedded.debian import Unavailable
from pgrag.embedded.folders import lock_file, make_folder, open_to_read
from pgrag.embedded.layout import Home
from pgrag.errors import ServerError

if TYPE_CHECKING:
    import lief

log = logging.getLogger(__name__)

PACKAGE = f"postgresql-{MAJOR}-age"
SUITES = ("forky", "sid")
"""forky first: as a release it will keep PostgreSQL 18, while sid moves on."""
RENAMED_SINCE_GLIBC_2_38 = {"__isoc23_strtol": "strtol", "__isoc23_strtoul": "strtoul"}
VERSION_NEED_IS_WEAK = 2  # VER_FLG_WEAK
ANY_VERSION = 1  # VER_NDX_GLOBAL

_failure: str | None = None
_said = False


@dataclass(frozen=True)
class AgeFiles:
    """The folders that `extension_control_path` and `dynamic_library_path` have to name."""

    share: Path
    lib: Path


def find_age(home: Home) -> AgeFiles | None:
    """AGE's files, fetched when they are not there; None when they cannot be had, which is said once.

    A failure is remembered as long as this process lives. Raises ServerError under PGRAG_REQUIRE_AGE=1.
    """
    global _failure
    if _failure is None:
        try:
            return _cached_or_fetched(home)
        except Unavailable as error:
            _failure = str(error)
        except OSError as error:
            _failure = f"{error.strerror}: {error.filename}"
    give_up(_failure)
    return None


def give_up(reason: str) -> None:
    """Says once that there is no AGE. Raises ServerError under PGRAG_REQUIRE_AGE=1."""
    global _said
    check_dispensable(reason)
    if not _said:
        log.warning("going on without Apache AGE, graphs are walked by SQL joins: %s", reason)
        _said = True


def check_dispensable(reason: str) -> None:
    """Raises ServerError under PGRAG_REQUIRE_AGE=1."""
    if os.environ.get("PGRAG_REQUIRE_AGE") == "1":
        raise ServerError(
            f"Apache AGE is required (PGRAG_REQUIRE_AGE=1) and cannot be had: {reason}",
            hint="unset PGRAG_REQUIRE_AGE to go on without it",
        )


def _cached_or_fetched(home: Home) -> AgeFiles:
    library, version = platform.libc_ver()
    if library != "glibc":
        raise Unavailable(f"Debian's {PACKAGE} needs glibc, and this is {platform.system()} without it")
    cache = _cache(home)
    place = cache / f"{MAJOR}-glibc{version}-{platform.machine()}"
    if ":" in str(place):
        raise Unavailable(f"PostgreSQL's search paths cannot name {place}, because of its colon")
    with lock_file(cache / ".lock"):
        if not place.exists():
            _fetch(cache, place)
    return AgeFiles(place / "share", place / "lib")


def _cache(home: Home) -> Path:
    """Where AGE is kept: of root below /var/lib/pgrag, of a user in the cache folder, else with the data."""
    if home.account.is_other:
        cache = accounts.STATE / "age"
        make_folder(cache, 0o755)
        return cache
    cache = Path(platformdirs.user_cache_dir("pgrag")) / "age"
    try:
        make_folder(cache, 0o700)
        if os.access(cache, os.W_OK):
            return cache
    except OSError:
        pass  # a user without a home
    make_folder(home.path / "age", 0o700)
    return home.path / "age"


def _fetch(cache: Path, place: Path) -> None:
    """Fetches the package in a temporary folder, whose plain path apt understands, and puts what we need in place."""
    log.info("fetching %s from Debian's archive", PACKAGE)
    unfinished = Path(tempfile.mkdtemp(prefix="unfinished-", dir=cache))
    try:
        with tempfile.TemporaryDirectory(prefix="pgrag-age-") as work:
            Path(work).chmod(0o755)  # as root, apt downloads as a user of its own
            root = debian.fetch(PACKAGE, SUITES, Path(work))
            shutil.copytree(root / f"usr/share/postgresql/{MAJOR}/extension", unfinished / "share" / "extension")
            (unfinished / "lib").mkdir()
            shutil.copy(root / f"usr/lib/postgresql/{MAJOR}/lib/age.so", unfinished / "lib")
        _fit_to_glibc(unfinished / "lib" / "age.so")
        open_to_read(unfinished)
        unfinished.rename(place)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _fit_to_glibc(path: Path) -> None:
    """Makes the library fit this machine's glibc. Raises Unavailable when the two renamed functions are not all."""
    have = _numbers(platform.libc_ver()[1])
    if have >= (2, 38):
        return
    if importlib.util.find_spec("lief") is None:
        raise Unavailable(
            'glibc here is older than 2.38 and the package lief is missing: pip install "pgrag[embedded]"'
        )
    import lief

    binary = lief.ELF.parse(str(path))
    if binary is None:
        raise Unavailable(f"{path.name} of {PACKAGE} is no ELF library")
    _rename_functions(binary)
    for requirement in binary.symbols_version_requirement:
        for need in requirement.get_auxiliary_symbols():
            if _numbers(str(need.name)) > have:
                need.flags = VERSION_NEED_IS_WEAK
    binary.write(str(path))


def _rename_functions(binary: lief.ELF.Binary) -> None:
    have = _numbers(platform.libc_ver()[1])
    for symbol in binary.imported_symbols:
        name, version = str(symbol.name), symbol.symbol_version
        if name in RENAMED_SINCE_GLIBC_2_38:
            symbol.name = RENAMED_SINCE_GLIBC_2_38[name]
            if version is not None:
                version.value = ANY_VERSION
        elif version is not None and version.has_auxiliary_version:
            needed = version.symbol_version_auxiliary
            if needed is not None and _numbers(str(needed.name)) > have:
                raise Unavailable(f"{PACKAGE} needs {name} of {needed.name!s}, and glibc here is older")


def _numbers(version: str) -> tuple[int, ...]:
    """(2, 38) for 2.38 and for GLIBC_2.38; () for what is no version of glibc, which is never too new."""
    found = re.fullmatch(r"(?:GLIBC_)?(\d+)\.(\d+)(?:\.\d+)?", version)
    return (int(found[1]), int(found[2])) if found else ()
