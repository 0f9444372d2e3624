import type { Queries } from '../port.ts';
import type { UserTable } from '../schema/tenants.ts';

/** The table's constraint keeps the email unique. */
export async function insertUser(queries: Queries, user: UserTable): Promise<void> {
  await queries.insertInto('users').values(user).execute();
}
