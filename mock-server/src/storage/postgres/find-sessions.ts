import pg from 'pg';
import { endConnection } from './end-connection.ts';
import { connectionOptions } from './pool.ts';
import { settingsFor, timeoutParameters } from './session-settings.ts';

/**
 * Whether a pooler has rejected a startup parameter. Poolers reject unknown parameters (SQLSTATE 08P01) unless they are
 * configured to ignore them.
 */
const isRefusedParameter = ({ code, message }: { code?: unknown; message?: unknown }) =>
  code === '08P01' && /startup parameter/.test(String(message));

/**
 * Finds out whether each connection to a database is a separate session. Connections through a pooler such as PgBouncer
 * may share sessions: the pooler runs each transaction in any free session, and drops startup parameters, prepared
 * statements and locks.
 */
export async function hasOwnSessions(url: string): Promise<boolean> {
  const client = new pg.Client({
    ...connectionOptions(url, { settings: settingsFor('engine') }),
    ...timeoutParameters,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ source: string }>(
      "select source from pg_settings where name = 'statement_timeout'",
    );
    return rows[0]?.source === 'client';
  } catch (error) {
    if (isRefusedParameter(error as Error)) return false;
    throw error;
  } finally {
    await endConnection(client);
  }
}
