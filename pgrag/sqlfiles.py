"""Where the SQL files are: beside the package in a source checkout, inside it in an installed wheel."""

from __future__ import annotations

from pathlib import Path

from pgrag.errors import ConfigurationError


def sql_root() -> Path:
    """The folder that holds `install.sql`, `admin/` and the other SQL folders. Raises ConfigurationError."""
    return _folder("sql", holding="install.sql")


def alembic_root() -> Path:
    """The folder that holds alembic's `env.py` and `versions/`. Raises ConfigurationError."""
    return _folder("alembic", holding="env.py")


def _folder(name: str, *, holding: str) -> Path:
    package = Path(__file__).resolve().parent
    places = (package / f"_{name}", package.parent / name)
    for place in places:
        if (place / holding).is_file():
            return place
    raise ConfigurationError(
        f"the folder {name} of pgrag is at neither {places[0]} nor {places[1]}", hint="reinstall the package pgrag"
    )
