import type { Queries } from '../port.ts';
import type { CredentialTable } from '../schema/tenants.ts';

/** Only the hash of its text is stored; it is unique by the table's own constraint. */
export async function insertCredential(queries: Queries, credential: CredentialTable): Promise<void> {
  await queries.insertInto('credentials').values(credential).execute();
}
