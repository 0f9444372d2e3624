import type { Queries } from '../port.ts';
import type { CredentialTable } from '../schema/tenants.ts';

/** Stores only the hash of the credential's text. The table's constraint keeps it unique. */
export async function insertCredential(queries: Queries, credential: CredentialTable): Promise<void> {
  await queries.insertInto('credentials').values(credential).execute();
}
