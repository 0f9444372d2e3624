import type { Queries } from '../port.ts';

/**
 * Finds a credential by the hash of its text, which has a unique index. Nothing is cached, so a revoked credential
 * stops working at once on every node.
 */
export async function findCredential(queries: Queries, hash: string) {
  return await queries.selectFrom('credentials').selectAll().where('hash', '=', hash).executeTakeFirst();
}
