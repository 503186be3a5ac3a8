"""Entities, relations, aliases, and the evidence that they are derived from."""

from alembic import context

from pgrag import schema

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    options = schema.options(context.config)
    schema.run_file(context.get_context(), __file__, dimensions=options.embedding_dimensions)
