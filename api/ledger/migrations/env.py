"""What Alembic runs: on the connection that `database.migrate` has opened, within its transaction."""

from alembic import context

from api.ledger.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
