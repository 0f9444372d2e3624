import pg from 'pg';
import { endConnection } from './end-connection.ts';
import { connectionOptions } from './pool.ts';
import { type Sessions, settingsFor, timeoutParameters } from './session-settings.ts';

/** A pooler that knows some parameters only refuses the others (SQLSTATE 08P01), unless it is told to ignore them. */
const isRefusedParameter = ({ code, message }: { code?: unknown; message?: unknown }) =>
  code === '08P01' && /startup parameter/.test(String(message));

/** Finds out whether connections to a database have sessions of their own: then the parameters of their start hold. */
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
