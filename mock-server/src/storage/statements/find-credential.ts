import type { Queries } from '../port.ts';

/** Finds a credential by the hash of its text, with its user where it has one. Unique index on the hash; nothing is cached, so that a revoked one stops at once on every node. */
export async function findCredential(queries: Queries, hash: string) {
  return await queries.selectFrom('credentials').selectAll().where('hash', '=', hash).executeTakeFirst();
}
