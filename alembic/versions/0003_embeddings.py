"""The vectors of chunks, entities and relations, with their indexes."""

from alembic import context

from pgrag import schema

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    options = schema.options(context.config)
    schema.run_file(context.get_context(), __file__, dimensions=options.embedding_dimensions)
