"""${message}"""

from alembic import context

from pgrag import schema

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    schema.run_file(context.get_context(), __file__, dimensions=schema.options(context.config).embedding_dimensions)
