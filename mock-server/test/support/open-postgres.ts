import type { Purpose } from '../../src/storage/postgres/connections.ts';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { prepareDatabase } from '../../src/storage/postgres/prepare.ts';

/** Opens a PostgreSQL database and brings its schema up to date, as the server does at its start. */
export async function openPostgres(url: string, purpose: Purpose = 'api') {
  await prepareDatabase(url);
  return connectPostgres(url, purpose);
}
