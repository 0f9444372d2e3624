import type { Queries } from '../port.ts';
import type { UserTable } from '../schema/tenants.ts';

/** The email is unique by the table's own constraint. */
export async function insertUser(queries: Queries, user: UserTable): Promise<void> {
  await queries.insertInto('users').values(user).execute();
}
