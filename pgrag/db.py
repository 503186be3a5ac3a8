"""Perform calls on PostgreSQL: the only module, with `schema`, that knows the driver.

A call is one statement in autocommit: one round trip, one transaction. `Transaction` gives a flow one connection and
one transaction for everything it asks. Errors of the driver become those of `pgrag.errors` here and nowhere else.
"""

from __future__ import annotations

import select
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy.exc import DBAPIError, InvalidatePoolError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from pgrag.errors import (
    BY_SQLSTATE,
    ConfigurationError,
    DatabaseError,
    DatabaseUnreachable,
    InvalidArgument,
    SchemaMismatch,
)
from pgrag.flow import Call, Copy, Stream

_NOT_MIGRATED = {"3F000", "42883", "42P01"}
_UNTRANSLATABLE = "22P05"
_UNREACHABLE_CLASSES = ("08", "28", "3D", "57P")


def conninfo(url: str, graph_backend: str = "auto") -> str:
    """The libpq connection string of a libpq or SQLAlchemy URL. Raises ConfigurationError for anything else.

    A graph backend other than `auto` goes along as a setting of the session, over what the database says.
    """
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.split("+")[0] not in ("postgresql", "postgres"):
        raise ConfigurationError(
            f"not a PostgreSQL URL: {scheme}://…" if separator else "not a PostgreSQL URL",
            "it looks like postgresql://user:password@host:5432/database",
        )
    try:
        parameters: dict[str, Any] = conninfo_to_dict(f"postgresql://{rest}")
    except psycopg.Error as error:
        raise ConfigurationError(f"the database URL cannot be read: {str(error).strip()}") from error
    defaults: dict[str, Any] = {"application_name": "pgrag", "connect_timeout": 10}
    if graph_backend != "auto":
        asked = f"-c pgrag.graph_backend={graph_backend}"
        parameters["options"] = f"{parameters.get('options', '')} {asked}".strip()
    return make_conninfo("", **(defaults | parameters))


def engine(url: str, *, pooled: bool = True, graph_backend: str = "auto") -> sa.Engine:
    """An engine in autocommit on a libpq or SQLAlchemy URL. Nothing is connected yet."""
    info = conninfo(url, graph_backend)
    made = sa.create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(info),
        isolation_level="AUTOCOMMIT",
        **({"pool_size": 10, "max_overflow": 20} if pooled else {"poolclass": sa.NullPool}),
    )
    sa.event.listen(made, "checkout", _refuse_closed)
    return made


def async_engine(url: str, *, graph_backend: str = "auto") -> AsyncEngine:
    """The same for an event loop."""
    info = conninfo(url, graph_backend)
    made = create_async_engine(
        "postgresql+psycopg://",
        async_creator=lambda: psycopg.AsyncConnection.connect(info),
        isolation_level="AUTOCOMMIT",
        pool_size=10,
        max_overflow=20,
    )
    sa.event.listen(made.sync_engine, "checkout", _refuse_closed)
    return made


def perform(connection: sa.Connection, call: Call) -> list[Any]:
    """The rows of a call."""
    with translated():
        return _rows(call, connection.execute(_statement(call), dict(call.args)))


async def perform_async(connection: AsyncConnection, call: Call) -> list[Any]:
    """The rows of a call."""
    with translated():
        return _rows(call, await connection.execute(_statement(call), dict(call.args)))


def copy(connection: sa.Connection, request: Copy) -> int:
    """COPY rows into a table: how many."""
    with translated():
        cursor = connection.connection.cursor()
        with cursor.copy(_copy_statement(request)) as stream:
            stream.set_types(list(request.columns.values()))
            count = 0
            for row in request.rows:
                stream.write_row(row)
                count += 1
        return count


async def copy_async(connection: AsyncConnection, request: Copy) -> int:
    """COPY rows into a table: how many."""
    with translated():
        raw = (await connection.get_raw_connection()).driver_connection
        assert isinstance(raw, psycopg.AsyncConnection)
        count = 0
        async with raw.cursor() as cursor, cursor.copy(_copy_statement(request)) as stream:
            stream.set_types(list(request.columns.values()))
            for row in request.rows:
                await stream.write_row(row)
                count += 1
        return count


def stream(connection: sa.Connection, request: Stream) -> int:
    """Hand over the rows of a call through a server-side cursor: how many."""
    with translated():
        result = connection.execute(
            _statement(request.call), dict(request.call.args), execution_options={"yield_per": request.batch}
        )
        names, count = tuple(result.keys()), 0
        for rows in result.partitions():
            request.take(_made(request.call, names, rows))
            count += len(rows)
        return count


async def stream_async(connection: AsyncConnection, request: Stream) -> int:
    """Hand over the rows of a call through a server-side cursor: how many."""
    with translated():
        result = await connection.stream(
            _statement(request.call), dict(request.call.args), execution_options={"yield_per": request.batch}
        )
        names, count = tuple(result.keys()), 0
        async for rows in result.partitions():
            request.take(_made(request.call, names, rows))
            count += len(rows)
        return count


@contextmanager
def connected(engine: sa.Engine) -> Iterator[sa.Connection]:
    """A connection of the pool, in autocommit."""
    with translated(), engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        yield connection


@asynccontextmanager
async def connected_async(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection of the pool, in autocommit."""
    with translated():
        async with engine.connect() as connection:
            yield await connection.execution_options(isolation_level="AUTOCOMMIT")


@contextmanager
def transaction(engine: sa.Engine, *, snapshot: bool = False) -> Iterator[sa.Connection]:
    """A connection with one transaction, committed at the end, rolled back on an error."""
    opened = engine.connect().execution_options(**_isolation(snapshot))
    with translated(), opened as connection, connection.begin():
        yield connection


@asynccontextmanager
async def transaction_async(engine: AsyncEngine, *, snapshot: bool = False) -> AsyncIterator[AsyncConnection]:
    """A connection with one transaction, committed at the end, rolled back on an error."""
    with translated():
        async with engine.connect() as connection:
            await connection.execution_options(**_isolation(snapshot))
            async with connection.begin():
                yield connection


@contextmanager
def translated() -> Iterator[None]:
    """Errors of the driver, as errors of pgrag."""
    try:
        yield
    except DBAPIError as error:
        raise _translate(error.orig if isinstance(error.orig, psycopg.Error) else error) from error
    except (psycopg.Error, SQLAlchemyError) as error:
        raise _translate(error) from error
    except UnicodeEncodeError as error:  # a lone surrogate: bytes of the command line that are no UTF-8
        raise InvalidArgument(f"not a text: {_shortened(error.object)}, at character {error.start}") from error


def _refuse_closed(connection: Any, record: object, proxy: object) -> None:
    """Refuses a connection of the pool that the server has closed, at the price of no round trip.

    The server says nothing unasked on an idle connection but its farewell: what can be read there is that, or the end.
    """
    driver = getattr(connection, "driver_connection", connection)
    farewell = select.poll()
    if not driver.closed:
        farewell.register(driver.pgconn.socket, select.POLLIN)
    if driver.closed or farewell.poll(0):
        raise InvalidatePoolError


def _statement(call: Call) -> sa.TextClause:
    # The names are those of our own constructors in calls.py; values are always parameters.
    named = ", ".join(f"{name} => :{name}" for name in call.args)
    return sa.text(f"SELECT * FROM pgrag.{call.function}({named})")  # noqa: S608 - see above


def _isolation(snapshot: bool) -> dict[str, Any]:
    if snapshot:
        return {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    return {"isolation_level": "READ COMMITTED"}


def _copy_statement(request: Copy) -> psycopg.sql.Composed:
    return psycopg.sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(
        psycopg.sql.Identifier(request.table),
        psycopg.sql.SQL(", ").join(map(psycopg.sql.Identifier, request.columns)),
    )


def _rows(call: Call, result: sa.CursorResult[Any]) -> list[Any]:
    if call.row is type(None):
        return []
    if call.row in (str, int, float, bool):
        return list(result.scalars())
    return _made(call, tuple(result.keys()), result.all())


def _made(call: Call, names: Sequence[str], rows: Sequence[Any]) -> list[Any]:
    return [call.row(**dict(zip(names, row, strict=True))) for row in rows]


def _translate(error: Exception) -> DatabaseError | SchemaMismatch:
    diagnostics = getattr(error, "diag", None)
    state = getattr(error, "sqlstate", None)
    message = getattr(diagnostics, "message_primary", None) or _first_line(error)
    hint = getattr(diagnostics, "message_hint", None)
    if state in _NOT_MIGRATED and "pgrag" in message:
        return SchemaMismatch(f"this database and this package do not fit: {message}", "run: pgrag migrate")
    kind = BY_SQLSTATE.get(state or "", DatabaseError)
    if state == _UNTRANSLATABLE:
        kind, message = InvalidArgument, "PostgreSQL stores no NUL character (\\u0000)"
    lost = isinstance(error, psycopg.OperationalError) and (state is None or state.startswith(_UNREACHABLE_CLASSES))
    if kind is DatabaseError and lost:
        kind, message = DatabaseUnreachable, f"the database cannot be reached: {message}"
        hint = hint or "check PGRAG_DATABASE_URL; pgrag db start runs the embedded server"
    translated = kind(message, hint)
    translated.sqlstate = state
    return translated


def _shortened(text: str) -> str:
    return ascii(text if len(text) <= 60 else text[:59] + "…")


def _first_line(error: Exception) -> str:
    lines: Sequence[str] = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
