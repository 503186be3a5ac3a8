"""Migrates in one transaction: schema and extensions are looked after, revisions run, behaviour is replayed from sql/.

Online and offline (`--sql`) write the same statements in the same order; nothing is decided by looking at the database.
"""

from alembic import context

from pgrag import schema


def migrate() -> None:
    with context.begin_transaction():
        schema.prepare(context.get_context())
        context.run_migrations()
        if schema.targets_head(context):
            schema.replay(context.get_context())


if context.is_offline_mode():
    context.configure(dialect_name="postgresql", literal_binds=True, version_table_schema="pgrag")
    migrate()
else:
    with schema.migration_connection(context.config) as connection:
        context.configure(connection=connection, version_table_schema="pgrag")
        migrate()
        connection.commit()
