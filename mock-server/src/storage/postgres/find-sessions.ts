import pg from 'pg';
import { endConnection } from './end-connection.ts';
import { connectionOptions } from './pool.ts';
import { type Sessions, settingsFor, timeoutParameters } from './session-settings.ts';

/** Some poolers reject unknown startup parameters (SQLSTATE 08P01) unless they are configured to ignore them. */
const isRefusedParameter = ({ code, message }: { code?: unknown; message?: unknown }) =>
  code === '08P01' && /startup parameter/.test(String(message));

/** Finds out whether each connection to a database has its own session. Only then do startup parameters last. */
export async function findSessions(url: string): Promise<Sessions> {
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
    return rows[0]?.source === 'client' ? 'own' : 'shared';
  } catch (error) {
    if (isRefusedParameter(error as Error)) return 'shared';
    throw error;
  } finally {
    await endConnection(client);
  }
}
