import type pg from 'pg';

/** How long a closing connection waits for running work and for the database's response. */
const GOODBYE_MAX_MS = 1_000;

/** Closes a connection within a second. If the database does not respond in time, the socket is destroyed. */
export async function endConnection(client: pg.Client): Promise<void> {
  const timeout = setTimeout(() => client.connection.stream.destroy(), GOODBYE_MAX_MS);
  try {
    await client.end();
  } catch {
    // The connection was already broken, so there is nothing to end.
  } finally {
    clearTimeout(timeout);
  }
}
