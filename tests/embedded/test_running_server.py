"""What a running embedded server is: private, outside our process group, and with everything that pgrag needs."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from support.embedded_servers import one, postmaster_pid

from pgrag import embedded
from pgrag.embedded import Server
from pgrag.embedded.account import server_account
from pgrag.embedded.binaries import MAJOR, programs
from pgrag.errors import ServerError
from pgrag.sqlfiles import sql_root

ROLES = ["pgrag_backup", "pgrag_migrator", "pgrag_monitor", "pgrag_owner", "pgrag_reader", "pgrag_writer"]
GRAPH = """
    SELECT count(*)::int FROM ag_catalog.cypher('{0}', $$
        MATCH (a:Entity)-[:RELATES]->(b:Entity) WHERE a.name = 'Ada' RETURN b.name
    $$) AS (name ag_catalog.agtype)
"""


def test_it_is_postgresql_18_with_age(running: Server) -> None:
    assert running.version.split(".")[0] == MAJOR
    assert running.age
    assert embedded.status(running.data_dir) == running


def test_chinese_names_have_trigrams(url: str) -> None:
    assert one(url, "SELECT public.show_trgm('技術底座')") != []
    similarity = one(url, "SELECT public.similarity('技術底座', '技術底座是什麼')")
    assert isinstance(similarity, float)
    assert similarity > 0.3


def test_text_is_utf8_with_the_builtin_locale(url: str) -> None:
    row = "SELECT (pg_encoding_to_char(encoding), datlocprovider, datlocale, datctype, datcollate)::text"
    assert one(url, f"{row} FROM pg_database WHERE datname = current_database()") == "(UTF8,b,C.UTF-8,C.UTF-8,C.UTF-8)"


def test_required_extensions_are_there(url: str) -> None:
    found = one(url, "SELECT array_agg(extname::text ORDER BY extname) FROM pg_extension")
    assert found == ["age", "pg_trgm", "plpgsql", "vector"]
    assert one(url, "SELECT '[1,0]'::public.vector OPERATOR(public.<=>) '[0,1]'::public.vector") == 1.0


def test_the_owner_makes_a_graph_and_the_reader_walks_it(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET ROLE pgrag_owner")
        connection.execute("SELECT ag_catalog.agtype_build_list()")  # loads AGE in this session
        connection.execute("SET search_path = ag_catalog, pg_catalog, pg_temp")
        connection.execute("SELECT create_graph('walked_graph')")
        connection.execute(
            "SELECT * FROM cypher('walked_graph', $$"
            " CREATE (:Entity {name: 'Ada'})-[:RELATES]->(:Entity {name: 'Babbage'}) $$) AS (nothing agtype)"
        )
        connection.execute("GRANT USAGE ON SCHEMA walked_graph TO pgrag_reader")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA walked_graph TO pgrag_reader")
        connection.execute("SET ROLE pgrag_reader")
        row = connection.execute(GRAPH.format("walked_graph").encode()).fetchone()
    assert row == (1,)


def test_nothing_listens_on_the_network(url: str) -> None:
    assert one(url, "SHOW listen_addresses") == ""
    inodes = {line.split()[9] for line in Path("/proc/net/tcp").read_text().splitlines()[1:]}
    pid = postmaster_pid(url)
    opened = {str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()}
    assert not {f"socket:[{inode}]" for inode in inodes} & opened


def test_only_the_servers_user_can_enter_the_socket_folder(running: Server, url: str) -> None:
    folder = running.socket_dir.lstat()
    assert stat.S_IMODE(folder.st_mode) == 0o700
    assert folder.st_uid == Path(f"/proc/{postmaster_pid(url)}").stat().st_uid
    assert stat.S_IMODE((running.socket_dir / f".s.PGSQL.{running.port}").stat().st_mode) == 0o700
    assert stat.S_IMODE((running.data_dir / "cluster").stat().st_mode) == 0o700


def test_it_lives_in_a_session_of_its_own(url: str) -> None:
    pid = postmaster_pid(url)
    assert os.getpgid(pid) != os.getpgid(0)
    assert os.getsid(pid) != os.getsid(0)


def test_it_knows_nothing_of_the_callers_environment(url: str) -> None:
    """The module's server was started with OPENAI_API_KEY, PGPORT and PGDATA set."""
    environment = Path(f"/proc/{postmaster_pid(url)}/environ").read_text()
    assert "PATH=" in environment
    assert "secret-of-the-caller" not in environment
    assert one(url, "SHOW port") == "5432"


def test_joining_gives_the_same_server_and_leaves_it_running(running: Server, url: str) -> None:
    pid = postmaster_pid(url)
    program = (
        f"from pathlib import Path; from pgrag import embedded; print(embedded.start(Path({str(running.data_dir)!r})))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert told.stdout.strip() == str(running)
    assert embedded.start(running.data_dir) == running
    assert postmaster_pid(url) == pid


def test_any_number_may_ask_for_a_database_at_once(running: Server) -> None:
    with ThreadPoolExecutor(6) as threads:
        urls = list(threads.map(lambda name: embedded.ensure_database(running, name), ["one", "two", "one", "two"] * 3))
    assert len(set(urls)) == 2
    for asked in urls[:2]:
        assert one(asked, "SELECT count(*)::int FROM pg_extension") == 4


def test_a_database_of_an_odd_name(running: Server) -> None:
    odd = 'Größe "x"/y?z=1%20'
    assert one(embedded.ensure_database(running, odd), "SELECT current_database()::text") == odd


def test_a_half_made_database_is_completed(running: Server) -> None:
    with psycopg.connect(running.url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE half")
    assert one(embedded.ensure_database(running, "half"), "SELECT count(*)::int FROM pg_extension") == 4


def test_the_roles_and_what_they_may_do(url: str) -> None:
    mine = "FROM pg_roles WHERE starts_with(rolname, 'pgrag_')"
    assert one(url, f"SELECT array_agg(rolname::text ORDER BY rolname) {mine}") == ROLES
    assert one(url, f"SELECT array_agg(rolname::text) {mine} AND (rolsuper OR rolcreaterole OR rolcreatedb)") is None
    assert one(url, f"SELECT array_agg(rolname::text) {mine} AND NOT rolcanlogin") == ["pgrag_owner"]
    assert one(url, f"SELECT array_agg(rolname::text) {mine} AND rolbypassrls") == ["pgrag_backup"]
    makers = "has_database_privilege(rolname, current_database(), 'CREATE')"
    assert one(url, f"SELECT array_agg(rolname::text ORDER BY rolname) {mine} AND {makers}") == [
        "pgrag_migrator",
        "pgrag_owner",
    ]


@pytest.mark.parametrize(
    ("role", "group"),
    [
        ("pgrag_migrator", "pgrag_owner"),
        ("pgrag_writer", "pgrag_reader"),
        ("pgrag_monitor", "pg_monitor"),
        ("pgrag_backup", "pg_read_all_data"),
    ],
)
def test_roles_are_members(url: str, role: str, group: str) -> None:
    assert one(url, f"SELECT pg_has_role('{role}', '{group}', 'USAGE')") is True


def test_public_gets_nothing_of_age(url: str) -> None:
    everybody = "FROM pg_namespace, aclexplode(nspacl) AS a WHERE nspname = 'ag_catalog' AND a.grantee = 0"
    assert one(url, f"SELECT count(*)::int {everybody}") == 0


def test_psql_runs_the_same_files_as_the_docker_image_does(running: Server) -> None:
    """In the order of the image, one error ending it; and again, as a DBA may."""
    with psycopg.connect(running.url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE by_psql TEMPLATE template0")
    psql: list[str | Path] = [
        programs(server_account()) / "psql",
        "-X",
        "-v",
        "ON_ERROR_STOP=1",
        "--no-password",
        running.url("by_psql"),
    ]
    files = [sql_root() / "admin" / name for name in ("extensions.sql", "roles.sql")]
    for file in files * 2:
        done = subprocess.run([*psql, "-f", file], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert one(running.url("by_psql"), "SELECT count(*)::int FROM pg_extension") == 4


def test_age_is_created_again_after_it_was_dropped(running: Server) -> None:
    again = embedded.ensure_database(running, "again")
    with psycopg.connect(again, autocommit=True) as connection:
        connection.execute("DROP EXTENSION age CASCADE")
    embedded.ensure_database(running, "again")
    assert one(again, "SELECT has_schema_privilege('pgrag_reader', 'ag_catalog', 'USAGE')") is True


def test_a_schema_that_somebody_prepared_for_age_is_refused(running: Server) -> None:
    with psycopg.connect(embedded.ensure_database(running, "prepared"), autocommit=True) as connection:
        connection.execute("DROP EXTENSION age CASCADE")
        connection.execute("ALTER SCHEMA ag_catalog OWNER TO pgrag_owner")
    with pytest.raises(ServerError, match="a schema ag_catalog is there that is no superuser's"):
        embedded.ensure_database(running, "prepared")
