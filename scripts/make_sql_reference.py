"""Write docs/reference/sql.md from what a migrated database says of itself: signatures and comments of schema pgrag.

    .venv/bin/python scripts/make_sql_reference.py [URL]

URL: a database that this version has migrated; none: the one that pgrag itself would use.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg

from pgrag.address import database_url
from pgrag.settings import Settings
from pgrag.sqlfiles import sql_root

TARGET = Path(__file__).resolve().parent.parent / "docs" / "reference" / "sql.md"
WIDTH = 120
# Doors that concern the whole database, and so take no workspace.
WITHOUT_WORKSPACE = {
    "begin_import",
    "check_graph",
    "check_installation",
    "graph_backend",
    "installation",
    "list_workspaces",
    "name_key",
    "rebuild_graph",
    "repair_installation",
    "schema_version",
}
SHORT_NAMES = {"double precision": "float8", "integer": "int", "timestamp with time zone": "timestamptz"}
PREFACE = """\
# SQL reference

Schema `pgrag`, as `\\df+ pgrag.*`, `\\dv+` and `\\d+` show it. This page is written by `scripts/make_sql_reference.py`
from the comments in the database; a test says when it is out of date. Each object has one file in `sql/`, whose header
says more: units, order, ties, errors.

**Doors** are for callers: they check their arguments, and raise the codes of [errors](errors.md). Names, arguments or
columns of a door change only with a word in the [changelog](../../CHANGELOG.md). A workspace is its name, an embedding
a `vector`, a distance cosine distance (0..2, smaller is nearer). **Rooms** are what doors are made of: they may change
with any version. Functions run with the rights of the caller.
"""

FUNCTIONS = """
SELECT p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
       CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END,
       obj_description(p.oid, 'pg_proc')
  FROM pg_proc p
 WHERE p.pronamespace = 'pgrag'::regnamespace
 ORDER BY p.proname COLLATE "C", 2
"""
RELATIONS = """
SELECT c.relname, obj_description(c.oid, 'pg_class'), a.attname, format_type(a.atttypid, NULL),
       col_description(c.oid, a.attnum)
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
 WHERE c.relnamespace = 'pgrag'::regnamespace AND c.relkind = %s AND c.relname <> 'alembic_version'
 ORDER BY c.relname COLLATE "C", a.attnum
"""


@dataclass(frozen=True)
class Function:
    """A function: its arguments and result as PostgreSQL prints them."""

    name: str
    arguments: str
    result: str
    volatility: str
    comment: str

    @property
    def is_door(self) -> bool:
        """True for those that callers may count on."""
        return self.arguments.startswith("workspace text") or self.name in WITHOUT_WORKSPACE


@dataclass(frozen=True)
class Section:
    """A folder of sql/, as install.sql introduces it."""

    folder: str
    about: str
    functions: tuple[Function, ...]


def reference(connection: psycopg.Connection) -> str:
    """The whole page, from a migrated database."""
    connection.execute(
        "SELECT set_config('search_path', 'pg_catalog, ' || quote_ident(n.nspname), true) "
        "FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'"
    )
    sections = sections_of([Function(*row) for row in connection.execute(FUNCTIONS)])
    parts = [PREFACE, *doors(sections), *rooms(sections)]
    parts += views(connection.execute(RELATIONS, ("v",)).fetchall())
    parts += tables(connection.execute(RELATIONS, ("r",)).fetchall())
    return "\n".join(parts)


def sections_of(functions: Sequence[Function]) -> list[Section]:
    """The functions by the folder that their file is in, in the order of install.sql."""
    folders = {file.stem: file.parent.name for file in sql_root().glob("*/*.sql")}
    found = []
    for line in (sql_root() / "install.sql").read_text().splitlines():
        if introduced := re.match(r"-- (\w+): (.+)$", line):
            folder, about = introduced.groups()
            found.append(Section(folder, about, tuple(each for each in functions if folders[each.name] == folder)))
    return found


def doors(sections: Iterable[Section]) -> Iterator[str]:
    """A heading, a signature and a comment for each door."""
    yield "## Doors\n"
    for section in sections:
        here = [each for each in section.functions if each.is_door]
        if here:
            yield f"### {section.folder}: {section.about}\n"
        for each in here:
            said = f"{each.comment} *{each.volatility.capitalize()}.*"
            yield f"#### {each.name}\n\n```\n{signature(each)}\n```\n\n{said}\n"


def rooms(sections: Iterable[Section]) -> Iterator[str]:
    """A table for each folder."""
    yield "## Rooms\n"
    for section in sections:
        rows = [(f"`{each.name}`", each.comment, each.volatility) for each in section.functions if not each.is_door]
        if rows:
            yield f"### Rooms of {section.folder}\n"
            yield table(("function", "what", "volatility"), rows)


def views(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """A table of the views with their columns."""
    yield "## Views\n"
    about = {view: comment for view, comment, *_ in rows}
    columns = {view: ", ".join(f"`{row[2]}`" for row in rows if row[0] == view) for view in about}
    yield table(("view", "what", "columns"), [(f"`{view}`", about[view], columns[view]) for view in about])


def tables(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """A heading, a comment and a table of columns for each table."""
    yield "## Tables\n"
    yield "To be read, by whoever may; written by the functions alone.\n"
    for name, about in {row[0]: row[1] for row in rows}.items():
        yield f"### Table {name}\n\n{about}\n"
        yield table(
            ("column", "type", "what"), [(f"`{row[2]}`", plain(row[3]), row[4]) for row in rows if row[0] == name]
        )


def signature(function: Function) -> str:
    """The call and what it returns, in lines of at most WIDTH characters."""
    call = filled(f"pgrag.{function.name}(", plain(function.arguments), ")")
    listed = re.fullmatch(r"TABLE\((.*)\)", function.result)
    return f"{call}\n" + (filled("→ (", plain(listed[1]), ")") if listed else f"→ {plain(function.result)}")


def filled(opening: str, items: str, closing: str) -> str:
    """A list in parentheses, broken after commas."""
    lines = [opening]
    for item in re.split(r"(?<=,) ", f"{items}{closing}"):
        if len(lines[-1]) + len(item) + 1 > WIDTH:
            lines.append("    ")
        lines[-1] += item if lines[-1].endswith(("(", "    ")) else f" {item}"
    return "\n".join(lines)


def plain(types: str) -> str:
    """Types by their short names, defaults without the type they have anyway."""
    types = re.sub(r"::[\w]+( precision)?(\[\])?", "", types)
    for long, short in (
        ("double precision", "float8"),
        ("integer", "int"),
        ("timestamp with time zone", "timestamptz"),
    ):
        types = types.replace(long, short)
    return types


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [columns, ["---"] * len(columns), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    """Write the page."""
    url = sys.argv[1] if len(sys.argv) > 1 else database_url(Settings())
    with psycopg.connect(url) as connection:
        TARGET.write_text(reference(connection), encoding="utf-8")
    print(f"wrote {TARGET}")


if __name__ == "__main__":
    main()
