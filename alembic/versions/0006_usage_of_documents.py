"""What the ledger of model usage and the keys of kept extractions mean since gleaning and budgets."""

from alembic import context

from pgrag import schema

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    options = schema.options(context.config)
    schema.run_file(context.get_context(), __file__, dimensions=options.embedding_dimensions)
