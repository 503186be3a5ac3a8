"""An alias knows the name that it stands for; what merged entities had stated of relations has an index."""

from alembic import context

from pgrag import schema

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    options = schema.options(context.config)
    schema.run_file(context.get_context(), __file__, dimensions=options.embedding_dimensions)
