import { type Bound, idComparison, idOrder } from '../keyset.ts';
import type { Queries } from '../port.ts';
import type { CredentialTable } from '../schema/tenants.ts';

/**
 * Finds a credential by the hash of its text, which has a unique index. Nothing is cached, so a revoked credential
 * stops working at once on every node.
 */
export async function findCredential(queries: Queries, hash: string) {
  return await queries.selectFrom('credentials').selectAll().where('hash', '=', hash).executeTakeFirst();
}

/** Stores only the hash of the credential's text. The table's constraint keeps it unique. */
export async function insertCredential(queries: Queries, credential: CredentialTable): Promise<void> {
  await queries.insertInto('credentials').values(credential).execute();
}

/**
 * Revokes a credential. Every request looks it up, so no node accepts it after this. @returns false if there is no such
 * credential.
 */
export async function deleteCredential(queries: Queries, id: string): Promise<boolean> {
  const { numDeletedRows } = await queries.deleteFrom('credentials').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Credentials of a workspace (`credentials_by_workspace`) or of a user (`credentials_by_user`), newest first. */
export async function listCredentials(
  queries: Queries,
  owner: { workspaceId: string } | { userId: string },
  bound: Bound,
  limit: number,
) {
  const [column, id] =
    'workspaceId' in owner ? (['workspace_id', owner.workspaceId] as const) : (['user_id', owner.userId] as const);
  return await queries
    .selectFrom('credentials')
    .select(['id', 'kind', 'name', 'test', 'created_at'])
    .where(column, '=', id)
    .$if(bound.key !== undefined, (query) => query.where('id', idComparison(bound), String(bound.key)))
    .orderBy('id', idOrder(bound))
    .limit(limit)
    .execute();
}
