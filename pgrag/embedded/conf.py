"""server.conf, written at each start: where the server listens, how safe it is, where AGE is.

Everything else is in cluster/postgresql.conf, for the user to change.
"""

from __future__ import annotations

import os
from pathlib import Path

from pgrag.embedded.age import AgeFiles
from pgrag.embedded.folders import write_file
from pgrag.embedded.layout import Home
from pgrag.embedded.sockets import PORT

SHARED_MEMORY_BYTES = 1 << 30


def configure(home: Home, socket_dir: Path, fsync: bool, age: AgeFiles | None) -> None:
    """Writes the settings of a server that listens in `socket_dir`, and finds AGE where it is given."""
    settings = {
        "listen_addresses": "",
        "port": str(PORT),
        "unix_socket_directories": f'"{socket_dir}"',
        "unix_socket_permissions": "0700",
        "dynamic_shared_memory_type": _shared_memory_type(),
        "cluster_name": "pgrag",
    }
    if not fsync:
        settings |= {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
    if age is not None:
        settings |= {
            "extension_control_path": f"$system:{age.share}",
            "dynamic_library_path": f"$libdir:{age.lib}",
        }
    lines = (f"{name} = {_quoted(value)}" for name, value in settings.items())
    write_file(home.conf, "\n".join(lines) + "\n", 0o644 if home.account.is_other else 0o600)


def _shared_memory_type() -> str:
    """Files of the cluster where /dev/shm is small (64 MB in most containers): parallel index builds need the room."""
    try:
        room = os.statvfs("/dev/shm")
    except OSError:  # macOS has none
        return "posix"
    return "posix" if room.f_blocks * room.f_frsize >= SHARED_MEMORY_BYTES else "mmap"


def _quoted(value: str) -> str:
    doubled = value.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"
