"""The words of chunks are in the language of their workspace."""

from alembic import context

from pgrag import schema

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    options = schema.options(context.config)
    schema.run_file(context.get_context(), __file__, dimensions=options.embedding_dimensions)
