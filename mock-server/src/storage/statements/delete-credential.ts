import type { Queries } from '../port.ts';

/** Revokes a credential. Every request looks it up, so no node takes it any more. @returns false where there is none. */
export async function deleteCredential(queries: Queries, id: string): Promise<boolean> {
  const { numDeletedRows } = await queries.deleteFrom('credentials').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
