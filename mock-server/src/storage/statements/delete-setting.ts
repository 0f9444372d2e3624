import type { Queries } from '../port.ts';
import type { Settings } from '../schema/database.ts';

export async function deleteSetting(queries: Queries, name: keyof Settings): Promise<void> {
  await queries.deleteFrom('settings').where('name', '=', name).execute();
}
