import { type Bound, idComparison, idOrder } from '../keyset.ts';
import type { Queries } from '../port.ts';
import type { CredentialTable } from '../schema/tenants.ts';

/**
 * Finds a credential by the hash of its text, using a unique index. Credentials are not cached, so a revoked credential
 * immediately stops working on every node.
 */
export async function findCredential(queries: Queries, hash: string) {
  return await queries.selectFrom('credentials').selectAll().where('hash', '=', hash).executeTakeFirst();
}

/**
 * Stores a credential. Only the hash of the credential's text is stored. A constraint on the table keeps the hash
 * unique.
 */
export async function insertCredential(queries: Queries, credential: CredentialTable): Promise<void> {
  await queries.insertInto('credentials').values(credential).execute();
}

/**
 * Revokes a credential. No node accepts the credential afterwards, because every request looks up its credential in the
 * database.
 *
 * @returns false if there is no such credential.
 */
export async function deleteCredential(queries: Queries, id: string): Promise<boolean> {
  const { numDeletedRows } = await queries.deleteFrom('credentials').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/**
 * Lists the credentials of a workspace (with `credentials_by_workspace`) or of a user (with `credentials_by_user`),
 * newest first.
 */
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
