"""Workspaces, documents, jobs and chunks, and what is true of the whole database."""

from alembic import context, op

from pgrag import schema

revision = "0001"
down_revision = None


def upgrade() -> None:
    options = schema.options(context.config)
    schema.run_file(context.get_context(), __file__, dimensions=options.embedding_dimensions)
    op.execute(schema.setting_row(options))
