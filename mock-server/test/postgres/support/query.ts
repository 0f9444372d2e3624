import pg from 'pg';
import type { Fleet } from './fleet.ts';

/** The rows of a statement on the database of the servers. */
export async function query<Row extends pg.QueryResultRow>(
  { databaseUrl }: Pick<Fleet, 'databaseUrl'>,
  text: string,
  values: unknown[] = [],
) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
