"""Degrees change too often to be kept in an index."""

from alembic import context

from pgrag import schema

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    options = schema.options(context.config)
    schema.run_file(context.get_context(), __file__, dimensions=options.embedding_dimensions)
