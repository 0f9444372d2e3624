import { sql } from 'kysely';
import { countUpTo } from '../../domain/count-up-to.ts';
import { lowestIdAt } from '../../domain/id-time.ts';
import type { Instant } from '../../domain/instant.ts';
import { listId } from '../dialect.ts';
import { type ColumnsOf, isKey, runForRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { isEndOf } from '../statements/deliveries/read.ts';
import type { OldRows } from '../statements/ids.ts';

/** The last three columns are null while the delivery is pending. */
interface OldDelivery {
  id: string;
  workspaceId: string;
  status: string | null;
  endedAt: Instant | null;
  attempts: number | null;
}

/**
 * Deletes the deliveries that ended before `before`, and their attempts. Checks up to `limit` deliveries, but stops
 * once the checked deliveries have `limit` attempts in total, because one attempt can take up to 208 KiB.
 *
 * @returns the last delivery id that was checked, or undefined if none are left to check.
 */
export async function removeOldDeliveries(queries: Queries, old: OldRows): Promise<string | undefined> {
  // Ids increase with time, so the checked deliveries are a range of the primary key.
  const { rows: found } = await sql<OldDelivery>`
    select chosen.id, chosen.workspace_id as "workspaceId", ended.status, ended.ended_at as "endedAt",
      ended.attempt as attempts
    from (
      select id, workspace_id from deliveries
      where id > ${old.after} and id < ${lowestIdAt('webhookDelivery', old.idsBefore)} order by id limit ${old.limit}
    ) as chosen
    left join delivery_ends as ended on ${isEndOf(listId(queries, 'chosen.id'))}
    order by chosen.id`.execute(queries);
  const isOver = ({ endedAt }: OldDelivery) => endedAt !== null && endedAt < old.before;
  const attempts = found.map((delivery) => delivery.attempts ?? 0);
  const checked = found.slice(0, countUpTo(old.limit, attempts));
  await remove(queries, checked.filter(isOver));
  return found.length < old.limit && checked.length === found.length ? undefined : checked.at(-1)?.id;
}

async function remove(queries: Queries, deliveries: readonly OldDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const ids = deliveries.map(({ id }) => id);
  await queries.deleteFrom('delivery_attempts').where('delivery_id', 'in', ids).execute();
  const key: ColumnsOf<OldDelivery> = {
    workspace: ['text', ({ workspaceId }) => workspaceId],
    state: ['text', ({ status }) => status],
    id: ['text', ({ id }) => id],
  };
  await runForRows(queries, key, deliveries, {
    sqlite: 'delete from delivery_ends where workspace_id = ? and status = ? and delivery_id = ?',
    postgres: (given) =>
      `delete from delivery_ends using ${given}
        where ${isKey('workspace_id', 'workspace')} and status = state and delivery_id = given.id`,
  });
  await queries.deleteFrom('deliveries').where('id', 'in', ids).execute();
}
