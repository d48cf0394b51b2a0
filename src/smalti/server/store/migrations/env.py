"""How Alembic reaches the database: by the connection it is handed."""

from alembic import context

from smalti.server.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
