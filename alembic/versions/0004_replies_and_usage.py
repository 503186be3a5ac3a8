"""Kept extractions, answers and keywords, and the ledger of what models were asked."""

from alembic import context

from pgrag import schema

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    options = schema.options(context.config)
    schema.run_file(context.get_context(), __file__, dimensions=options.embedding_dimensions)
