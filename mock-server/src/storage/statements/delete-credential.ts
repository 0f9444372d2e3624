import type { Queries } from '../port.ts';

/**
 * Revokes a credential. Every request looks it up, so no node accepts it after this. @returns false if there is none.
 */
export async function deleteCredential(queries: Queries, id: string): Promise<boolean> {
  const { numDeletedRows } = await queries.deleteFrom('credentials').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
