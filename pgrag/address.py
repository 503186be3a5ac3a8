"""Where the database is: the URL given, the one in the settings, or the embedded server's, which is started."""

from __future__ import annotations

from pgrag.settings import Settings

EMBEDDED_DATABASE = "pgrag"


def database_url(settings: Settings, database: str = EMBEDDED_DATABASE) -> str:
    """The URL to connect to. Raises ServerError when the embedded server is wanted and cannot be had."""
    if settings.database_url:
        return settings.database_url
    # Imported here: whoever has a server of their own needs no embedded one installed.
    from pgrag import embedded

    server = embedded.start(settings.data_dir)
    return embedded.ensure_database(server, database)
