"""Evidence is what a chunk says; which entity or relation is meant is found by its names, and can be found again."""

from alembic import context

from pgrag import schema

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    options = schema.options(context.config)
    schema.run_file(context.get_context(), __file__, dimensions=options.embedding_dimensions)
