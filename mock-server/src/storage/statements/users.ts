import { type Bound, idComparison } from '../keyset.ts';
import type { Queries } from '../port.ts';
import type { UserTable } from '../schema/tenants.ts';

export async function findUser(queries: Queries, id: string) {
  return await queries.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A constraint on the table keeps the email unique. */
export async function insertUser(queries: Queries, user: UserTable): Promise<void> {
  await queries.insertInto('users').values(user).execute();
}

/**
 * Lists users, newest first, in the order of the primary key. If an email prefix is given, lists only the users whose
 * email starts with the prefix, in the order of the unique index on emails.
 */
export async function listUsers(queries: Queries, emailPrefix: string | undefined, bound: Bound, limit: number) {
  const forwards = bound.side === 'after';
  const all = queries.selectFrom('users').selectAll().limit(limit);
  if (emailPrefix === undefined) {
    return await all
      .$if(bound.key !== undefined, (query) => query.where('id', idComparison(bound), String(bound.key)))
      .orderBy('id', forwards ? 'desc' : 'asc')
      .execute();
  }
  const sign = forwards ? '>' : '<';
  return await all
    .where('email', '>=', emailPrefix)
    .where('email', '<', `${emailPrefix}\u{10ffff}`)
    .$if(bound.key !== undefined, (query) =>
      query.where('email', bound.inclusive ? `${sign}=` : sign, String(bound.key)),
    )
    .orderBy('email', forwards ? 'asc' : 'desc')
    .execute();
}
