import type pg from 'pg';

/** How long the end of a connection may wait for what is under way and for the database's answer. */
const GOODBYE_MAX_MS = 1_000;

/** Ends a connection, within a second also where the database is no longer heard of: its socket is destroyed then. */
export async function endConnection(client: pg.Client): Promise<void> {
  const timeout = setTimeout(() => client.connection.stream.destroy(), GOODBYE_MAX_MS);
  try {
    await client.end();
  } catch {
    // It was broken already.
  } finally {
    clearTimeout(timeout);
  }
}
