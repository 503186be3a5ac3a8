"""The Docker files give the same server as the embedded one; no Docker engine is needed to see that."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pgrag.embedded import age, cluster
from pgrag.embedded.binaries import MAJOR

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text()


@pytest.fixture
def compose() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    parsed: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return parsed


def test_the_image_is_of_the_same_postgresql_and_packages() -> None:
    assert f"\nFROM postgres:{MAJOR}\n" in DOCKERFILE
    assert set(re.findall(rf"postgresql-{MAJOR}-\w+", DOCKERFILE)) == {f"postgresql-{MAJOR}-pgvector", age.PACKAGE}


def test_the_image_runs_the_admin_files_extensions_first() -> None:
    copied = re.findall(r"^COPY --chmod=0644 (\S+) /docker-entrypoint-initdb\.d/(\S+)$", DOCKERFILE, re.MULTILINE)
    in_order = [source for source, _ in sorted(copied, key=lambda pair: pair[1])]
    assert in_order == ["sql/admin/extensions.sql", "sql/admin/roles.sql"]
    sent = (ROOT / "docker" / "Dockerfile.dockerignore").read_text().splitlines()
    assert [line for line in sent if not line.startswith("#")] == ["*", *(f"!{source}" for source in in_order)]
    assert all((ROOT / source).is_file() for source in in_order)


@pytest.mark.skipif(sys.platform == "darwin", reason="the embedded server names its locale otherwise there")
def test_the_image_has_the_same_locale() -> None:
    given = re.search(r'POSTGRES_INITDB_ARGS="([^"]*)"', DOCKERFILE)
    assert given is not None
    assert tuple(given[1].split()) == cluster.LOCALE
    assert "POSTGRES_DB=pgrag" in DOCKERFILE


def test_compose_builds_that_image_and_keeps_the_data(compose: dict[str, Any]) -> None:
    service = compose["services"]["db"]
    assert (ROOT / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    volume, place = service["volumes"][0].split(":")
    assert volume in compose["volumes"]
    assert place == "/var/lib/postgresql", "not .../data: images of PostgreSQL 18 have a folder per version below it"


def test_compose_opens_the_port_on_this_machine_only(compose: dict[str, Any]) -> None:
    assert all(port.startswith("127.0.0.1:") for port in compose["services"]["db"]["ports"])


def test_compose_itself_reads_the_file() -> None:
    docker = shutil.which("docker")
    command = [docker or "docker", "compose", "-f", str(ROOT / "docker-compose.yml"), "config", "--quiet"]
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("no docker compose here")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
