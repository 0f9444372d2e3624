import type { Queries } from '../port.ts';
import type { Settings } from '../schema/database.ts';

export async function findSetting<Name extends keyof Settings>(
  queries: Queries,
  name: Name,
): Promise<Settings[Name] | undefined> {
  const row = await queries.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row && (JSON.parse(row.value) as Settings[Name]);
}
