import type { Queries } from '../port.ts';
import type { Settings } from '../schema/database.ts';

export async function saveSetting<Name extends keyof Settings>(queries: Queries, name: Name, value: Settings[Name]) {
  const text = JSON.stringify(value);
  await queries
    .insertInto('settings')
    .values({ name, value: text })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: text }))
    .execute();
}
